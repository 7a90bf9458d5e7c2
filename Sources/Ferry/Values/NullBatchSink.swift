/// A sink that ignores all events, and takes them in batches, which a reader sends faster.
final class NullBatchSink: ForwardingSink, BatchSink {
  init() { super.init(to: NullSink()) }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) {}
}
