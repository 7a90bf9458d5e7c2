/// A sink that forwards every event, also in batches, and calls a method before each event that is not in one. It is the base class of
/// adapters that change no event of a batch. An adapter that looks for a key receives the events of some batches one by one.
class BatchForwardingSink: InterceptingSink, BatchSink {
  /// The next sink, if it prefers batches.
  private let nextForBatches: (any BatchSink)?

  override init(to next: any ValueSink) {
    nextForBatches = next.forBatches
    super.init(to: next)
  }

  var prefersBatches: Bool { nextForBatches != nil }
  var reportsNumbersAsTexts: Bool { nextForBatches?.reportsNumbersAsTexts ?? false }
  func takes(_ events: borrowing EventBatch) -> Bool { nextForBatches?.takes(events) ?? false }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard let nextForBatches else { return try receiveSingly(events) }
    try nextForBatches.receive(events)
  }
}
