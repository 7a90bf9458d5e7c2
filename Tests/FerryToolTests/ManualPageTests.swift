import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Manual pages` {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Packaging/manual-pages.py").standardizedFileURL.path

  @Test func `Every command has a manual page without warnings of groff`() async throws {
    let made = try await ToolRun.shell(
      "ferry --experimental-dump-help | python3 '\(Self.script)' pages 1.2.3")
    #expect(made.status == 0, "\(made.errors)")
    let names =
      Help.commands.map { $0.isEmpty ? "ferry.1" : "ferry-\($0).1" }
      + ["infer", "check", "show", "list"].map { "ferry-schema-\($0).1" }
    let found = try await ToolRun.shell("ls pages").output.split(separator: "\n").map(String.init)
    #expect(Set(found) == Set(names))
    let checked = try await ToolRun.shell("for page in pages/*.1; do groff -man -Tutf8 -ww -z $page; done")
    #expect(checked.errors == "", "\(checked.errors)")
    let page = try await ToolRun.shell("groff -man -Tascii -P-cbou pages/ferry-get.1")
    #expect(page.output.contains("ferry-get - Print the values at paths"), "\(page.output)")
    #expect(page.output.contains("ferry 1.2.3"), "\(page.output)")
    #expect(page.output.contains("--bytes"), "\(page.output)")
    let inner = try await ToolRun.shell("groff -man -Tascii -P-cbou pages/ferry-schema-infer.1").output
    for text in ["ferry-schema-infer - Write a schema for the records of files", "--name", "ferry-schema(1)"]
    {
      #expect(inner.contains(text), "\(inner)")
    }
  }

  @Test func `A manual page names the default of each option once`() async throws {
    let made = try await ToolRun.shell("ferry --experimental-dump-help | python3 '\(Self.script)' pages")
    #expect(made.status == 0, "\(made.errors)")
    let text = try directory.text("pages/ferry-convert.1")
    #expect(text.contains("One of: keep, strip, expand.\nDefault: keep.\n"), "\(text)")
    #expect(text.contains("Default: 131072.\n"), "\(text)")
    #expect(text.contains("(default: found).\n") && !text.contains("(default: found).\nDefault:"), "\(text)")
  }
}
