/// The values of `xml:space` for the open elements. An element without the attribute inherits the value of its parent
/// (XML 1.0, 2.10).
///
///     <a xml:space="preserve">      true
///       <b xml:space="default">     false
///         <c/>                      false
struct SpaceScopes {
  private var scopes: [Bool]

  /// Creates the scopes for an element whose parent has a value.
  init(keepsSpace: Bool = false) { scopes = [keepsSpace] }

  /// True if all white space in the innermost element is content.
  var keepsSpace: Bool { scopes.last ?? false }

  /// Opens an element.
  mutating func open(_ element: borrowing XMLStartTag) { scopes.append(value(in: element)) }

  /// Opens an element with a value.
  mutating func open(keepsSpace: Bool) { scopes.append(keepsSpace) }

  /// Returns the value in a child of the innermost element.
  func value(in element: borrowing XMLStartTag) -> Bool {
    for index in 0..<element.attributeCount where element.attributeName(index).isSpace {
      return element.attributeValue(index).equals("preserve")
    }
    return keepsSpace
  }

  /// Closes the innermost element.
  mutating func close() { scopes.removeLast() }
}

extension XMLName {
  /// True for the attribute that tells whether white space is content.
  var isSpace: Bool { qualified.equals("xml:space") }
}
