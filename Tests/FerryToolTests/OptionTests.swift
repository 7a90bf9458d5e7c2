import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Options` {
  /// The options with two meanings, each with its commands.
  private static let twofold: [String: [Set<String>]] = [
    "class": [["find"], ["convert", "rename", "seed"]],
    "count": [["find"], ["get"]],
    "dry-run": [["set", "insert", "remove", "patch"], ["rename"], ["convert"]],
    "force": [
      ["convert", "get", "merge", "show", "diff"], ["set", "insert", "remove", "edit", "rename", "patch"],
    ],
    "form": [["convert", "show"], ["get", "set", "insert", "remove", "patch"]],
    "from": [
      [
        "convert", "show", "inspect", "check", "find", "diff", "get", "set", "insert", "remove", "merge",
        "patch",
      ],
      ["seed"],
    ],
    "git": [["diff"], ["merge"]],
    "json": [["inspect"], ["check"], ["find"], ["diff"]],
    "keys": [["find"], ["get"]],
    "key": [["rename"], ["find"], ["diff", "merge", "seed"]],
    "output": [["convert", "get", "merge", "show", "diff"], ["set", "insert", "remove", "edit", "patch"]],
    "recursive": [["convert"], ["check", "diff", "find", "inspect"]],
    "report": [["convert"], ["merge"]],
    "type": [["find"], ["set", "insert"], ["get"]],
    "to": [["convert"], ["get", "merge", "seed"]],
  ]

  @Test func `An option has one help text in all commands, unless it has two meanings`() async throws {
    let commands = try await commands()
    #expect(commands.count == Help.commands.count - 1)
    var texts: [String: [String: Set<String>]] = [:]
    for (command, arguments) in commands {
      for argument in arguments {
        guard let name = argument.name else { continue }
        texts[name, default: [:]][argument.abstract ?? "", default: []].insert(command)
      }
    }
    #expect(texts.count > 40)
    for (name, texts) in texts {
      if let meanings = Self.twofold[name] {
        #expect(Set(texts.values) == Set(meanings), "--\(name)")
      } else {
        #expect(texts.count == 1, "--\(name) has several help texts: \(texts)")
      }
    }
  }

  @Test(arguments: ["json", "jsonl", "xml", "plist-xml"])
  func `A schema is refused where the form would ignore it`(_ format: String) async throws {
    try directory.write(
      "a.xml", "<people><person><firstName>A</firstName><lastName>B</lastName></person></people>")
    let line = "convert a.xml --to \(format) --form typed --schema"
    let run = try await ToolRun.shell("ferry \(line) person")
    #expect(run.status == 64 && run.output == "")
    #expect(run.errors.contains("--schema cannot be used with --form typed"), "\(run.errors)")
    let none = try await ToolRun.shell("ferry \(line) none")
    #expect(none.status == 0, "\(none.errors)")
  }

  /// A file as the argument of an option completes to a file in every command.
  @Test func `An option has one completion in all commands`() async throws {
    var kinds: [String: Set<String>] = [:]
    for (_, arguments) in try await commands() {
      for argument in arguments {
        guard let name = argument.name, Self.twofold[name] == nil else { continue }
        kinds[name, default: []].insert(argument.completion)
      }
    }
    for (name, kinds) in kinds { #expect(kinds.count == 1, "--\(name): \(kinds)") }
  }

  /// An option or argument in the description of a command that the argument parser gives.
  private struct Argument {
    /// The name of an option; nil for other arguments.
    let name: String?
    let abstract: String?
    let completion: String
  }

  /// The options and arguments of each command.
  private func commands() async throws -> [String: [Argument]] {
    let help = try await ToolRun.ferry("--experimental-dump-help").bytes
    let root = try #require(try JSONSerialization.jsonObject(with: Data(help)) as? [String: Any])
    let tool = try #require(root["command"] as? [String: Any])
    let commands = try #require(tool["subcommands"] as? [[String: Any]])
    var described: [String: [Argument]] = [:]
    for command in commands {
      guard let name = command["commandName"] as? String, name != "help" else { continue }
      let arguments = try #require(command["arguments"] as? [[String: Any]])
      described[name] = arguments.map { argument in
        Argument(
          name: (argument["preferredName"] as? [String: Any])?["name"] as? String,
          abstract: argument["abstract"] as? String,
          completion: (argument["completionKind"] as? [String: Any])?.keys.first ?? "")
      }
    }
    return described
  }
}
