/// The location of a field's value in the XML element of a record.
public enum XMLLocation: Hashable, Sendable {
  /// The text of a child element with this name.
  case element(String)
  /// An attribute of the record's element.
  case attribute(String)
  /// The text of the record's element.
  case text
  /// The child elements with the name of the list's items. The list has no element of its own:
  /// `<book><author>Brian</author><author>Dennis</author></book>`.
  case items

  /// The notation in a schema file: `name`, `@name`, `#text` or `#items`.
  var notation: String {
    switch self {
    case .element(let name): name
    case .attribute(let name): "@\(name)"
    case .text: "#text"
    case .items: "#items"
    }
  }
}
