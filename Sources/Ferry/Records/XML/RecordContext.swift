/// The parts that all delegates of a document share.
final class RecordContext {
  let losses: LossReport
  /// Receives the source location of each record; nil if no sink asks for it.
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
  func leaveOut(because failure: FerryError) throws(FerryError) {
    guard let failed, let record else { throw failure }
    failed.add(failure, inRecord: record)
  }
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
