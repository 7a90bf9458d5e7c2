import Synchronization
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Split inputs` {
  /// The texts of the records, and their paths.
  private final class Found: Sendable {
    let records = Mutex<[(text: String, path: String)]>([])
  }

  private func split(_ text: String, named name: String, _ conversion: Conversion) throws -> [(
    text: String, path: String
  )] {
    let found = Found()
    try conversion.split(MemoryInput(Array(text.utf8)), named: name) { record throws(FerryError) in
      let output = MemoryOutput()
      try record.write(to: output)
      let text = String(decoding: output.bytes, as: UTF8.self)
      found.records.withLock { $0.append((text, record.path.description)) }
    }
    return found.records.withLock { $0 }
  }

  @Test func `Each record becomes a document`() throws {
    let records = try split(
      "<people><person><name>Ada</name></person><person><name>Grace</name></person></people>", named: "a.xml",
      Conversion(to: .json))
    #expect(records.map(\.text) == ["{\"name\":\"Ada\"}\n", "{\"name\":\"Grace\"}\n"])
    #expect(records.map(\.path) == ["[0]", "[1]"])
  }

  @Test func `A document without a list is one record`() throws {
    let records = try split(#"{"name":"Ada"}"#, named: "a.json", Conversion(to: .csv))
    #expect(records.map(\.text) == ["name\nAda\n"])
    #expect(records.count == 1)
    #expect(try split("[]", named: "a.json", Conversion(to: .csv)).isEmpty)
  }

  @Test func `The error of a record has its path, and ends the reading`() throws {
    let found = Found()
    let error = #expect(throws: FerryError.self) {
      try Conversion(to: .csv).split(MemoryInput(Array("[{\"a\":1},2,{\"a\":3}]".utf8))) {
        record throws(FerryError) in
        guard record.index == 0 else { throw FerryError(.file(.noNameInRecord("a")), path: record.path) }
        found.records.withLock { $0.append(("", "")) }
      }
    }
    #expect(error?.path == "[1]")
    #expect(found.records.withLock { $0.count } == 1)
  }
}
