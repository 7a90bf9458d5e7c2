/// The records of a file in any format, one at a time.
///
///     struct Person: Codable { var name: String }
///     // people.xml: <people><person><name>Ada</name></person><person><name>Grace</name></person></people>
///     for try await person in Records(of: Person.self, from: .file("people.xml")) {
///       print(person.name)      // Ada, Grace
///     }
///
/// The records are the elements of the list that `ferry convert --to json-lines` writes as lines: the outermost list, the only list of
/// records in a dictionary or a root element (dictionaries with a single entry around it do not matter), the lines of JSON Lines, the
/// rows of a table, or the values that `settings.reading.select` selects. A document without a list is a single record, unless it is an
/// empty root element without attributes, which is a list without records.
///
/// Records are read while the consumer asks for them: memory does not grow with the file, unless its format has to be
/// read as a whole (binary property lists, archives and typedstreams). A document in XML or JSON with a list inside is read twice, because only
/// its end shows which list has the records; `select` or a schema avoid that.
///
/// If the file is damaged, the records before the damage are delivered, then the iteration throws an error with the source location. Of a
/// document that is read twice, no record is delivered before the error, unless there is a selection or a schema. Leaving the loop, or
/// canceling the task, ends the reading.
///
/// Without concurrency, `makeCursor()` and `results` have the same records. `AsyncRecords` reads them from chunks of bytes that
/// arrive asynchronously.
public struct Records<Element>: AsyncSequence {
  public typealias Failure = any Error

  /// The settings of the reading.
  public var settings: RecordSettings
  private let input: RecordInput
  private let maker: RecordMaker<Element>

  private init(_ input: RecordInput, _ settings: RecordSettings, _ maker: RecordMaker<Element>) {
    (self.input, self.settings, self.maker) = (input, settings, maker)
  }

  /// An iterator that suspends the task until the next record was read.
  public struct AsyncIterator: AsyncIteratorProtocol {
    public typealias Failure = any Error
    let iteration: RecordIteration<Element>

    /// Returns the next record, or nil at the end.
    ///
    /// - Throws: A `FerryError` of the file, a `DecodingError`, or a `CancellationError` if the task was canceled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
      try await iteration.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iteration: makeIteration()) }

  /// Returns a cursor, which blocks the thread until the next record was read.
  public func makeCursor() -> RecordCursor<Element> { RecordCursor(makeIteration()) }

  /// The records as a sequence for a `for` loop without `await`. After an error, the sequence ends.
  ///
  ///     for result in Records(of: Person.self, from: .file("people.csv")).results {
  ///       print(try result.get().name)
  ///     }
  public var results: Results { Results(records: self) }

  /// A sequence of records, and of the error that ends it.
  public struct Results: Sequence {
    fileprivate let records: Records

    public func makeIterator() -> Iterator { Iterator(cursor: records.makeCursor()) }

    /// An iterator that blocks the thread until the next record was read.
    public struct Iterator: IteratorProtocol {
      fileprivate let cursor: RecordCursor<Element>

      public mutating func next() -> Result<Element, any Error>? {
        do { return try cursor.next().map(Result.success) } catch { return .failure(error) }
      }
    }
  }

  private func makeIteration() -> RecordIteration<Element> {
    let reading = RecordReading(settings)
    let input = input
    return RecordIteration(maker, settings, file: input.path) { exchange throws(FerryError) in
      let opened = try input.open()
      (opened as? FileInput)?.beforeReading = { () throws(FerryError) in try exchange.checkCancellation() }
      return try reading.read(opened, named: input.name) { batch throws(FerryError) in
        try exchange.put(batch)
      }
    }
  }
}

extension Records: Sendable where Element: Sendable {}

extension Records where Element: Decodable & SendableMetatype {
  /// Creates a sequence of decoded records.
  ///
  /// - Parameters:
  ///   - type: The type of a record.
  ///   - input: The input.
  ///   - settings: The settings of the reading.
  public init(of type: Element.Type, from input: RecordInput, _ settings: RecordSettings = RecordSettings()) {
    self.init(input, settings, .decoded)
  }
}

extension Records where Element == Value {
  /// Creates a sequence of values.
  ///
  ///     for result in Records(from: .bytes(Array("[1, 2]".utf8))).results { … }      // 1, 2
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - settings: The settings of the reading.
  public init(from input: RecordInput, _ settings: RecordSettings = .values) {
    self.init(input, settings, .value)
  }
}

extension Records where Element == [UInt8] {
  /// Creates a sequence of records as documents of another format.
  ///
  ///     let lines = Records(as: .jsonLines, from: .file("people.xml"))
  ///     // {"name":"Ada"} with a line feed, {"name":"Grace"} with a line feed
  ///
  /// - Parameters:
  ///   - format: The format of each record. A record of JSON Lines is a line with its line feed.
  ///   - input: The input.
  ///   - settings: The settings of the reading.
  public init(as format: Format, from input: RecordInput, _ settings: RecordSettings = .values) {
    self.init(as: WritingOptions(to: format), from: input, settings)
  }

  /// Creates a sequence of records as documents of another format.
  ///
  /// - Parameters:
  ///   - writing: The format and the layout of each record.
  ///   - input: The input.
  ///   - settings: The settings of the reading.
  public init(
    as writing: WritingOptions, from input: RecordInput, _ settings: RecordSettings = .values
  ) {
    self.init(input, settings, .bytes(writing))
  }
}
