/// The elements whose contents become a list in document order.
///
///     <p>one <b>two</b> three</p>     {"p": {"#content": ["one ", {"b": "two"}, " three"]}}
public enum XMLOrder: Sendable {
  /// None: children are put together by name, and text is put together. What that loses is reported.
  case never
  /// The elements with a path at which some element contains text beside elements, elements of one name with others
  /// between them, or an element whose key would mean an attribute or text, such as `<_x0023_text>`; and each element with a child that
  /// has the key of one of its attributes.
  case needed
  /// All elements with a path at which some element contains others.
  case always
}
