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

  @Test func `The error of a value that is not a record has the article of the record`() async throws {
    try directory.write("state.archive", Self.state)
    let run = try await ToolRun.ferry("convert", "state.archive", "--schema", "item", "--to", "json")
    #expect(run.errors.contains("expected an item, found a State"), "\(run.errors)")
  }
}
