import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Ferry

private struct ListedPerson: Codable, Hashable, Sendable {
  var name: String
  var age: Int?
  var tags: [String]

  static let all = [
    ListedPerson(name: "Ada", age: 36, tags: ["a", "b"]), ListedPerson(name: "é 😀", age: nil, tags: ["one"]),
    ListedPerson(name: "Grace & <Co>", age: 85, tags: ["c", "d", "e"]),
  ]
}

@Suite struct `Records one at a time` {
  private static let formats: [Format] = [
    .xml, .json, .jsonLines, .jsonSequence, .jsonc, .json5, .yaml, .csv, .xmlPropertyList,
    .binaryPropertyList, .openStepPropertyList, .gnustepPropertyList, .archive, .xmlArchive, .typedstream,
  ]

  private static func file(_ format: Format, _ people: [ListedPerson] = ListedPerson.all) throws -> [UInt8] {
    var encoder = FerryEncoder(to: format)
    encoder.writing.rootElement = "people"
    return try encoder.encode(people)
  }

  private static func settings(_ format: Format) -> RecordSettings {
    var settings = RecordSettings()
    settings.reading.format = format
    return settings
  }

  @Test(arguments: formats) func `The records are those of the whole file`(_ format: Format) throws {
    let bytes = try Self.file(format)
    let settings = Self.settings(format)
    let records = Records(of: ListedPerson.self, from: .bytes(bytes), settings)
    #expect(
      try records.results.map { try $0.get() } == settings.decoder.decode([ListedPerson].self, from: bytes))
    #expect(try records.results.map { try $0.get() } == ListedPerson.all)
  }

  @Test(arguments: formats) func `The records of an asynchronous loop are the same`(_ format: Format)
    async throws
  {
    var found: [ListedPerson] = []
    let records = Records(of: ListedPerson.self, from: .bytes(try Self.file(format)), Self.settings(format))
    for try await person in records { found.append(person) }
    #expect(found == ListedPerson.all)
  }

  @Test(arguments: formats) func `Records from chunks of any size are the same`(_ format: Format) async throws
  {
    let bytes = try Self.file(format)
    for size in [1, 7, bytes.count] {
      let chunks = Chunks(bytes, size: size)
      var found: [ListedPerson] = []
      for try await person in AsyncRecords(of: ListedPerson.self, from: chunks, Self.settings(format)) {
        found.append(person)
      }
      #expect(found == ListedPerson.all, "chunks of \(size)")
    }
  }

  @Test(arguments: formats) func `Records from two chunks are the same wherever the first ends`(
    _ format: Format
  ) async throws {
    let bytes = try Self.file(format, Array(ListedPerson.all.prefix(2)))
    for offset in bytes.indices {
      let chunks = AsyncStream { continuation in
        continuation.yield(bytes[..<offset])
        continuation.yield(bytes[offset...])
        continuation.finish()
      }
      var found: [ListedPerson] = []
      for try await person in AsyncRecords(of: ListedPerson.self, from: chunks, Self.settings(format)) {
        found.append(person)
      }
      #expect(found == Array(ListedPerson.all.prefix(2)), "\(offset)")
    }
  }

  private func values(
    _ text: String, _ name: String, _ change: (inout RecordSettings) -> Void = { _ in }
  ) throws -> [Value] {
    var settings = RecordSettings.values
    change(&settings)
    return try Records(from: .bytes(text.utf8, named: name), settings).results.map { try $0.get() }
  }

  @Test func `The records are the list of a document, or the document itself`() throws {
    let ada: Value = ["name": "Ada"]
    #expect(try values(#"[{"name": "Ada"}, 2, [3]]"#, "a.json") == [ada, 2, [3]])
    #expect(try values(#"{"version": 1, "people": [{"name": "Ada"}]}"#, "a.json") == [ada])
    #expect(try values(#"{"name": "Ada"}"#, "a.json") == [ada])
    #expect(try values("[]", "a.json") == [])
    #expect(try values("42", "a.json") == [42])
    #expect(try values("{\"name\": \"Ada\"}\n3\n", "a.jsonl") == [ada, 3])
    #expect(try values("", "a.jsonl") == [])
    #expect(try values("<p><q><name>Ada</name></q><q><name>Ada</name></q></p>", "a.xml") == [ada, ada])
    #expect(try values("<p><name>Ada</name></p>", "a.xml") == [["p": ada]])
    #expect(try values("name\nAda\n", "a.csv") == [ada])
  }

  @Test func `A single document is decoded from its root element`() throws {
    struct Name: Decodable, Hashable { var name: String }
    let records = Records(of: Name.self, from: .bytes("<p><name>Ada</name></p>".utf8))
    #expect(try records.makeCursor().next() == Name(name: "Ada"))
  }

  @Test func `An empty root element has no records`() throws {
    struct Name: Decodable, Hashable { var name: String? }
    struct Required: Decodable { var name: String }
    for text in ["<people/>", "<people></people>", "<people xmlns='urn:a' xmlns:b='urn:b'/>"] {
      #expect(try values(text, "a.xml") == [])
      #expect(try Records(of: Name.self, from: .bytes(text.utf8)).makeCursor().next() == nil)
      #expect(try Records(of: Required.self, from: .bytes(text.utf8)).makeCursor().next() == nil)
    }
    // A document with attributes is a record, and so is a selected element.
    let single = Records(of: Name.self, from: .bytes("<p name='Ada'/>".utf8)).makeCursor()
    #expect(try single.next() == Name(name: "Ada"))
    #expect(try values("<a><b/></a>", "a.xml") { $0.reading.select = "//b" } == [""])
  }

  @Test func `A selection and a schema determine the records`() throws {
    let selected = try values(#"{"a": {"b": [1, 2]}, "c": [{}]}"#, "a.json") { $0.reading.select = "a.b[*]" }
    #expect(selected == [1, 2])
    let elements = try values("<a><b>1</b><c><b>2</b></c></a>", "a.xml") { $0.reading.select = "//b" }
    #expect(elements == ["1", "2"])
    let schema = Schema(
      name: "p", collectionElement: "people",
      record: RecordType(
        element: "person", className: "Person",
        fields: [RecordField("name", .string), RecordField("age", .integer)]))
    let ada: Value = ["name": "Ada", "age": 36]
    let xml = "<people><person><name>Ada</name><age>36</age></person></people>"
    #expect(try values(xml, "a.xml") { $0.reading.schema = schema } == [ada])
    #expect(try values("name,age\nAda,36\n", "a.csv") { $0.reading.schema = schema } == [ada])
    #expect(try values(#"[{"name": "Ada", "age": 36}]"#, "a.json") { $0.reading.schema = schema } == [ada])
  }

  @Test func `Records before the damage are delivered, then the error with its location`() throws {
    let cursor = Records(from: .bytes("{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n".utf8, named: "a.jsonl"))
      .makeCursor()
    #expect(try cursor.next() == ["a": 1])
    #expect(try cursor.next() == ["a": 2])
    let error = #expect(throws: FerryError.self) { try cursor.next() }
    #expect(error?.location.line == 3)
    #expect(error?.location.column == 6)
    #expect(try cursor.next() == nil)
    var results = Records(from: .bytes("[1, 2, x]".utf8, named: "a.json")).results.makeIterator()
    #expect(try [results.next()?.get(), results.next()?.get()] == [1, 2])
    #expect(throws: FerryError.self) { try results.next()?.get() }
    #expect(results.next() == nil)
  }

  @Test func `A record that is not of the type has its path and source location in the error`() throws {
    let text = "{\"name\":\"Ada\",\"tags\":[]}\n{\"name\":1,\"tags\":[]}\n"
    let cursor = Records(of: ListedPerson.self, from: .bytes(text.utf8, named: "a.jsonl")).makeCursor()
    #expect(try cursor.next()?.name == "Ada")
    let error = #expect(throws: DecodingError.self) { try cursor.next() }
    let cause = error?.context?.underlyingError as? FerryError
    #expect(cause?.path == ValuePath([.index(1), .key("name")]))
    #expect(cause?.location.line == 2)
  }

  private struct Aged: Decodable {
    var name: String
    var age: Int?
  }

  private static let agedPeople =
    "<people>\n<person><name>A</name><age>1</age></person>\n  <person><name>B</name><age>x</age></person></people>"

  @Test(arguments: [nil, "/people/person", "/people/person[name]", "//person"])
  func `A record of XML that is not of the type has the location of its element in the error`(
    _ select: String?
  ) async throws {
    func check(_ error: DecodingError?) {
      let cause = error?.context?.underlyingError as? FerryError
      #expect(cause?.path == ValuePath([.index(1), .key("age")]))
      #expect(cause?.location.line == 3 && cause?.location.column == 3, "\(error as Any)")
    }
    var settings = RecordSettings()
    settings.reading.select = select
    let bytes = Array(Self.agedPeople.utf8)
    let cursor = Records(of: Aged.self, from: .bytes(bytes), settings).makeCursor()
    #expect(try cursor.next()?.name == "A")
    check(#expect(throws: DecodingError.self) { try cursor.next() })
    let chunks = AsyncStream { continuation in
      for byte in bytes { continuation.yield([byte]) }
      continuation.finish()
    }
    var records = AsyncRecords(of: Aged.self, from: chunks, named: "a.xml", settings).makeAsyncIterator()
    #expect(try await records.next()?.name == "A")
    do {
      _ = try await records.next()
      Issue.record("no error")
    } catch {
      check(error as? DecodingError)
    }
  }

  @Test func `Records of XML that are left out have the locations of their elements in the report`() throws {
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let text = Self.agedPeople.replacing(
      "</people>", with: "\n<person>\n<age>1</age></person></people>")
    let records = Records(of: Aged.self, from: .bytes(text.utf8, named: "a.xml"), settings)
    #expect(try records.results.map { try $0.get().name } == ["A"])
    #expect(try #require(report.withLock { $0 }).errors.compactMap(\.location.line) == [3, 4])
  }

  @Test func `A document of XML that is a single record has the location of its root element in the error`() {
    let text = "<?xml version='1.0'?>\n<person><name>B</name><age>x</age></person>"
    let cursor = Records(of: Aged.self, from: .bytes(text.utf8)).makeCursor()
    let error = #expect(throws: DecodingError.self) { try cursor.next() }
    #expect((error?.context?.underlyingError as? FerryError)?.location.line == 2)
  }

  @Test func `Records with errors are left out and reported on request`() throws {
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let text =
      "{\"name\":\"Ada\",\"tags\":[]}\n{\"name\":\nx\n{\"name\":1,\"tags\":[]}\n{\"name\":\"Bo\",\"tags\":[]}\n"
    let records = Records(of: ListedPerson.self, from: .bytes(text.utf8, named: "a.jsonl"), settings)
    #expect(try records.results.map { try $0.get().name } == ["Ada", "Bo"])
    let errors = try #require(report.withLock { $0 }).errors
    #expect(errors.compactMap(\.location.line) == [2, 3, 4])
  }

  @Test func `The errors of rows are in the order of the rows`() throws {
    struct Row: Decodable {
      var name: String
      var age: Int
    }
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let text = "name,age\nA,1\nB,x\nC\nD,4\n"
    let records = Records(of: Row.self, from: .bytes(text.utf8, named: "a.csv"), settings)
    #expect(try records.results.map { try $0.get().name } == ["A", "D"])
    #expect(try #require(report.withLock { $0 }).errors.compactMap(\.location.line) == [3, 4])
  }

  @Test func `Each record with an error has its own path, also after records that cannot be read`() throws {
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let lines = "1\n{\n\"x\"\n4\n{\n{\n\"y\"\n8\n"
    let records = Records(of: Int.self, from: .bytes(lines.utf8, named: "a.jsonl"), settings)
    #expect(try records.results.map { try $0.get() } == [1, 4, 8])
    let errors = try #require(report.withLock { $0 }).errors
    #expect(errors.map(\.path.description) == ["[1]", "[2]", "[4]", "[5]", "[6]"])
  }

  @Test(arguments: [Format.jsonLines, .json, .csv])
  func `Losses and errors of records as documents have the paths of the records`(_ format: Format) throws {
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings.values
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let dates: Value = [["when": .date(secondsSince2001: 1)], ["when": .date(secondsSince2001: 2)]]
    let list = try FerryEncoder(to: .binaryPropertyList).encode(dates)
    let records = Records(as: format, from: .bytes(list), settings)
    #expect(try records.results.map { try $0.get() }.count == 2)
    #expect(
      report.withLock { $0 }?.losses.listed.map(\.path.description) == ["[0].when", "[1].when"], "\(format)")
  }

  @Test func `A mistake in a record has the type that its decoder names`() throws {
    struct Aged: Decodable { var age: Int }
    let cursor = Records(of: Aged.self, from: .bytes(#"[{"age":"x"}]"#.utf8, named: "a.json")).makeCursor()
    let error = #expect(throws: DecodingError.self) { try cursor.next() }
    guard case .typeMismatch(let type, _)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(ObjectIdentifier(type) == ObjectIdentifier(Int.self))
  }

  @Test func `Data beside the records is reported`() throws {
    let report = Mutex<Conversion.Report?>(nil)
    var settings = RecordSettings.values
    settings.whenFinished = { found in report.withLock { $0 = found } }
    let records = Records(from: .bytes(#"{"v": 1, "p": [{}]}"#.utf8, named: "a.json"), settings)
    #expect(try records.results.map { try $0.get() } == [[:]])
    #expect(report.withLock { $0 }?.losses.counts.map(\.kind) == [.besideRecords])
  }

  @Test func `Records are documents of another format on request`() throws {
    let xml = "<p><q><name>Ada</name></q><q><name>Grace</name></q></p>"
    let lines = Records(as: .jsonLines, from: .bytes(xml.utf8))
    let text = try lines.results.map { String(decoding: try $0.get(), as: UTF8.self) }
    #expect(text == ["{\"name\":\"Ada\"}\n", "{\"name\":\"Grace\"}\n"])
    let plists = Records(as: .binaryPropertyList, from: .bytes(xml.utf8))
    let values = try plists.results.map { try Value(reading: MemoryInput(try $0.get())) }
    #expect(values == [["name": "Ada"], ["name": "Grace"]])
  }

  @Test(arguments: Format.allCases.filter { $0.description.listLayout == .lines }, [nil, OutputStyle.pretty])
  func `Each record as a document is what a conversion of it alone writes`(
    _ format: Format, _ style: OutputStyle?
  )
    throws
  {
    let values: [Value] = [
      1, "text", [:], ["a": [1, ["b": .null]]], ["when": .date(secondsSince2001: 1), "data": .data([1])],
      [[]],
      ["$ferry": 1, "$value": 2], .real(.nan), ["n": .real(.infinity)], ["c": 3],
    ]
    var writing = WritingOptions(to: format)
    writing.style = style ?? .compact
    let (losses, expectedLosses) = (LossReport(), LossReport())
    let documents = RecordDocuments(writing, readBy: ReadingOptions(), losses)
    for (index, value) in values.enumerated() {
      func written() throws(FerryError) -> [UInt8] {
        let output = MemoryOutput()
        let found = try Conversion(writing: writing).write([value], to: output)
        expectedLosses.add(found) { ValuePath([.index(index)] + $0.steps.dropFirst()) }
        return output.bytes
      }
      let record = FoundRecord(value: value, index: index, location: InputLocation(line: 1 + index))
      let (result, expected) = (
        outcome { () throws(FerryError) in try documents.document(of: record) }, outcome(written)
      )
      switch (result, expected) {
      case (.success(let bytes), .success(let expectedBytes)): #expect(bytes == expectedBytes)
      case (.failure(let error), .failure(let expectedError)):
        #expect(error.reason == expectedError.reason)
        #expect(error.path.steps.first == .index(index))
        #expect(error.location.line == 1 + index)
      default: Issue.record("\(value): \(result), \(expected)")
      }
    }
    #expect(losses.losses == expectedLosses.losses)
    #expect(losses.counts.map(\.kind).contains(.typedLookalike) == (format.description.typedSyntax != nil))
  }

  @Test(.temporaryDirectory) func `Records are read from a file and from a descriptor`() throws {
    let directory = TemporaryDirectory.current
    try directory.write("a.json", "[1, 2]")
    let path = directory.path("a.json")
    #expect(try Records(from: .file(path)).results.map { try $0.get() } == [1, 2])
    let handle = try #require(FileHandle(forReadingAtPath: path))
    let input = try RecordInput.descriptor(handle.fileDescriptor)
    try handle.close()
    #expect(try Records(from: input).results.map { try $0.get() } == [1, 2])
    let pipe = Pipe()
    let records = try Records(
      from: .descriptor(pipe.fileHandleForReading.fileDescriptor, named: "a.jsonl"), .lines)
    let cursor = records.makeCursor()
    // A record is delivered although the pipe stays open.
    try pipe.fileHandleForWriting.write(contentsOf: Array("1\n2\n3".utf8))
    #expect(try cursor.next() == 1)
    #expect(try cursor.next() == 2)
    try pipe.fileHandleForWriting.close()
    #expect(try cursor.next() == 3)
    #expect(try cursor.next() == nil)
  }

  @Test func `A file that does not exist throws at the first record`() {
    let cursor = Records(from: .file("/nowhere/a.json")).makeCursor()
    let error = #expect(throws: FerryError.self) { try cursor.next() }
    #expect(error?.reason == .file(.notFound))
  }

  // MARK: Ends

  /// An endless sequence of lines, which counts them.
  private struct Lines: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = Never
    let count = Counter()

    struct AsyncIterator: AsyncIteratorProtocol {
      let count: Counter
      mutating func next() async -> [UInt8]? { Array("\(count.add())\n".utf8) }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add() -> Int {
      count.withLock {
        $0 += 1
        return $0
      }
    }
    var value: Int { count.withLock { $0 } }
  }

  @Test(
    arguments: [
      (Format.xml, "/p/q", "<p><q><n>1</n></q><q>"), (.json, "p[*]", #"{"p": [{"n": 1}, "#),
      (.json, nil, #"[{"n": 1}, "#),
      (.jsonLines, nil, "{\"n\": 1}\n"), (.csv, nil, "n\n1\n2\n"),
      (.xmlPropertyList, nil, "<plist><array><dict><key>n</key><integer>1</integer></dict><dict>"),
    ] as [(Format, String?, String)])
  func `A record is delivered before the document ends`(
    _ format: Format, _ select: String?, _ beginning: String
  ) async throws {
    struct Late: Error {}
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array(beginning.utf8))
      continuation.finish(throwing: Late())
    }
    struct Number: Decodable { var n: Int }
    var settings = RecordSettings()
    (settings.reading.format, settings.reading.select) = (format, select)
    var iterator = AsyncRecords(of: Number.self, from: chunks, settings).makeAsyncIterator()
    #expect(try await iterator.next()?.n == 1)
  }

  @Test func `No more chunks are requested than the consumer needs`() async throws {
    let lines = Lines()
    var iterator = AsyncRecords(from: lines, .lines).makeAsyncIterator()
    for number in 1...200 { #expect(try await iterator.next() == .integer(Int128(number))) }
    #expect(lines.count.value <= 203)
  }

  /// An exchange that is released when its thread has ended.
  private struct Watched {
    weak let exchange: RecordExchange?
    init(_ exchange: RecordExchange) { self.exchange = exchange }
  }

  private func hasEnded(_ watched: Watched) async throws -> Bool {
    try await eventually { watched.exchange == nil }
  }

  @Test func `Leaving the loop ends the thread`() async throws {
    func left() async throws -> [Watched] {
      var chunks = AsyncRecords(from: Lines(), .lines).makeAsyncIterator()
      _ = try await chunks.next()
      var records = Records(from: .bytes(endless), .lines).makeAsyncIterator()
      _ = try await records.next()
      let cursor = Records(from: .bytes(endless), .lines).makeCursor()
      _ = try cursor.next()
      return [
        Watched(chunks.iteration.exchange), Watched(records.iteration.exchange),
        Watched(cursor.iteration.exchange),
      ]
    }
    for _ in 0..<20 {
      for watched in try await left() { #expect(try await hasEnded(watched)) }
    }
  }

  @Test func `Canceling the task ends the loop and the thread`() async throws {
    let endless = endless
    let task = Task { () async throws -> Watched in
      var iterator = Records(from: .bytes(endless), .lines).makeAsyncIterator()
      let watched = Watched(iterator.iteration.exchange)
      await #expect(throws: CancellationError.self) { while try await iterator.next() != nil {} }
      #expect(try await iterator.next() == nil)
      return watched
    }
    task.cancel()
    #expect(try await hasEnded(task.value))
    let (requests, request) = AsyncStream<Void>.makeStream()
    let waiting = Task { () async throws in
      // The first chunk comes only when the task is canceled.
      let chunks = AsyncStream<[UInt8]>(unfolding: {
        request.yield()
        try? await Task.sleep(for: .seconds(3600))
        return nil
      })
      var iterator = AsyncRecords(from: chunks, .lines).makeAsyncIterator()
      while try await iterator.next() != nil {}
    }
    for await _ in requests { break }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `Reading takes time in proportion to the number of records`() throws {
    // 20,000 batches. A cost that grew with their number would be that of 200 million steps.
    let count = 1_280_000
    let lines = Array(String(repeating: "1\n", count: count).utf8)
    let found = try expectProcessorTime(atMost: .seconds(30)) {
      let cursor = Records(from: .bytes(lines), .lines).makeCursor()
      var found = 0
      while try cursor.next() != nil { found += 1 }
      return found
    }
    #expect(found == count)
  }

  @Test func `An error of the chunks ends the loop after the records before it`() async throws {
    struct Lost: Error {}
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(Array("1\n2\n".utf8))
      continuation.finish(throwing: Lost())
    }
    var iterator = AsyncRecords(from: chunks, .lines).makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
    await #expect(throws: Lost.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  private var endless: [UInt8] { Array(String(repeating: "{\"a\":[1,2,3]}\n", count: 20_000).utf8) }
}

extension RecordSettings {
  /// The settings for values in JSON Lines.
  fileprivate static var lines: RecordSettings {
    var settings = RecordSettings.values
    settings.reading.format = .jsonLines
    return settings
  }
}

/// The bytes of a file in chunks of a size.
private struct Chunks: AsyncSequence, Sendable {
  typealias Element = ArraySlice<UInt8>
  typealias Failure = Never
  let bytes: [UInt8]
  let size: Int

  init(_ bytes: [UInt8], size: Int) { (self.bytes, self.size) = (bytes, size) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<UInt8>
    let size: Int
    mutating func next() async -> ArraySlice<UInt8>? {
      defer { rest = rest.dropFirst(size) }
      return rest.isEmpty ? nil : rest.prefix(size)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bytes[...], size: size) }
}
