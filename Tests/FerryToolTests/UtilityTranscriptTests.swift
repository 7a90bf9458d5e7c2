import Foundation
import TestSupport
import Testing

private let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../FerryTests/Fixtures/utilities").standardizedFileURL.path

/// A session at a shell, as a text: files, and commands with what they print.
///
///     > a.plist                       a file, whose lines follow after "| "
///     | { a = b; }
///     $ plutil -p a.plist             a command, and its standard output
///     {
///       "a" => "b"
///     }
///     ! …                             a line of its standard error
///     ? 1                             its exit status, if it is not 0
private struct Transcript {
  struct Step {
    let line: String
    var output = ""
    var errors = ""
    var status = 0
    /// The files that are written before the command.
    var files: [(name: String, text: String)] = []
  }

  private(set) var steps: [Step] = []

  init(_ text: String) {
    var files: [(name: String, text: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let rest = String(line.dropFirst(2))
      switch line.prefix(2) {
      case "# ": break
      case "> ": files.append((rest, ""))
      case "| " where !files.isEmpty: files[files.count - 1].text += rest + "\n"
      case "$ ":
        steps.append(Step(line: rest, files: files))
        files = []
      case "! " where !steps.isEmpty: steps[steps.count - 1].errors += rest + "\n"
      case "? " where !steps.isEmpty: steps[steps.count - 1].status = Int(rest) ?? -1
      default: if !steps.isEmpty { steps[steps.count - 1].output += line + "\n" }
      }
    }
  }
}

@Suite(.temporaryDirectory) struct `Transcripts of property list utilities` {
  private static func transcript(_ name: String) throws -> Transcript {
    Transcript(try String(contentsOfFile: "\(fixtures)/\(name)", encoding: .utf8))
  }

  /// Runs the commands of a transcript with the utilities in `PATH` under their names on macOS.
  private func run(_ transcript: Transcript) async throws {
    try directory.makeDirectory("bin")
    for name in ["plutil", "PlistBuddy"] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("bin/\(name)"), withDestinationPath: ToolRun.path)
    }
    try directory.makeDirectory("work")
    for step in transcript.steps {
      for (name, text) in step.files { try directory.write("work/\(name)", text) }
      let run = try await ToolRun.shell(
        "export TZ=UTC PATH=\"$PWD/bin:$PATH\"; cd work; \(step.line)")
      let folder = URL(filePath: directory.path("work")).resolvingSymlinksInPath().path
      let output = String(decoding: run.bytes, as: UTF8.self).replacingOccurrences(of: folder, with: "/work")
      let shown = output.isEmpty || output.hasSuffix("\n") ? output : output + "\n"
      #expect(shown == step.output, "\(step.line)")
      #expect(run.errors.replacingOccurrences(of: folder, with: "/work") == step.errors, "\(step.line)")
      #expect(run.status == step.status, "\(step.line)")
    }
  }

  @Test(arguments: ["plutil.txt", "plistbuddy.txt", "scripts.txt"])
  func `Commands print what their transcript says`(_ name: String) async throws {
    let transcript = try Self.transcript(name)
    #expect(!transcript.steps.isEmpty)
    try await run(transcript)
  }

  @Test func `The transcripts have at least 120 runs of the utilities`() throws {
    let lines = try ["plutil.txt", "plistbuddy.txt", "scripts.txt"].flatMap {
      try Self.transcript($0).steps.map(\.line)
    }
    let runs = lines.filter {
      $0.contains("plutil") || $0.contains("PlistBuddy") || $0.contains("plistbuddy")
    }
    #expect(runs.count >= 120)
  }
}
