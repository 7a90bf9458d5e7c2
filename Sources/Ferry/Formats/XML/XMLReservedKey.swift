/// The kind of a key in Ferry's XML convention that is not the name of an element.
///
/// The name of an element may be the escaped form of such a key: `_x0023_text` is the name for the key `#text`. If the value of the
/// element would mean something else in a dictionary, the element is in a list of contents, which tells them apart:
///
///     <a x="1">2</a>                                    {"a": {"@x": "1", "#text": "2"}}
///     <a x="1"><_x0023_text>2</_x0023_text></a>         {"a": {"@x": "1", "#content": [{"#text": "2"}]}}
///     <a>b<_x0023_comment>c</_x0023_comment></a>        {"a": {"#content": ["b", {"#comment": {"#content": ["c"]}}]}}
enum XMLReservedKey {
  /// `@name`: an attribute.
  case attribute
  /// `#text`: the text beside attributes or elements.
  case text
  /// `#content`: the list of the contents.
  case contents
  /// `#comment`, `#instruction` and `#cdata`: markup in a list of contents.
  case markup

  /// Returns the kind of a key, or nil if the key is the name of an element.
  init?(_ key: Span<UInt8>) {
    guard key.count > 1 else { return nil }
    if key[0] == UInt8(ascii: "@") {
      self = .attribute
    } else if key.equals("#text") {
      self = .text
    } else if key.equals("#content") {
      self = .contents
    } else if key.equals("#comment") || key.equals("#instruction") || key.equals("#cdata") {
      self = .markup
    } else {
      return nil
    }
  }
}
