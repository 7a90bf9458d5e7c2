import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `classes of one's own` {
  private static let classes = """
    {"ferry": 1, "classes": [{"class": "Person", "fields": [
      {"name": "given", "archiveKey": "first", "type": "string"},
      {"name": "family", "archiveKey": "last", "type": "string"}]}]}
    """

  private func makeArchive() async throws {
    try directory.write("folks.xml", folks)
    try directory.write("classes.json", Self.classes)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "folks.archive"))
  }

  @Test func `are converted by their meaning`() async throws {
    try await makeArchive()
    let run = try await ToolRun.ferry(
      "convert", "folks.archive", "--schema", "none", "--classes", "classes.json", "--to", "json", "--quiet")
    expectQuiet(run)
    #expect(
      run.output == """
        [{"given":"Matt","family":"Neuburg"},{"given":"Snidely","family":"Whiplash"},\
        {"given":"Dudley","family":"Doright"}]

        """)
  }

  @Test func `are shown by their meaning`() async throws {
    try await makeArchive()
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "classes.json")
    expectQuiet(run)
    #expect(
      run.output.hasPrefix(
        """
        [
          Person { given: "Matt", family: "Neuburg" }

        """))
  }

  @Test func `may be in a file of any format`() async throws {
    try await makeArchive()
    expectQuiet(try await ToolRun.ferry("convert", "classes.json", "-o", "classes.plist"))
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "classes.plist")
    expectQuiet(run)
    #expect(run.output.contains("given: \"Matt\""))
  }

  @Test func `are refused with the place of what is wrong`() async throws {
    try await makeArchive()
    try directory.write("wrong.json", #"{"ferry": 1, "classes": [{"class": "Person"}]}"#)
    let run = try await ToolRun.ferry("show", "folks.archive", "--classes", "wrong.json")
    expectFailure(
      run,
      "wrong.json: invalid file of classes: a class has either fields or a value (at classes[0])")
  }
}
