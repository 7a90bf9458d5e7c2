import Foundation
import TestSupport
import Testing

private let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")
  .standardizedFileURL.path

@Suite(.temporaryDirectory) struct `Help` {
  static let commands = [
    "", "convert", "show", "inspect", "check", "find", "diff", "patch", "get", "set", "insert", "remove",
    "move", "copy", "edit",
    "rename", "merge", "seed", "schema", "formats", "plutil", "plistbuddy",
  ]
  private static let schemaCommands = ["schema infer", "schema check", "schema show", "schema list"]

  /// Makes the files that the examples name, once, in the folder `files`.
  private func makeFiles() async throws {
    let made = try await ToolRun.shell(
      """
      set -e; mkdir files; cd files
      cp '\(examples)'/folks.xml '\(examples)'/things.xml '\(examples)'/items.xml .
      cp '\(examples)'/People.storedata Empty.storedata; cp '\(examples)'/groups.xml .
      cp '\(examples)'/*.png .
      gzip < folks.xml > people.xml.gz
      ferry convert folks.xml -o people.pplgrp; printf 'name,age\nAda,36\n' > people.csv
      for name in base ours theirs old new; do cp people.pplgrp $name.pplgrp; done
      echo '[{"email":"a","updated":1}]' | tee old.json > new.json
      ferry set ours.pplgrp '[0].first' Ours; ferry set theirs.pplgrp '[1].first' Theirs
      printf '[{"email":"a","n":1}]' | tee ours.json > base.json; printf '[{"email":"a","n":2}]' > theirs.json
      ferry convert things.xml -o Things.mystuff
      for name in Base Ours Theirs; do cp -R Things.mystuff $name.mystuff; done
      printf '{"people":[{"name":"Ada"},{"name":"Bob"},{"name":"Eve"}],"tags":["x","y"],"name":"n",
        "window":{"frame":{"width":1}},"offset":1,"a key.with dots":1,"saved":"","l":["a","b","c","d"]}' > state.json
      ferry convert state.json -o state.archive
      ferry set state.archive saved 2001-01-01T00:00:00Z --type date
      printf '{"icon":"","root":[1]}' > image.json; ferry convert image.json --to plist-binary -o image.plist
      ferry set image.plist icon AAEC --type data; printf '\\1\\2' > icon.png
      printf '{"proxy":"none"}' > settings.json; printf 'port: 80\\n' > settings.yaml
      printf '{"port":8080}' > overrides.json
      printf '{"window":{"title":"Main"}}' > prefs.json; ferry convert prefs.json --to plist-xml -o prefs.plist
      for name in old new; do cp prefs.plist $name.plist; done
      printf '{"edited":""}' > notes.json
      printf '[{"age":1,"city":"Paris","tags":["a"]},{"age":2,"city":"Rome","tags":[]}]' > team.json
      printf '"a" = "x";' > en.strings; printf 'key,value\\na,y\\n' > de.csv
      printf '{"title":"Notes"}' > a.json; printf 'b\\n' > b.txt; printf '\\1\\2' > a.png
      python3 -m zipfile -c notes.zip a.json b.txt
      printf '{"itemKey":1}' > item.json
      printf '<hosts><host id="a"><port>80</port></host><host id="b"><port>80</port></host></hosts>' > hosts.xml
      ferry convert item.json --to archive -o color.archive
      ferry insert color.archive root2 '{"$class":"NSColor","color":"#FF8000FF","colorSpace":"deviceRGB"}' \
        --type json
      printf '{"BackgroundColor":""}' > theme.json
      ferry convert theme.json --to plist-binary -o Theme.terminal
      ferry get color.archive root2 --to archive -o only.archive
      ferry set Theme.terminal BackgroundColor --from-file only.archive --type data
      ferry convert items.xml --to json -o items.json
      mkdir backup documents configs; cp old.json backup; cp old.json documents; cp prefs.json configs/one.json; cp prefs.plist configs/two.plist
      printf '{"CFBundleName":"App","CFBundleVersion":"1","Modes":[]}' > info.json
      ferry convert info.json --to plist-xml -o Info.plist
      """)
    #expect(made.status == 0 && made.errors == "", "\(made.errors)")
  }

  /// The command lines in a help text: without what is said of them after two spaces.
  private static func commandLines(of help: String) -> [String] {
    help.split(separator: "\n").compactMap { line in
      let text = line.drop { $0 == " " }
      let isExample =
        line.hasPrefix("  ")
        && (text.hasPrefix("ferry ") || text.hasPrefix("git ") || text.contains("| ferry "))
      return isExample ? text.components(separatedBy: "  ").first.map { String($0) } : nil
    }
  }

  @Test func `The help of every command has examples that work`() async throws {
    try await makeFiles()
    var count = 0
    for command in Self.commands {
      let help = try await ToolRun.ferry(command.isEmpty ? ["--help"] : ["help", command]).output
      let lines = Self.commandLines(of: help)
      #expect(!lines.isEmpty, "\(command) has no example")
      try await ToolRun.expectWorking(lines, command)
      count += lines.count
    }
    #expect(count > 40)
  }

  @Test func `The option --help prints the help of the command`() async throws {
    for command in Self.commands.dropFirst() + Self.schemaCommands {
      let names = command.split(separator: " ").map(String.init)
      let help = try await ToolRun.ferry(["help"] + names).output
      #expect(help.contains("USAGE: ferry \(command)"), "\(command)")
      #expect(try await ToolRun.ferry(names + ["--help"]).output == help, "\(command)")
    }
  }

  @Test func `No example in the help of a command takes two lines`() async throws {
    for command in Self.commands.dropFirst() {
      let help = try await ToolRun.ferry("help", command).output
      let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  ferry ") {
        #expect(next.isEmpty || next.hasPrefix("  "), "\(line)")
      }
    }
  }

  @Test func `Topics explain what several commands share, in eighty columns, with examples that work`()
    async throws
  {
    try await makeFiles()
    for topic in ["paths", "forms", "schemas", "REPORTS"] {
      let run = try await ToolRun.ferry("help", topic)
      #expect(run.status == 0 && run.errors == "")
      for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(topic): \(line)") }
      let lines = Self.commandLines(of: run.output)
      #expect(!lines.isEmpty, "\(topic) has no example")
      try await ToolRun.expectWorking(lines, topic)
    }
    let unknown = try await ToolRun.ferry("help", "pathz")
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean \"paths\"?"), "\(unknown.errors)")
    for arguments in [["-V"], ["version"]] {
      #expect(try await ToolRun.ferry(arguments, input: []).output == ToolRun.ferry("--version").output)
    }
  }

  /// The parts of the description that the tool gives of itself.
  private struct Description: Decodable {
    struct Command: Decodable {
      var commandName: String
      var arguments: [Argument]?
      var subcommands: [Command]?
    }
    struct Argument: Decodable { var names: [Name]? }
    struct Name: Decodable, Hashable { var kind, name: String }

    var command: Command
  }

  @Test func `No command has two options of one name`() async throws {
    // The argument parser checks this only in debug builds, and only for the command that runs.
    func check(_ command: Description.Command) {
      let names = (command.arguments ?? []).flatMap { $0.names ?? [] }
      let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
      #expect(repeated.isEmpty, "\(command.commandName): \(repeated)")
      (command.subcommands ?? []).forEach(check)
    }
    let run = try await ToolRun.ferry("--experimental-dump-help")
    check(try JSONDecoder().decode(Description.self, from: Data(run.bytes)).command)
  }

  @Test func `The help fits eighty columns and documents every option`() async throws {
    for command in Self.commands + Self.schemaCommands {
      let names = command.split(separator: " ").map(String.init)
      for line in try await ToolRun.ferry(names + ["--help"]).output.split(separator: "\n") {
        #expect(line.count <= 80, "\(command): \(line)")
      }
      let help = try await ToolRun.ferry(names + [command.isEmpty ? "--help" : "--help-hidden"]).output
      for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(command): \(line)") }
      for option in help.split(separator: "\n") where option.hasPrefix("  -") {
        let parts = option.split(separator: " ", omittingEmptySubsequences: true)
        #expect(parts.count > 1 || option.count > 24, "\(command) says nothing of \(option)")
      }
      // Messages and help say what to do in the words of other tools.
      for word in [" behind ", "nobody", "colour", "‘", "“"] {
        #expect(!help.contains(word), "\(command): \(word)")
      }
    }
  }
}

extension ToolRun {
  /// Runs the examples of a command one after the other in a copy of the folder `files`.
  fileprivate static func expectWorking(_ lines: [String], _ command: String) async throws {
    // Their outputs are new.
    let outputs = command.isEmpty || command == "convert" ? "run/people.pplgrp" : ""
    _ = try await shell("rm -rf run; cp -R files run; rm -rf run/none \(outputs)")
    for line in lines {
      let setUp = line.hasPrefix("git ") ? "git init -q .; " : ""
      let run = try await shell("cd run; export EDITOR=true VISUAL=true; \(setUp)\(line)")
      // `rename` ends with 1 if no file has a name, and the files of the examples need not have it.
      let isWithoutName = command == "rename" && run.status == 1 && run.errors.contains(" has a ")
      #expect(run.status == 0 || isWithoutName, "\(command): \(line)\n\(run.errors)")
    }
  }
}
