/// The objects that all delegates of a document share.
final class RecordContext {
  let losses: LossReport
  /// Receives the source location of each record, or nil if no sink needs it.
  let locator: SourceLocator?
  let space = SpaceScopes()

  init(losses: LossReport, locator: SourceLocator?) { (self.losses, self.locator) = (losses, locator) }
}

/// The values of `xml:space` for the open elements. An element without the attribute inherits the value of
/// its parent.
final class SpaceScopes {
  private var scopes: [Bool] = []

  /// True if all white space in the innermost element is content.
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
  /// The name used as a key: the local name, or the name with its prefix if the prefix is `xml`, which needs
  /// no declaration.
  var keyName: String { qualified.utf8.starts(with: "xml:".utf8) ? qualified : local }
}
