import ArgumentParser
import Ferry

/// The answer to a command line that lacks its command: `ferry people.xml --to json`.
enum MissingCommand {
  /// Returns the message about a command line that begins with a file, or with an option of a command. The message has the likely command
  /// line. Returns nil for other command lines.
  static func message(about arguments: [String]) -> String? {
    guard let first = arguments.first, !FerryCommand.isName(first), !isGeneral(first) else { return nil }
    if first.hasPrefix("-"), first != "-" { return messageAboutOption(first, in: arguments) }
    guard isFile(first) else { return nil }
    let name = command(for: arguments) ?? "convert"
    let kind = Folder.isFolder(first) ? "folder" : "file"
    let input = first == "-" ? "the standard input" : "the \(kind) \(MessageText.quoted(first))"
    return "no command before \(input) (write: \(line(name, arguments)))"
  }

  /// The message about a run without arguments whose standard input is a file; nil for other runs. The help would be written to a file that
  /// shall get the result.
  static var messageAboutInput: String? {
    guard Folder.identity(ofStandardStream: 0) != nil else { return nil }
    return "no command for the standard input (write: ferry show, or ferry convert --to FORMAT)"
  }

  /// Returns true for an option of the tool, not of a command.
  private static func isGeneral(_ argument: String) -> Bool {
    let names: Set = ["-h", "--help", "--help-hidden", "-V", "--version", "--generate-completion-script"]
    return names.contains(String(argument.prefix { $0 != "=" }))
  }

  private static func messageAboutOption(_ option: String, in arguments: [String]) -> String? {
    if let index = arguments.firstIndex(where: names.contains),
      command(for: arguments, among: [arguments[index]]) != nil
    {
      var rest = arguments
      let name = rest.remove(at: index)
      return "\(option) is before the command (write: \(line(name, rest)))"
    }
    guard let name = command(for: arguments) else { return nil }
    if let given = commandAfterOptions(in: arguments, likely: name) {
      return "\(option) is not an option of \(given) (see \"ferry \(given) --help\")"
    }
    return "no command before \(option) (write: \(line(name, arguments)))"
  }

  /// Returns the command after the options at the beginning of a command line; nil if there is none, or if its name is the value of an
  /// option of the likely command.
  private static func commandAfterOptions(in arguments: [String], likely: String) -> String? {
    guard let index = arguments.firstIndex(where: { !$0.hasPrefix("-") }), index > 0,
      names.contains(arguments[index]), !Folder.hasSomething(at: arguments[index]),
      NamedCommand.named(by: [likely])?.optionsWithValues.contains(arguments[index - 1]) != true
    else { return nil }
    return arguments[index]
  }

  /// The commands of the tool, without those that have the options of other tools.
  private static let names = FerryCommand.configuration.subcommands
    .filter { $0 != PlutilCommand.self && $0 != PlistBuddyCommand.self }
    .compactMap { $0.configuration.commandName }

  /// Returns the first command that has all options of a command line; nil if there is none. Without options, this is the command that
  /// shows a file.
  private static func command(for arguments: [String], among names: [String] = names) -> String? {
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
    guard !options.isEmpty else { return "show" }
    return names.first { name in
      guard let command = NamedCommand.named(by: [name]) else { return false }
      let known = command.options(includesHidden: true)
      let valued = command.optionsWithValues
      return options.allSatisfy {
        Suggestion.areOptions($0, known) || !$0.hasPrefix("--") && valued.contains(String($0.prefix(2)))
      }
    }
  }

  /// Returns true for an argument that names a file or a folder, or that looks like the name of a file.
  private static func isFile(_ argument: String) -> Bool {
    if argument == "-" || argument.contains("/") { return true }
    let endings = argument.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
    if endings.isEmpty { return Folder.hasSomething(at: argument) && !FerryCommand.isNearCommand(argument) }
    return Folder.hasSomething(at: argument)
      || Format.allCases.contains { $0.extensions.contains { endings.map { $0.lowercased() }.contains($0) } }
  }

  /// Returns a command line for a shell.
  static func line(_ command: String, _ arguments: [String]) -> String {
    (["ferry", command] + arguments.map(shellWord)).joined(separator: " ")
  }

  /// Returns an argument as a shell reads it: in quotation marks unless all of its characters are plain.
  static func shellWord(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty
      && argument.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./=:,+@%".unicodeScalars.contains($0)
      }
    return isPlain ? argument : "'" + argument.replacing("'", by: "'\\''") + "'"
  }
}
