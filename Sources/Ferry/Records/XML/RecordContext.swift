/// The parts that all delegates of a document share.
final class RecordContext {
  let losses: LossReport
  /// Receives the source location of each record; nil if no sink asks for it.
  let locator: SourceLocator?
  let space = SpaceScopes()

  init(losses: LossReport, locator: SourceLocator?) { (self.losses, self.locator) = (losses, locator) }
}

/// The values of `xml:space` for the open elements of a document's records, lists and undeclared elements.
/// An element without the attribute has the value of the element around it.
final class SpaceScopes {
  private var scopes: [Bool] = []

  /// True if all white space of the innermost element is content.
  var keepsSpace: Bool { scopes.last ?? false }

  /// Opens an element.
  func open(_ element: borrowing XMLElement) {
    var keepsSpace = keepsSpace
    for index in 0..<element.attributeCount where element.attributeName(index).qualified.equals("xml:space") {
      keepsSpace = element.attributeValue(index).equals("preserve")
    }
    scopes.append(keepsSpace)
  }

  /// Closes the innermost element.
  func close() { scopes.removeLast() }
}

extension XMLName {
  /// The name in the keys of records: the local name, with a prefix only if that is `xml`, which needs no
  /// declaration.
  var keyName: String { qualified.utf8.starts(with: "xml:".utf8) ? qualified : local }
}
