import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Options` {
  @Test(arguments: [
    ("convert a.json --to jsonl -o ''", "-o", "file"), ("convert a.json -o ''", "-o", "file"),
    ("convert a.json --to jsonl --out-dir ''", "--out-dir", "folder"),
    ("convert a.json --to jsonl --report ''", "--report", "file"),
    ("convert a.json --to jsonl --extract ''", "--extract", "folder"), ("get a.json -o ''", "-o", "file"),
    ("set a.json [0] 2 -o ''", "-o", "file"), ("diff a.json a.json -o ''", "-o", "file"),
    ("merge a.json a.json a.json --report ''", "--report", "file"),
    ("rename a.json --class A=B --out-dir ''", "--out-dir", "folder"),
  ])
  func `The name of an output is not empty`(_ command: String, _ option: String, _ kind: String) async throws
  {
    try directory.write("a.json", "[1]")
    let run = try await ToolRun.shell("ferry \(command)")
    #expect(run.status == 64 && run.output == "", "\(run)")
    #expect(run.errors.contains("\(option) is empty: give the name of a \(kind)\n"), "\(run.errors)")
    #expect(try directory.names() == ["a.json"])
  }

  /// The options with several meanings, each with its commands.
  private static let manifold: [String: [Set<String>]] = [
    "class": [["find"], ["convert", "rename", "seed"]],
    "count": [["find"], ["get"]],
    "dry-run": [["set", "insert", "remove", "move", "copy", "patch"], ["rename"], ["convert"]],
    "force": [
      ["convert", "get", "merge", "show", "diff"],
      ["set", "insert", "remove", "move", "copy", "edit", "patch"], ["rename"],
    ],
    "form": [["convert", "show", "get"], ["set", "insert", "remove", "move", "copy", "patch"]],
    "from": [
      [
        "convert", "show", "inspect", "check", "find", "diff", "get", "set", "insert", "remove", "move",
        "copy", "edit", "merge", "patch", "rename",
      ],
      ["seed"],
    ],
    "git": [["diff"], ["merge"]],
    "json": [["inspect"], ["check"], ["find"], ["diff"]],
    "keys": [["find"], ["get"]],
    "key": [["rename"], ["find"], ["diff", "merge", "seed"]],
    "output": [
      ["convert", "get", "merge", "show", "diff"],
      ["set", "insert", "remove", "move", "copy", "edit", "patch"],
    ],
    "recursive": [
      ["convert"], ["check", "diff", "find", "inspect"],
      ["set", "insert", "remove", "move", "copy", "patch"], ["get"],
    ],
    "report": [["convert"], ["merge"]],
    "type": [["find"], ["set", "insert"], ["get"]],
    "to": [["convert"], ["get", "merge", "seed"]],
  ]

  @Test func `An option has one help text in all commands, unless it has several meanings`() async throws {
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
      if let meanings = Self.manifold[name] {
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
        guard let name = argument.name, Self.manifold[name] == nil else { continue }
        kinds[name, default: []].insert(argument.completion)
      }
    }
    for (name, kinds) in kinds { #expect(kinds.count == 1, "--\(name): \(kinds)") }
  }

  @Test(arguments: [
    ("convert a.json --to json --to yaml", #"--to is given twice, with "json" and "yaml" (give one value)"#),
    ("convert a.json -t json --to=yaml", "--to is given twice"),
    ("convert a.json -pt json -t yaml", "--to is given twice"),
    ("convert a.json --select a --to json --select b", #"--select is given twice, with "a" and "b""#),
    ("convert a.json --to csv --columns a --columns b", "--columns is given twice"),
    ("convert a.json --to json --max-depth 5 --max-depth 6", "--max-depth is given twice"),
    ("convert a.json --to json --select a --ns p=u --ns p=v", #"--ns p is given twice, with "u" and "v""#),
    ("get a.json a -o b --output c", #"--output is given twice, with "b" and "c""#),
    ("schema check a.json --schema a --schema b", "--schema is given twice"),
  ])
  func `An option that takes one value is refused with two different values`(
    _ line: String, _ words: String
  ) async throws {
    try directory.write("a.json", #"{"a":1}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 64 && run.output == "", "\(run)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(arguments: [
    "convert a.json --to json --to json", "convert a.json -t json --to=json",
    "convert a.json --types attributes --types attributes --to xml",
    "convert a.json --to json --to yaml --help", "find -e 1 -e 2 --key a --key b a.json",
    "convert a.json --to json --select a -- -a.json", "show --color always --color never a.json",
    "convert -j 1 --jobs 2 a.json --to json",
  ])
  func `An option may be given twice with the same value, or if it takes several`(_ line: String)
    async throws
  {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("-a.json", #"{"a":1}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: [
    "set a.json a 2 -n", "insert a.json b 2 -n", "remove -n a.json a", "patch a.json p.json -n",
    "rename a.csv --key a=b -n", "convert a.json -n --to xml -o a.xml", "convert a.json -in --to json",
  ])
  func `The short form of --dry-run is -n in every command`(_ line: String) async throws {
    try directory.write("a.json", #"{"a":1}"#)
    try directory.write("a.csv", "a\n1\n")
    try directory.write("p.json", #"[{"op":"remove","path":"/a"}]"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try directory.text("a.json") == #"{"a":1}"#)
    #expect(try directory.text("a.csv") == "a\n1\n")
    #expect(try directory.names() == ["a.csv", "a.json", "p.json"])
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
