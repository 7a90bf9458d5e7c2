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

  @Test(arguments: [("set a.json n 2", "a.json"), ("convert a.json -o b.plist", "b.plist")])
  func `A file beyond the limit for its size is an error, and leaves no temporary file`(
    _ line: String, name: String
  ) async throws {
    let text = #"{"n":1,"text":"\#(String(repeating: "x", count: 50_000))"}"#
    try directory.write("a.json", text)
    expectFailure(try await .shell("ulimit -f 16; ferry \(line)"), "\(name): file too large")
    #expect(try directory.names() == ["a.json"])
    #expect(try directory.text("a.json") == text)
  }

  @Test(arguments: 4...8)
  func `A process that may open few files ends with an error, and not by a signal`(_ limit: Int) async throws
  {
    try directory.write("a.json", #"{"n":1}"#)
    for line in ["get a.json n", "set a.json n 2"] {
      let closing = (3..<8).map { "\($0)>&-" }.joined(separator: " ")
      let run = try await ToolRun.shell("exec \(closing); ulimit -n \(limit); exec ferry \(line)")
      #expect(run.status <= 1, "\(line): \(run)")
      #expect(run.status == 0 || run.errors == "a.json: too many open files\n", "\(line): \(run)")
    }
    #expect(try directory.names() == ["a.json"])
  }

  /// Runs a command line whose standard output has a reader that has closed it before the command begins.
  private func runUnread(_ line: String) async throws -> ToolRun {
    try await ToolRun.shell(
      "rm -f pipe; mkfifo pipe; (exec 3< pipe) & exec 4> pipe; wait; ferry \(line) >&4")
  }

  @Test func `An output that its reader has closed ends every command as SIGPIPE does, without a message`()
    async throws
  {
    try await writeFiles()
    // Commands whose exit status is an answer, which they have not found.
    let others = [
      "check a.json", "check a.json bad.json", "check a.json --json", "check a.json b.json bad.json",
      "find n a.json bad.json", "find -c x a.json", "diff a.json b.json", "diff --json a.json a.json",
      "convert a.json bad.json --to jsonl", "convert a.json b.json --to jsonl --out-dir out --dry-run",
      "schema check --json --schema person a.json", "schema list",
      "plutil -p a.json", "plutil -convert json -o - a.json", "plistbuddy -c Print n.plist",
    ]
    try directory.write("n.plist", "{ n = 1; }")
    for line in Self.lines + others {
      try? FileManager.default.removeItem(atPath: directory.path("made.json"))
      if line == others.first { try directory.write("bad.json", "{") }
      let run = try await runUnread(line)
      #expect(run.status == 141, "\(line)")
      #expect(run.errors == "", "\(line)")
    }
  }

  @Test func `A closed output does not hide that an input has failed before`() async throws {
    try await writeFiles()
    try directory.write("bad.json", "{")
    for line in [
      "show bad.json a.json", "convert bad.json a.json --to jsonl", "inspect bad.json a.json",
      "check bad.json a.json",
    ] {
      let run = try await runUnread(line)
      #expect(run.status == 141, "\(line)")
      #expect(run.errors.hasPrefix("bad.json:"), "\(line): \(run.errors)")
    }
  }

  @Test func `A closed output changes no status of a command that prints nothing`() async throws {
    try await writeFiles()
    try directory.write("bad.json", "{")
    for (line, status) in [
      ("check -q a.json", 0), ("check -q bad.json", 1), ("diff -q a.json b.json", 1), ("find x a.json", 1),
      ("diff a.json bad.json", 2), ("convert a.json -o a.plist", 0), ("set a.json n 2", 0),
    ] {
      #expect(try await runUnread(line).status == status, "\(line)")
    }
  }

  @Test func `PlistBuddy changes the file and plutil reads the others after the output was closed`()
    async throws
  {
    try directory.write("a.plist", "{ n = 1; }")
    try directory.write("bad.plist", "<plist>")
    let edited = try await runUnread("plistbuddy -c Print -c 'Set :n 2' a.plist")
    #expect(edited.status == 141)
    #expect(try await ToolRun.ferry("get", "a.plist", "n").output == "2\n")
    let checked = try await runUnread("plutil -lint a.plist bad.plist")
    #expect(checked.status == 141)
    #expect(checked.errors.hasPrefix("bad.plist: "), "\(checked.errors)")
  }
}
