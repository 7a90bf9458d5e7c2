import Foundation
import TestSupport
import Testing

private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  .standardizedFileURL.path

/// The sessions that pages show: command lines after `$ `, each with what it prints.
@Suite(.temporaryDirectory) struct `The documentation` {
  private struct Session {
    var commands: [(line: String, printed: String)] = []
  }

  private static func sessions(in page: String) throws -> [Session] {
    let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
    return text.components(separatedBy: "```console\n").dropFirst().map { rest in
      var session = Session()
      for line in (rest.components(separatedBy: "```").first ?? "").split(separator: "\n") {
        if line.hasPrefix("$ ") {
          session.commands.append((String(line.dropFirst(2)), ""))
        } else if !session.commands.isEmpty {
          session.commands[session.commands.count - 1].printed += line + "\n"
        }
      }
      return session
    }
  }

  private func makeFiles() async throws {
    let run = try await ToolRun.shell("ln -s '\(root)/Examples' Examples")
    #expect(run.status == 0)
  }

  @Test(arguments: [
    "README.md", "Documentation/CSV.md", "Documentation/Classes.md", "Documentation/Documents.md",
    "Documentation/Diff.md", "Documentation/Editing.md", "Documentation/Encodings.md",
    "Documentation/Files.md", "Documentation/Formats.md", "Documentation/Inspecting.md",
    "Documentation/JSON.md", "Documentation/Merging.md", "Documentation/Paths.md",
    "Documentation/Preferences.md", "Documentation/PropertyListUtilities.md", "Documentation/Reports.md",
    "Documentation/Schemas.md", "Documentation/Seeding.md", "Documentation/Stores.md",
    "Documentation/TypedForm.md", "Documentation/XML.md", "Documentation/YAML.md",
  ])
  func `The documentation shows sessions as they happen`(page: String) async throws {
    try await makeFiles()
    let sessions = try Self.sessions(in: page)
    #expect(!sessions.isEmpty)
    for command in sessions.flatMap(\.commands) {
      let run = try await ToolRun.shell("exec 2>&1; \(command.line)")
      #expect(run.output == command.printed, "\(page): \(command.line)")
    }
  }

  @Test func `The documentation begins on a page of three screens, and its links lead to pages and sections`()
    throws
  {
    let readme = try String(contentsOfFile: "\(root)/README.md", encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
    let pages = try FileManager.default.contentsOfDirectory(atPath: root + "/Documentation")
      .filter { $0.hasSuffix(".md") }
    let contents = try String(contentsOfFile: "\(root)/Documentation/README.md", encoding: .utf8)
    for page in pages where page != "README.md" {
      #expect(contents.contains("](\(page))"), "Documentation/README.md does not list \(page)")
    }
    for page in ["README.md"] + pages.map({ "Documentation/\($0)" }) {
      let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
      let folder = "\(root)/\(page)".split(separator: "/").dropLast().joined(separator: "/")
      for link in text.matches(of: #/\]\(([^)#:]+)(?:#[^)]*)?\)/#) {
        let target = "/\(folder)/\(link.1)"
        #expect(FileManager.default.fileExists(atPath: target), "\(page): \(link.1)")
      }
    }
  }
}
