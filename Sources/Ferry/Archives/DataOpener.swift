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
  }

  private let builder = ValueBuilder()
  private let expanded: ExpandedData
  /// The number of keys that occur twice in one dictionary, in all documents.
  var repeatedKeyCount: Int { builder.repeatedKeyCount }

  /// Creates a reader.
  ///
  /// - Parameter asStored: True to read archives as their raw property lists.
  init(budget: Budget, asStored: Bool) {
    var budget = budget
    budget.nesting = min(budget.nesting, 1)
    expanded = ExpandedData(
      to: builder, budget: budget, asStored: asStored, shared: .reference, objectCount: 0)
  }

  /// Returns the document in data; nil if it is damaged, or if the data holds none.
  ///
  /// - Throws: An error if the documents exceed the budget.
  func document(in bytes: [UInt8]) throws(FerryError) -> NestedValue? {
    defer { builder.removeAll() }
    try expanded.data(bytes.span)
    guard let kind = expanded.kind else { return nil }
    return NestedValue(value: try builder.result(), kind: kind)
  }
}
