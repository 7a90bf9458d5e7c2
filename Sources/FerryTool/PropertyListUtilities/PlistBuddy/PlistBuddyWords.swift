/// The words of a command of PlistBuddy.
///
/// A word ends at a space outside of quotation marks, which are left out. A backslash precedes a character without a meaning;
/// `\n` and `\t` are a line feed and a tab.
///
///     Add ":a key" string it\'s     Add, :a key, string, it's
struct PlistBuddyWords {
  private var rest: Substring.UnicodeScalarView

  init(_ text: some StringProtocol) { rest = Substring(text).unicodeScalars }

  /// Returns the next word; nil at the end.
  mutating func next() throws(PlistBuddyError) -> String? { try scan(toEnd: false) }

  /// Returns all words that are left as one, with the spaces between them; nil at the end.
  mutating func remainder() throws(PlistBuddyError) -> String? { try scan(toEnd: true) }

  private mutating func scan(toEnd: Bool) throws(PlistBuddyError) -> String? {
    rest = rest.drop { $0 == " " || $0 == "\t" }[...]
    guard !rest.isEmpty else { return nil }
    var word = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        guard let escaped = rest.popFirst() else { break }
        // A colon keeps its backslash, by which it is part of a key.
        word.append(contentsOf: Self.meaning(of: escaped).unicodeScalars)
      case "\"", "'":
        if quote == nil {
          quote = scalar
        } else if quote == scalar {
          quote = nil
        } else {
          word.append(scalar)
        }
      case " ", "\t":
        if quote == nil, !toEnd { return String(word) }
        word.append(scalar)
      default: word.append(scalar)
      }
    }
    guard quote == nil else { throw .said("Parse Error: Unclosed Quotes") }
    return String(word)
  }

  private static func meaning(of escaped: Unicode.Scalar) -> String {
    switch escaped {
    case "n": "\n"
    case "t": "\t"
    case ":": "\\:"
    default: String(escaped)
    }
  }
}
