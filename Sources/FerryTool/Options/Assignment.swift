import Ferry

/// A path and its value in one argument, as other tools take them: `name=Ada`.
enum Assignment {
  /// The name of the command that runs: `set` or `insert`.
  static var command: String { ProcessArguments.current.texts.first ?? "set" }

  /// Returns the command line for a file and an argument with a path and a value, in either order. Returns nil for other arguments.
  static func line(_ file: String, _ argument: String) -> String? {
    let isReversed = parts(of: argument) == nil && Folder.hasSomething(at: argument)
    let (file, argument) = isReversed ? (argument, file) : (file, argument)
    guard let (path, value) = parts(of: argument) else { return nil }
    return MissingCommand.line(command, ListedFiles.words(for: file) + [path, value])
  }

  /// Returns the command line for a file and several arguments that are all a path and a value. Returns nil for other arguments.
  static func line(_ file: String, _ arguments: [String]) -> String? {
    let pairs = arguments.compactMap(parts)
    guard arguments.count > 1, pairs.count == arguments.count else { return nil }
    return MissingCommand.line(command, ListedFiles.words(for: file) + pairs.flatMap { [$0.path, $0.value] })
  }

  /// Returns the path and the value beside the first equals sign that is neither in brackets nor in quotes.
  private static func parts(of argument: String) -> (path: String, value: String)? {
    var (depth, quote): (Int, Character?) = (0, nil)
    for index in argument.indices {
      let character = argument[index]
      if let open = quote {
        if character == open { quote = nil }
        continue
      }
      switch character {
      case "\"", "'": quote = character
      case "[": depth += 1
      case "]": depth -= 1
      case "=" where depth == 0 && index > argument.startIndex:
        return (String(argument[..<index]), String(argument[argument.index(after: index)...]))
      default: break
      }
    }
    return nil
  }
}
