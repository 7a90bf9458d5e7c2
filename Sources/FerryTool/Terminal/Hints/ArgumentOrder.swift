import Ferry

/// The order of the arguments of the commands that take a file and a path.
enum ArgumentOrder {
  private static let commands = ["get", "set", "insert", "remove", "move", "copy"]

  /// Returns advice about a file that does not exist, if the name is probably a path: other tools take the path first, or read the standard
  /// input without a name.
  static func advice(aboutMissing name: String, in arguments: [String]) -> String? {
    guard let command = arguments.first, commands.contains(command), !ListedFiles.areGiven(in: arguments)
    else { return nil }
    let operands = NegativeValue.operands(in: arguments).map { arguments[$0] }
    guard let first = operands.first, first.equals(name) else { return nil }
    var rest = Array(operands.dropFirst())
    if let index = rest.firstIndex(where: Folder.hasSomething) {
      let file = rest.remove(at: index)
      let line = MissingCommand.line(command, [file, first] + rest)
      return "the file comes before the path: \(line)"
    }
    guard isLikePath(name) else { return nil }
    if rest.first == "-" { rest.removeFirst() }
    let line = MissingCommand.line(command, ["-", first] + rest)
    return "the file comes before the path, - is the standard input: \(line)"
  }

  /// Returns advice about a pipe or a device that a command would change in place: it is read as the standard input.
  static func advice(aboutPipe name: String, in arguments: [String]) -> String? {
    guard let running = CommandOptions.running, let command = arguments.first, name != "-" else { return nil }
    let indices = arguments.indices.dropFirst().filter { arguments[$0].equals(name) }
    if command == "edit" {
      return "cat \(MissingCommand.shellWord(name)) > FILE makes a file that can be edited"
    }
    guard running.isOfEditing || running.isOfRename, indices.count == 1, !arguments.contains("-"),
      !ListedFiles.areGiven(in: arguments)
    else { return nil }
    var rest = arguments
    rest[indices[0]] = "-"
    let line = MissingCommand.line(command, Array(rest.dropFirst()))
    return "\(line) < \(MissingCommand.shellWord(name)) writes the result to the standard output"
  }

  /// Returns advice about a path without a value that is the name of a file: a pattern such as `*.json` has given the command several files, or
  /// there is a file beside a list.
  static func adviceOnSeveralFiles(in arguments: [String]) -> String? {
    guard let command = arguments.first, commands.contains(command) else { return nil }
    let operands = NegativeValue.operands(in: arguments).map { arguments[$0] }
    if ListedFiles.areGiven(in: arguments) {
      guard operands.count > 1, let first = operands.first, Folder.hasSomething(at: first),
        !Folder.isFolder(first)
      else { return nil }
      return "\(MessageText.quoted(first)) is a file: with --files-from, the first argument is the path"
    }
    guard operands.count > 2, let second = operands.dropFirst().first, Folder.hasSomething(at: second) else {
      return nil
    }
    return "\(MessageText.quoted(second)) is a file: "
      + (command == "get"
        ? "get reads one file; --recursive with --include '*.json' reads those in a folder"
        : "\(command) changes one file; -r with --include '*.json' changes those in a folder")
  }

  /// Returns true for a text with the notation of a path that few names of files have.
  private static func isLikePath(_ name: String) -> Bool {
    guard !name.contains("/") else { return false }
    return name.utf8.starts(with: ".".utf8) || name.utf8.starts(with: "$.".utf8) || name.contains("[")
  }
}
