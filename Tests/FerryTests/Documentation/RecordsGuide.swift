import Ferry
import Synchronization
import TestSupport
import Testing

/// The examples in `ReadingRecords.md`.
@Suite(.temporaryDirectory) struct `The guide to records` {
  struct Person: Codable {
    var name: String
    var age: Int?
  }

  private final class Problems: Sendable {
    private let errors = Mutex<[FerryError]>([])
    func add(_ more: [FerryError]) { errors.withLock { $0 += more } }
    var all: [FerryError] { errors.withLock { $0 } }
  }

  private var printed = Printed()
  private let source: String
  private let target: String
  private static let xml =
    "<people><person><name>Ada</name><age>36</age></person><person><name>Grace</name><age>85</age></person></people>"

  init() throws {
    let folder = TemporaryDirectory.current
    (source, target) = (folder.path("people.xml"), folder.path("people.csv"))
    try folder.write("people.xml", Self.xml)
  }

  @Test func `A file is read in a loop`() async throws {
    for try await person in Records(of: Person.self, from: .file(source)) {
      print(person.name)  // Ada, then Grace
    }
    #expect(printed.text == "Ada\nGrace")
  }

  @Test func `A file is read with a cursor`() throws {
    let people = Records(of: Person.self, from: .file(source)).makeCursor()
    while let person = try people.next() { print(person.name) }
    #expect(printed.text == "Ada\nGrace")
  }

  @Test func `Records with errors are left out`() async throws {
    let (problems, lines) = (Problems(), "{\"name\":\"Ada\"}\n{\"name\":1}\n".utf8)
    var settings = RecordSettings()
    settings.keepsGoing = true
    settings.whenFinished = { report in problems.add(report.errors) }
    for try await person in Records(of: Person.self, from: .bytes(lines, named: "people.jsonl"), settings) {
      print(person.name)  // Ada
    }
    #expect(printed.text == "Ada")
    #expect(problems.all.map(\.location.line) == [2])
  }

  @Test func `A body is read as it arrives`() async throws {
    let body = AsyncStream { continuation in
      for byte in Self.xml.utf8 { continuation.yield([byte]) }
      continuation.finish()
    }
    var settings = RecordSettings.values
    settings.reading.format = .xml
    settings.reading.select = "/people/person"
    for try await line in AsyncRecords(as: .jsonLines, from: body, settings) {
      print(String(decoding: line, as: UTF8.self))  // {"name":"Ada","age":"36"}
    }
    #expect(printed.text == #"{"name":"Ada","age":"36"}"# + "\n" + #"{"name":"Grace","age":"85"}"#)
  }

  @Test func `Records are written`() throws {
    var writer = try RecordWriter(to: .csv, path: target)
    for person in [Person(name: "Ada", age: 36), Person(name: "Grace", age: 85)] { try writer.write(person) }
    try writer.finish()
    #expect(try TemporaryDirectory.current.text("people.csv") == "name,age\nAda,36\nGrace,85\n")
  }

  private func print(_ items: Any...) { printed.add(items) }
}
