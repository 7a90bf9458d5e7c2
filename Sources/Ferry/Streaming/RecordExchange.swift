internal import Synchronization

/// The exchange between a thread that reads records and the consumer that asks for them.
///
///     thread                         consumer
///     put(records)        ▸          step() → records
///     nextBytes()         ◂          step() → needsBytes, give(bytes)
///     end(with: report)   ▸          step() → end
///
/// The exchange holds one batch. The thread waits until the consumer has taken it, so the reader is at most two batches
/// ahead. If the consumer cancels, the next call of the thread throws, and the thread ends.
final class RecordExchange: Sendable {
  /// The next event for the consumer.
  enum Step: Sendable {
    case records(RecordBatch)
    /// The reader waits for the next bytes of the input.
    case needsBytes
    case end(Result<Conversion.Report, FerryError>)
    /// The consumer has canceled the reading.
    case canceled
  }

  private enum Bytes: Sendable { case chunk([UInt8]), end }

  private struct State: Sendable {
    var batch: RecordBatch?
    var needsBytes = false
    var bytes: Bytes?
    var outcome: Result<Conversion.Report, FerryError>?
    var isCanceled = false
    /// The task that waits for the next step.
    var waiting: CheckedContinuation<Void, Never>?

    /// Takes the next step of the consumer; nil if it has to wait.
    mutating func step() -> Step? {
      if isCanceled { return .canceled }
      if let batch = batch.take() { return .records(batch) }
      if let outcome { return .end(outcome) }
      return needsBytes ? .needsBytes : nil
    }

    /// True if the consumer has to wait for the next step, as `step()` says.
    var isIdle: Bool { !isCanceled && batch == nil && outcome == nil && !needsBytes }
  }

  private let state = Mutex(State())
  private let readerMayContinue = SystemSignal()
  private let consumerMayContinue = SystemSignal()

  // MARK: The thread

  /// Hands on a batch of records, after the consumer has taken the one before.
  func put(_ batch: RecordBatch) throws(FerryError) {
    _ = try waitAsReader { state -> Bool? in
      guard state.batch == nil else { return nil }
      state.batch = batch
      return true
    }
    wakeConsumer()
  }

  /// Waits for the next bytes of the input. Returns nil at the end.
  func nextBytes() throws(FerryError) -> [UInt8]? {
    state.withLock { $0.needsBytes = true }
    wakeConsumer()
    let bytes = try waitAsReader { $0.bytes.take() }
    return if case .chunk(let chunk) = bytes { chunk } else { nil }
  }

  /// Throws if the consumer has canceled the reading, to end the thread.
  func checkCancellation() throws(FerryError) {
    if state.withLock({ $0.isCanceled }) { throw .stopped }
  }

  /// Ends the reading.
  func end(with outcome: Result<Conversion.Report, FerryError>) {
    state.withLock { $0.outcome = outcome }
    wakeConsumer()
  }

  /// Calls a function until it returns a result, and waits before each further call.
  private func waitAsReader<Result: Sendable>(
    _ body: (inout State) -> Result?
  ) throws(FerryError) -> Result {
    while true {
      let (result, isCanceled) = state.withLock { state -> (Result?, Bool) in
        state.isCanceled ? (nil, true) : (body(&state), false)
      }
      guard !isCanceled else { throw .stopped }
      if let result { return result }
      readerMayContinue.wait()
    }
  }

  private func wakeConsumer() {
    let waiting = state.withLock { $0.waiting.take() }
    waiting?.resume()
    consumerMayContinue.give()
  }

  // MARK: The consumer

  /// Waits for the next step, and blocks the thread meanwhile.
  func step() -> Step {
    while true {
      if let step = stepNow() { return step }
      consumerMayContinue.wait()
    }
  }

  /// Waits for the next step, and suspends the task meanwhile. Cancels the reading if the task is canceled.
  func nextStep(isolation: isolated (any Actor)?) async -> Step {
    await withTaskCancellationHandler {
      while true {
        if let step = stepNow() { return step }
        await withCheckedContinuation { continuation in
          let isIdle = state.withLock { state in
            if state.isIdle { state.waiting = continuation }
            return state.isIdle
          }
          if !isIdle { continuation.resume() }
        }
      }
    } onCancel: {
      cancel()
    }
  }

  private func stepNow() -> Step? {
    let step = state.withLock { $0.step() }
    if case .records? = step { readerMayContinue.give() }
    return step
  }

  /// Gives the reader the next bytes of the input, or nil at the end.
  func give(_ bytes: [UInt8]?) {
    state.withLock { state in
      state.needsBytes = false
      state.bytes = bytes.map(Bytes.chunk) ?? .end
    }
    readerMayContinue.give()
  }

  /// Cancels the reading.
  func cancel() {
    state.withLock { state in
      state.isCanceled = true
      (state.batch, state.bytes) = (nil, nil)
    }
    readerMayContinue.give()
    wakeConsumer()
  }
}
