import Ferry
import TestSupport
import Testing

/// The examples in `StreamingLargeFiles.md`.
@Suite(.temporaryDirectory) struct `The guide to streaming` {
  final class PersonReader: ElementDelegate {
    private let first = TextDelegate()
    private let last = TextDelegate()
    var report: (String, String) -> Void = { _, _ in }

    override init() {
      super.init()
      handle("firstName", with: first)
      handle("lastName", with: last)
    }

    override func didEnd() { report(first.text, last.text) }
  }

  final class KeyCounter: ForwardingSink {
    private(set) var count = 0

    override func key(_ text: BorrowedText) throws(FerryError) {
      count += 1
      try next.key(text)
    }
  }

  private var printed = Printed()
  private let source: String
  private let target: String

  init() throws {
    let folder = TemporaryDirectory.current.path
    (source, target) = ("\(folder)/people.xml", "\(folder)/people.jsonl")
    let output = try FileOutput(path: source)
    try output.write(
      "<people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person></people>".utf8.span)
    try output.commit()
  }

  @Test func `A file is converted to another as a stream`() throws {
    let input = try FileInput(path: source)
    let output = try FileOutput(path: target)
    var conversion = Conversion(to: .jsonLines)
    conversion.reading.schema = .person
    _ = try conversion.convert(input, to: output)
    try output.commit()
    let written = try FileInput(path: target).readAll()
    #expect(String(decoding: written, as: UTF8.self) == #"{"firstName":"Matt","lastName":"Neuburg"}"# + "\n")
  }

  @Test func `A stream is read with delegates`() throws {
    var names: [String] = []
    let person = PersonReader()
    person.report = { first, last in names.append("\(first) \(last)") }
    let people = ElementDelegate()
    people.handle("person", with: person)
    let document = ElementDelegate()
    document.handle("people", with: people)
    let stream = try XMLStream(document: document)
    try FileInput(path: source).forEachChunk { chunk in try stream.read(chunk) }
    try stream.finish()
    #expect(names == ["Matt Neuburg"])
  }

  @Test func `A stream is read with a sink`() throws {
    let counter = KeyCounter(to: JSONWriter(to: MemoryOutput()))
    try JSONReader(into: counter).readAll(#"{"a": {"b": 1}}"#.utf8.span)
    print(counter.count)  // 2
    #expect(printed.text == "2")
  }

  @Test func `A value is written as events`() throws {
    let list = try FileOutput(path: target)
    try Conversion(to: .json).write(to: list) { sink in
      try sink.beginArray(count: nil)
      for name in try allNames() { try sink.string(name) }
      try sink.endArray()
    }
    try list.commit()
    let written = try FileInput(path: target).readAll()
    #expect(String(decoding: written, as: UTF8.self) == #"["Ada","Grace"]"# + "\n")
  }

  private func allNames() throws -> [String] { ["Ada", "Grace"] }
  private func print(_ items: Any...) { printed.add(items) }
}
