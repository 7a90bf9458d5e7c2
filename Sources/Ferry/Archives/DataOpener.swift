/// A reader of single documents in data, which together stay within the budget of one input. Data in a document
/// stays data.
///
///     let opener = DataOpener(budget: budget, asStored: false)
///     try opener.document(in: bytes)?.value      // {"name": "Ada"}
final class DataOpener {
  /// The content of a document in data.
  struct NestedValue {
    /// The value of the document.
    let value: Value
    /// The kind of the document.
    let kind: NestedData.Kind
    /// The entries that an archive has beside its objects, unless it is read as it is stored.
    let archiveEntries: ArchiveEntries
  }

  private let builder = ValueBuilder()
  private let expanded: ExpandedData
  /// True if archives are read as their raw property lists.
  private let asStored: Bool
  /// The number of keys that occur twice in one dictionary, in all documents.
  var repeatedKeyCount: Int { builder.repeatedKeyCount + repeatedEntryCount }
  /// The number of these keys among the entries that archives have beside their objects.
  private var repeatedEntryCount = 0

  /// Creates a reader.
  ///
  /// - Parameter asStored: True to read archives as their raw property lists.
  init(budget: Budget, asStored: Bool) {
    var budget = budget
    budget.nesting = min(budget.nesting, 1)
    self.asStored = asStored
    expanded = ExpandedData(
      to: builder, budget: budget, asStored: asStored, shared: .reference, objectCount: 0)
  }

  /// Returns the document in data; nil if it is damaged, or if the data holds none.
  ///
  /// - Throws: An error if the documents exceed the budget.
  func document(in bytes: [UInt8]) throws(FerryError) -> NestedValue? {
    defer { builder.removeAll() }
    try expanded.data(bytes.span)
    guard let document = expanded.document else { return nil }
    var entries = ArchiveEntries()
    if !asStored, let archive = document.archive { entries = try ArchiveEntries(of: ArchiveObjects(archive)) }
    repeatedEntryCount += entries.repeatedKeyCount
    return NestedValue(value: try builder.result(), kind: document.kind, archiveEntries: entries)
  }
}
