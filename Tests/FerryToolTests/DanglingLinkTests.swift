import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Symbolic links to nothing` {
  @Test(arguments: [
    "get LINK a", "show LINK", "inspect LINK", "convert LINK --to json", "convert -i LINK --to json",
    "set LINK a 1", "insert LINK a 1", "remove LINK a", "set LINK a 1 -o new", "edit LINK",
    "rename LINK --class A=B", "merge LINK LINK LINK -o new",
  ])
  func `A command reports a symbolic link to nothing as a missing file`(_ command: String) async throws {
    for link in ["d.json", "d.pplgrp", "d.mystuff"] {
      let line = command.replacing("LINK", with: link)
      // A search that does not end would use up its processor time.
      let run = try await ToolRun.shell(
        "ln -s gone \(link); ulimit -t 20; EDITOR=true ferry \(line) </dev/null; r=$?; rm \(link); exit $r")
      #expect(run.status == 1, "\(line): \(run.errors)")
      #expect(run.errors.contains("no such file or directory"), "\(line): \(run.errors)")
      #expect(try directory.names() == [])
    }
  }

  @Test func `A document that does not exist yet is written through a symbolic link`() async throws {
    try directory.write("a.json", #"[{"a":1}]"#)
    expectQuiet(try await .shell("ln -s new.json d.json; ferry convert a.json --to json --pretty -o d.json"))
    #expect(try directory.names() == ["a.json", "d.json", "new.json"])
  }
}
