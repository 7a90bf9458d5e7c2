import Ferry

/// The place of the file in the command line of a command that takes one file, or a list of files. With a list, no argument is a file, and a
/// marker takes its place:
///
///     set --files-from list theme dark     →     set MARKER --files-from list theme dark
enum ListedFiles {
  /// The argument in place of the file. No argument of a process contains a zero byte.
  private static let marker = "\0list"
  private static let option = "--files-from"

  /// Returns a command line with the marker if it has a list of files.
  static func marked(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, areGiven(in: arguments) else { return arguments }
    return [command, marker] + arguments.dropFirst()
  }

  /// Returns true for the command line of a command that takes one file or a list of files, if it has a list.
  static func areGiven(in arguments: [String]) -> Bool { list(in: arguments) != nil }

  /// Returns the words of a command line for an argument that is a file or the marker, to write them in a message.
  static func words(for file: String) -> [String] {
    guard file.equals(marker) else { return [file] }
    return [option, list(in: ProcessArguments.current.texts) ?? "-"]
  }

  /// Returns the first list of files in the command line of a command that takes one file or a list; nil if there is none.
  private static func list(in arguments: [String]) -> String? {
    // Most runs have no list, and need not take the time to list the options of their command.
    guard arguments.contains(where: { $0.hasPrefix(option) }),
      let command = NamedCommand.named(by: arguments),
      command.type is any EditingCommand.Type || command.type is GetCommand.Type
    else { return nil }
    let valued = command.optionsWithValues
    var rest = arguments.dropFirst().prefix { $0 != "--" }
    while let argument = rest.popFirst() {
      if argument == option { return rest.first }
      if argument.hasPrefix("\(option)=") { return String(argument.dropFirst(option.count + 1)) }
      // The next argument is the value of the option, even if it looks like another option.
      if valued.contains(argument) { rest = rest.dropFirst() }
    }
    return nil
  }
}
