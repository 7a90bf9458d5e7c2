import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `An output that cannot be written` {
  /// Command lines that write to the standard output: all commands, help, the version, and completions.
  static let lines = [
    "--help", "--version", "help convert", "convert --help", "merge --help-hidden",
    "--generate-completion-script bash", "",
    "convert a.json --to json", "convert a.json b.json --to jsonl", "show a.json", "show a.json b.json",
    "inspect a.json", "inspect --summary --json .", "get a.json", "get a.json n --to json",
    "set a.json n 2 -o -", "insert a.json m 2 -o -", "remove a.json n -o -",
    "rename p.pplgrp --class Person=App.Person --dry-run", "rename - --class Person=App.Person < p.pplgrp",
    "merge a.json a.json b.json", "formats", "formats --info-plist people-group",
    "seed made.json --from a.json",
  ]

  private func writeFiles() async throws {
    try directory.write("a.json", #"{"n":1}"#)
    try directory.write("b.json", #"{"n":2}"#)
    try directory.write("folks.xml", folks)
    expectQuiet(try await .ferry("convert", "folks.xml", "-o", "p.pplgrp"))
  }

  @Test func `A full output is an error of every command, also of help`() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      try Test.cancel("there is no /dev/full")
    }
    try await writeFiles()
    for line in Self.lines {
      try? FileManager.default.removeItem(atPath: directory.path("made.json"))
      let run = try await ToolRun.shell("ferry \(line) > /dev/full")
      #expect(run.status == 1, "\(line)")
      let errors = Set(run.errors.split(separator: "\n"))
      #expect(errors.contains("standard output: no space left on device"), "\(line): \(errors)")
    }
  }

  @Test func `An output that its reader has closed is not an error of any command`() async throws {
    try await writeFiles()
    for line in Self.lines {
      try? FileManager.default.removeItem(atPath: directory.path("made.json"))
      // The pipe has a reader that has closed it before the command begins.
      let run = try await ToolRun.shell(
        "rm -f pipe; mkfifo pipe; (exec 3< pipe) & exec 4> pipe; wait; ferry \(line) >&4")
      #expect(run.status == 0, "\(line)")
      #expect(run.errors == "", "\(line)")
    }
  }

  @Test func `A closed output does not hide that an input has failed`() async throws {
    try await writeFiles()
    try directory.write("bad.json", "{")
    for line in ["show bad.json a.json", "convert bad.json a.json --to jsonl", "inspect bad.json a.json"] {
      let run = try await ToolRun.shell(
        "rm -f pipe; mkfifo pipe; (exec 3< pipe) & exec 4> pipe; wait; ferry \(line) >&4")
      #expect(run.status == 1, "\(line)")
      #expect(run.errors.hasPrefix("bad.json:"), "\(line): \(run.errors)")
    }
  }
}
