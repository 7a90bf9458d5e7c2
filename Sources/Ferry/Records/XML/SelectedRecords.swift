/// The records among the selected elements of a document that a compiled schema converts from the events in a batch, without delegates.
///
/// They are collected, and sent together before another element is, and at the end of the batch.
final class SelectedRecords {
  private let mapper: RecordMapper
  private var converter: ElementRecords
  private var isEmpty = true

  /// Creates an empty collection. Returns nil if the records cannot be converted so.
  init?(_ schema: Schema, to sink: any ValueSink) {
    guard let mapper = sink as? RecordMapper, let compiled = mapper.compiledSchema else { return nil }
    self.mapper = mapper
    converter = ElementRecords(compiled, names: schema.names)
  }

  /// Adds the element that is a whole batch, if it is a usual record. Returns false if it is not.
  ///
  /// - Parameter firstEvent: The index of its start in the batch with which `send(of:)` is called.
  func add(_ element: borrowing ElementBatch, firstEvent: Int) -> Bool {
    guard mapper.isBetweenConvertibleRecords,
      converter.add(recordAt: 0, firstEvent: firstEvent, of: element) != nil
    else { return false }
    isEmpty = false
    return true
  }

  /// Sends the records that were added from parts of a batch.
  func send(of events: borrowing ElementBatch) throws(EventFailure) {
    guard !isEmpty else { return }
    defer {
      converter.removeAll()
      isEmpty = true
    }
    try converter.send(of: events, to: mapper)
  }
}
