import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Scripts` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scripts").standardizedFileURL.path

  @Test func `A script finds its arguments in the folder in which it is called`() async throws {
    try directory.write("a page.md", "A word.\n")
    try directory.write("another.md", "A colour.\n")
    let run = try await ToolRun.shell("'\(Self.folder)/lint-words.sh' 'a page.md' another.md")
    #expect(run.status == 1 && run.errors == "", "\(run.errors)")
    #expect(
      run.output.hasSuffix("/another.md:1: \"colour\" in the documentation: color\n1 to reword\n"),
      "\(run.output)")
  }
}
