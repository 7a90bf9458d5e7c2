/// The records of a document that arrives in chunks of bytes, such as the body of a request to a server.
///
///     var settings = RecordSettings()
///     settings.reading.format = .xml
///     settings.reading.select = "/people/person"
///     for try await person in AsyncRecords(of: Person.self, from: request.body, settings) { … }
///
/// Each record is delivered as soon as its bytes have arrived. The next chunk is requested only if the consumer has received all
/// records of the earlier ones. Canceling the task, or leaving the loop, ends the reading.
///
/// To deliver records before the end of the document, the reader must know the format and the records from the beginning: give
/// `reading.format`, and for XML, or for JSON with a list inside, `reading.select` or `reading.schema`. Otherwise the
/// document is first copied to a temporary file.
public struct AsyncRecords<Element, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  public typealias Failure = any Error

  /// The settings of the reading.
  public var settings: RecordSettings
  private let chunks: Chunks
  private let name: String?
  private let maker: RecordMaker<Element>

  private init(
    _ chunks: Chunks, _ name: String?, _ settings: RecordSettings, _ maker: RecordMaker<Element>
  ) {
    (self.chunks, self.name, self.settings, self.maker) = (chunks, name, settings, maker)
  }

  /// An iterator that suspends the task until the next record has arrived.
  public struct AsyncIterator: AsyncIteratorProtocol {
    public typealias Failure = any Error
    let iteration: RecordIteration<Element>
    fileprivate var chunks: Chunks.AsyncIterator

    /// Returns the next record, or nil at the end.
    ///
    /// - Throws: A `FerryError` of the document, a `DecodingError`, an error of the chunks, or a `CancellationError` if the task
    ///   was canceled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      try iteration.start()
      while !iteration.isFinished {
        if let element = try iteration.element() { return element }
        let step = await iteration.nextStep(isolation: actor)
        guard case .needsBytes = step else {
          try iteration.take(step)
          continue
        }
        do {
          let chunk = try await chunks.next(isolation: actor)
          // Many sequences end when their task is canceled, and the document is then not whole.
          if chunk == nil { try Task.checkCancellation() }
          iteration.give(chunk.map { Array($0) })
        } catch {
          try iteration.stop(error)
        }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    let reading = RecordReading(settings)
    let name = name
    let iteration = RecordIteration(maker, settings) { exchange throws(FerryError) in
      try reading.read(ExchangedInput(exchange), named: name) { batch throws(FerryError) in
        try exchange.put(batch)
      }
    }
    return AsyncIterator(iteration: iteration, chunks: chunks.makeAsyncIterator())
  }
}

extension AsyncRecords: Sendable where Element: Sendable, Chunks: Sendable {}

extension AsyncRecords where Element: Decodable & SendableMetatype {
  /// Creates a sequence of decoded records.
  ///
  /// - Parameters:
  ///   - type: The type of a record.
  ///   - chunks: The bytes of the document.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init(
    of type: Element.Type, from chunks: Chunks, named name: String? = nil,
    _ settings: RecordSettings = RecordSettings()
  ) {
    self.init(chunks, name, settings, .decoded)
  }
}

extension AsyncRecords where Element == Value {
  /// Creates a sequence of values.
  ///
  /// - Parameters:
  ///   - chunks: The bytes of the document.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init(from chunks: Chunks, named name: String? = nil, _ settings: RecordSettings = .values) {
    self.init(chunks, name, settings, .value)
  }
}

extension AsyncRecords where Element == [UInt8] {
  /// Creates a sequence of records as documents of another format.
  ///
  ///     for try await line in AsyncRecords(as: .jsonLines, from: request.body, settings) { … }
  ///
  /// - Parameters:
  ///   - format: The format of each record. A record of JSON Lines is a line with its line feed.
  ///   - chunks: The bytes of the document.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init(
    as format: Format, from chunks: Chunks, named name: String? = nil, _ settings: RecordSettings = .values
  ) {
    self.init(as: WritingOptions(to: format), from: chunks, named: name, settings)
  }

  /// Creates a sequence of records as documents of another format.
  ///
  /// - Parameters:
  ///   - writing: The format and the layout of each record.
  ///   - chunks: The bytes of the document.
  ///   - name: The file name of the document, used if the content has no signature.
  ///   - settings: The settings of the reading.
  public init(
    as writing: WritingOptions, from chunks: Chunks, named name: String? = nil,
    _ settings: RecordSettings = .values
  ) {
    self.init(chunks, name, settings, .bytes(writing))
  }
}
