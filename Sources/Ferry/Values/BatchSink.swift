/// A sink that can receive many events in one call.
protocol BatchSink: ValueSink {
  /// True if batches are faster than single events. False if the sink would have to take them apart.
  var prefersBatches: Bool { get }
  /// True if batches may contain objects of classes, which do not end with events of their own. Otherwise they are sent
  /// as single events.
  var takesObjects: Bool { get }
  /// True if numbers and booleans in batches may stand for texts. The sink writes and reports them as such.
  var reportsNumbersAsTexts: Bool { get }
  /// Returns true if the sink takes a batch. Otherwise its events are sent one by one.
  func takes(_ events: borrowing EventBatch) -> Bool
  /// Receives events. They have the same effect as when they are sent one by one.
  func receive(_ events: borrowing EventBatch) throws(EventFailure)
}

extension ValueSink {
  /// This sink, if it prefers batches.
  var forBatches: (any BatchSink)? {
    guard let sink = self as? any BatchSink, sink.prefersBatches else { return nil }
    return sink
  }
}

extension BatchSink {
  var takesObjects: Bool { false }
  var reportsNumbersAsTexts: Bool { false }
  func takes(_ events: borrowing EventBatch) -> Bool { true }

  /// Receives the events of a batch without objects one by one.
  func receiveSingly(_ events: borrowing EventBatch) throws(EventFailure) {
    for index in 0..<events.count {
      do throws(FerryError) { try events.send(index, to: self) } catch {
        throw EventFailure(error: error, index: index)
      }
    }
  }
}
