/// The objects that all delegates of a document share.
final class RecordContext {
  let losses: LossReport
  /// Receives the source location of each record, or nil if no sink needs it.
  let locator: SourceLocator?
  let space = SpaceScopes()
  /// Receives the errors of records that are left out; nil to throw the first of them.
  private let failed: FailedRecords?
  /// The index of the current record among those that the sink receives; nil for the only one.
  private var record: Int?
  /// True if the document is an element of a selection, whose records are the elements.
  private let isSelected: Bool

  /// Creates the parts for a document, or for the element of a selection with an index.
  init(losses: LossReport, locator: SourceLocator?, failed: FailedRecords?, selected: Int?) {
    (self.losses, self.locator, self.failed) = (losses, locator, failed)
    (record, isSelected) = (selected, selected != nil)
  }

  /// Begins a record of the collection.
  func begin(record index: Int?) {
    if !isSelected { record = index }
  }

  /// Leaves the current record out because of an error, or throws the error if it ends the conversion. The
  /// record is sent nevertheless, to be counted; the mapper leaves it out.
  func leaveOut(because error: FerryError) throws(FerryError) {
    guard let failed, let record else { throw error }
    failed.add(error, inRecord: record)
  }
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
