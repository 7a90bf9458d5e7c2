import TestSupport
import Testing

@testable import Ferry

@Suite struct `Joined conversions` {
  private func join(
    _ inputs: [(name: String, text: String)], _ conversion: Conversion
  ) throws -> (text: String, reports: [Conversion.Report]) {
    let output = MemoryOutput()
    let joined = JoinedConversion(conversion, to: output)
    for input in inputs { try joined.add(MemoryInput(Array(input.text.utf8)), named: input.name) }
    let reports = try joined.finish()
    return (String(decoding: output.bytes, as: UTF8.self), reports)
  }

  @Test func `The records of inputs in several formats become one list`() throws {
    let (text, reports) = try join(
      [
        ("a.xml", "<people><person><name>Ada</name></person><person><name>Grace</name></person></people>"),
        ("b.csv", "name\nAlan\n"), ("c.jsonl", ""), ("d.json", #"{"name":"Emmy"}"#), ("e.json", "[[1],{}]"),
      ], Conversion(to: .json))
    #expect(
      text == #"[{"name":"Ada"},{"name":"Grace"},{"name":"Alan"},{"name":"Emmy"},[1],{}]"# + "\n", "\(text)")
    #expect(reports.map(\.source) == [.xml, .csv, .jsonLines, .json, .json])
  }

  @Test func `Without inputs the output is an empty list`() throws {
    #expect(try join([], Conversion(to: .json)).text == "[]\n")
  }

  @Test func `Records of several versions get one dictionary with the newest version`() throws {
    var conversion = Conversion(to: .json)
    conversion.reading.schema = try Schema(
      Value(
        reading: MemoryInput(
          Array(
            """
            {"ferry":1,"name":"p","version":2,"collection":{"element":"ps","key":"ps","version":"v"},
             "fields":[{"name":"n","type":"integer"}]}
            """.utf8)), named: "s.json"))
    let inputs = [
      ("a.json", #"{"v":1,"ps":[{"n":1}],"z":0}"#), ("b.csv", "n\n2\n"),
      ("c.xml", "<ps v=\"2\"><p><n>3</n></p></ps>"),
    ]
    let (text, reports) = try join(inputs, conversion)
    #expect(text == #"{"v":2,"ps":[{"n":1},{"n":2},{"n":3}]}"# + "\n", "\(text)")
    #expect(reports.map { $0.losses.listed.map(\.path.description) } == [["z"], [], []])
    conversion.writing.format = .jsonLines
    let lines = try join(inputs, conversion)
    #expect(lines.text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n", "\(lines.text)")
  }

  @Test func `No input can follow one of which a part has been written`() throws {
    let output = MemoryOutput()
    let joined = JoinedConversion(Conversion(to: .json), to: output)
    try joined.add(MemoryInput(Array("[1]".utf8)))
    #expect(throws: FerryError.self) { try joined.add(MemoryInput(Array("".utf8)), named: "empty.json") }
    #expect(joined.isIntact)
    #expect(throws: FerryError.self) { try joined.add(MemoryInput(Array("[2,x]".utf8))) }
    #expect(!joined.isIntact)
    #expect(throws: FerryError.self) { try joined.add(MemoryInput(Array("[3]".utf8))) }
    #expect(throws: FerryError.self) { try joined.finish() }
  }
}
