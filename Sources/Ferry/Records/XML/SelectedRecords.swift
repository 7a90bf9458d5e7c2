/// The selected elements of a document that are usual records, which a compiled schema converts from the events of a batch.
///
/// They are collected, and sent together before an unusual record, and at the end of the batch.
final class SelectedRecords {
  private let mapper: RecordMapper
  private var converter: ElementRecords

  /// Creates an empty collection. Returns nil if the sink does not convert records by a compiled schema.
  init?(_ schema: Schema, to sink: any ValueSink) {
    guard let mapper = sink as? RecordMapper, let compiled = mapper.compiledSchema else { return nil }
    self.mapper = mapper
    converter = ElementRecords(compiled, names: schema.names)
  }

  /// Adds the element that is a whole batch, if it is a usual record. Returns false if it is not.
  ///
  /// - Parameter firstEvent: The index of its start in the batch with which `send(of:)` is called.
  func add(_ element: borrowing ElementBatch, firstEvent: Int) -> Bool {
    mapper.isBetweenConvertibleRecords
      && converter.add(recordAt: 0, firstEvent: firstEvent, of: element) != nil
  }

  /// Sends the collected records, whose elements are in a batch.
  func send(of events: borrowing ElementBatch) throws(EventFailure) {
    guard !converter.isEmpty else { return }
    defer { converter.removeAll() }
    try converter.send(of: events, to: mapper)
  }
}
