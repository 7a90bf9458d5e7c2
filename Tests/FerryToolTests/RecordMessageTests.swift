import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Errors of values that are not records` {
  /// An archive of one object of a class that no schema knows.
  private static var state: [UInt8] {
    var archive = ArchiveInMaking()
    archive.add(references: ["next": 0], type: 2)
    archive.addClass("State", "NSObject")
    return archive.file
  }

  @Test(arguments: ["json", "xml", "archive"])
  func `The error of a value that is not a record names its class`(format: String) async throws {
    try directory.write("state.archive", Self.state)
    let run = try await ToolRun.ferry("convert", "state.archive", "--schema", "person", "--to", format)
    #expect(run.status == 1)
    #expect(run.errors.contains("expected a person, found a State"), "\(run.errors)")
  }

  @Test func `Records that were left out are reported before the error that ends the conversion`()
    async throws
  {
    let good = "<person><firstName>A</firstName><lastName>B</lastName></person>"
    try directory.write("a.xml", "<people>\(good)<person/><alien/></people>")
    let run = try await ToolRun.ferry("convert", "a.xml", "--to", "json", "--keep-going", "-o", "a.json")
    let skipped = """
      a.xml:1:72: the person has no firstName (at [1])
      a.xml:1:81: expected a <person>, found <alien> (at [2])

      """
    #expect(run.errors == skipped)
    #expect(try directory.text("a.json") == "[{\"firstName\":\"A\",\"lastName\":\"B\"}]\n")
    try directory.write("b.xml", "<people>\(good)<person/><alien/>")
    for output in ["b.json", "b.pplgrp"] {
      let cut = try await ToolRun.ferry("convert", "b.xml", "--keep-going", "-o", output, "--report", "-")
      #expect(cut.status == 1)
      #expect(
        cut.errors == skipped.replacing("a.xml", with: "b.xml")
          + "b.xml:1:89: the document ends inside <people> (at [3])\n")
      let codes = cut.output.matches(of: #/"code": "([^"]+)"/#).map { String($0.1) }
      #expect(codes == ["record.missing-field", "record.not-a-record", "xml.not-well-formed"])
    }
    #expect(try directory.names() == ["a.json", "a.xml", "b.xml"])
  }

  @Test(arguments: [
    ("//name", "3:9: <name>"), ("/r/people", "2:1: <people>"), ("(/r/people)", "2:1: <people>"),
  ])
  func `A selected element that is not a record of the schema is named with what to select`(
    _ xpath: String, _ found: String
  ) async throws {
    try directory.write(
      "s.json",
      #"{"ferry":1,"name":"person","collection":{"element":"people"},"fields":[{"name":"name"}]}"#)
    try directory.write(
      "p.xml", "<r>\n<people>\n<person><name>A</name></person>\n</people></r>")
    let run = try await ToolRun.ferry(
      "convert", "p.xml", "--select", xpath, "--schema", "s.json", "--to", "json")
    expectFailure(
      run,
      "p.xml:\(found) is selected, but the schema's record is <person> (select the records, as with --select //person) (at [0])"
    )
    let records = try await ToolRun.ferry(
      "convert", "p.xml", "--select", "//person", "--schema", "s.json", "--to", "json")
    #expect(records.output == #"[{"name":"A"}]"# + "\n", "\(records)")
  }

  @Test func `The error of a value that is not a record has the article of the record`() async throws {
    try directory.write("state.archive", Self.state)
    let run = try await ToolRun.ferry("convert", "state.archive", "--schema", "item", "--to", "json")
    #expect(run.errors.contains("expected an item, found a State"), "\(run.errors)")
  }
}
