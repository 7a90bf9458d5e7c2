/// The state of one iteration over records. Releasing it ends the reading.
final class RecordIteration<Element> {
  let exchange: RecordExchange
  private let settings: RecordSettings
  private let maker: RecordMaker<Element>
  /// Makes an element; nil before the first record.
  private var make: ((FoundRecord) throws -> Element)?
  private let read: @Sendable (RecordExchange) throws(FerryError) -> Conversion.Report
  /// The path of the input, which thrown errors name; nil if it is unknown.
  private let file: String?
  /// The records that the consumer has not received yet.
  private var records: ArraySlice<FoundRecord> = []
  /// The errors of the records that could not be made.
  private let failed: FailedRecords
  private let losses = LossReport()
  private var isStarted = false
  /// True after the last record, and after an error.
  private(set) var isFinished = false

  /// Creates an iteration.
  ///
  /// - Parameters:
  ///   - file: The path of the input, or nil if it is unknown.
  ///   - read: Reads the records on a thread, which begins with the first call of `start`.
  init(
    _ maker: RecordMaker<Element>, _ settings: RecordSettings, file: String? = nil,
    _ read: @escaping @Sendable (RecordExchange) throws(FerryError) -> Conversion.Report
  ) {
    exchange = RecordExchange()
    failed = FailedRecords(handingTo: settings.whenRecordFails)
    (self.maker, self.settings, self.file, self.read) = (maker, settings, file, read)
  }

  deinit { exchange.cancel() }

  /// Returns the next element, and blocks the thread until the reader has it. Returns nil at the end.
  func next() throws -> Element? {
    try start()
    while !isFinished {
      if let element = try element() { return element }
      try take(exchange.step())
    }
    return nil
  }

  /// Returns the next element, and suspends the task until the reader has it. Returns nil at the end.
  func next(isolation: isolated (any Actor)?) async throws -> Element? {
    try start()
    while !isFinished {
      if let element = try element() { return element }
      try take(await exchange.nextStep(isolation: isolation))
    }
    return nil
  }

  /// Starts the thread, unless it was started.
  func start() throws {
    guard !isStarted else { return }
    isStarted = true
    let (exchange, read) = (exchange, read)
    do throws(FerryError) {
      try SystemThread.start {
        exchange.end(with: Result { () throws(FerryError) in try read(exchange) })
      }
    } catch { try stop(error) }
  }

  /// Returns the next element of the current batch; nil if it has none.
  func element() throws -> Element? {
    while let make, let record = records.popFirst() {
      do { return try make(record) } catch {
        guard settings.keepsGoing, record.index != nil else {
          try stop(named(error))
        }
        failed.add(FerryError(error, of: record))
      }
    }
    return nil
  }

  /// Returns an error of a record with the path of the input.
  private func named(_ error: any Error) -> any Error {
    switch error {
    case let error as DecodingError: error.placed(inFile: file)
    case let error as FerryError: error.placed(inFile: file)
    default: error
    }
  }

  /// Waits for the next step of the reader, and suspends the task meanwhile.
  func nextStep(isolation: isolated (any Actor)?) async -> RecordExchange.Step {
    await exchange.nextStep(isolation: isolation)
  }

  /// Gives the reader the next bytes of the input, or nil at the end.
  func give(_ bytes: [UInt8]?) { exchange.give(bytes) }

  /// Takes a step of the reader.
  func take(_ step: RecordExchange.Step) throws {
    switch step {
    case .records(let batch):
      records = batch.records[...]
      // Not `make ?? …`: a generic function would wrap the function once more for each batch.
      if make == nil { make = maker.begin(batch, settings, losses) }
    case .needsBytes: break
    case .end(.success(var report)):
      isFinished = true
      report.add(failed.errors, count: failed.count)
      report.errors = report.errors.inOrder
      report.losses.add(losses.all)
      settings.whenFinished?(report)
    case .end(.failure(var error)):
      error.earlier += failed.errors.prefix(max(FailedRecords.mostKept - error.earlier.count, 0))
      error.earlier = error.earlier.inOrder
      try stop(error)
    case .canceled: try stop(CancellationError())
    }
  }

  /// Ends the iteration with an error.
  func stop(_ error: any Error) throws -> Never {
    isFinished = true
    records = []
    exchange.cancel()
    throw error
  }
}

extension [FerryError] {
  /// The errors sorted by their locations. They were collected in two groups: those of the reader, then those of the types.
  fileprivate var inOrder: [FerryError] {
    sorted { a, b in
      let (a, b) = (a.location, b.location)
      return (a.line ?? 0, a.column ?? 0, a.byte ?? 0) < (b.line ?? 0, b.column ?? 0, b.byte ?? 0)
    }
  }
}

extension FerryError {
  /// Creates the error of a record that could not be made: also if a type has thrown an error of its own when it was decoded.
  fileprivate init(_ error: any Error, of record: FoundRecord) {
    switch error {
    case let error as FerryError: self = error
    case let error as DecodingError:
      self =
        error.context?.underlyingError as? FerryError
        ?? FerryError(
          .coding(.notDecodable(error.context?.debugDescription ?? "\(error)")), at: record.location,
          path: ValuePath(error.context?.codingPath ?? []))
    default: self.init(.coding(.notDecodable("\(error)")), at: record.location, path: record.path)
    }
  }
}
