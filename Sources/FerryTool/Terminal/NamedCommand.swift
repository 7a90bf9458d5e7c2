import ArgumentParser
import Ferry

/// A command of the tool with its whole name: `ferry schema check`.
struct NamedCommand {
  let name: String
  let type: any ParsableCommand.Type

  private static var ferry: NamedCommand { NamedCommand(name: "ferry", type: FerryCommand.self) }

  /// All commands, and those inside them.
  static var all: [NamedCommand] { ferry.commands.flatMap { [$0] + $0.commands } }

  /// Returns the command that a command line names, or nil if it names none.
  static func named(by arguments: [String]) -> NamedCommand? {
    var found: NamedCommand?
    for argument in arguments {
      let outer = found ?? ferry
      let name = "\(outer.name) \(argument)"
      guard let next = outer.commands.first(where: { $0.name.elementsEqual(name) }) else { break }
      found = next
    }
    return found
  }

  /// The commands inside the command.
  private var commands: [NamedCommand] {
    type.configuration.subcommands.map {
      NamedCommand(name: "\(name) \($0.configuration.commandName ?? "")", type: $0)
    }
  }

  /// Returns the names of the options, as the help lists them: `-f` and `--from`.
  func options(includesHidden: Bool) -> [String] {
    labels(includesHidden: includesHidden).flatMap(Self.names)
  }

  /// The names of the options that take a value, also of hidden ones.
  var optionsWithValues: [String] {
    labels(includesHidden: true).filter { $0.contains("<") }.flatMap(Self.names)
  }

  /// Returns the names of an option, and the name of its value in the help: `-j`, `--jobs` and `n`. Nil if the command does not have
  /// the option, or if the option takes no value.
  func option(named name: String) -> (names: [String], value: String)? {
    for label in labels(includesHidden: true) {
      let parts = label.split(separator: "<")
      guard parts.count == 2, case let names = Self.names(in: parts[0]), names.contains(name)
      else { continue }
      return (names, String(parts[1].prefix { $0 != ">" }))
    }
    return nil
  }

  /// The names of each option that takes one value in all, also of hidden ones: `-o` and `--output`.
  var optionsWithOneValue: [[String]] {
    let arguments = description?["command"]?["arguments"]?.arrayValue ?? []
    return arguments.compactMap { argument in
      guard argument["kind"]?.stringValue == "option", argument["isRepeating"]?.boolValue == false else {
        return nil
      }
      return argument["names"]?.arrayValue?.compactMap { name in
        name["name"]?.stringValue.map { (name["kind"]?.stringValue == "long" ? "--" : "-") + $0 }
      }
    }
  }

  /// The arguments of the command as the argument parser describes them to programs.
  private var description: Value? {
    do { _ = try type.parseAsRoot(["--experimental-dump-help"]) } catch {
      return try? Value(reading: MemoryInput(Array(type.fullMessage(for: error, columns: nil).utf8)))
    }
    return nil
  }

  /// Returns the labels of the options in the help: `-f, --from <format>`.
  private func labels(includesHidden: Bool) -> [Substring] {
    let help = FerryCommand.helpMessage(for: type, includeHidden: includesHidden, columns: 100)
    return help.split(separator: "\n").filter { $0.hasPrefix("  -") }.map { line in
      // The description of an option is after two spaces.
      line.drop { $0 == " " }.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line
    }
  }

  /// Returns the names in the label of an option.
  private static func names(in label: Substring) -> [String] {
    label.split { " ,/".contains($0) }.filter { $0.hasPrefix("-") }.map(String.init)
  }
}
