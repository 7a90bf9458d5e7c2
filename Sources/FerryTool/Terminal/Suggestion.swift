import Ferry

/// A correction of the argument parser's messages about unknown options. The parser suggests the option that differs in the
/// fewest letters, however many these are: `--from` for `--json`.
enum Suggestion {
  /// Returns the message about a wrong command line with an answer to an option that the command does not have, but another command
  /// or another tool has. If the parser suggests an option that differs in too many letters, the message is without it.
  ///
  /// - Parameter arguments: The command line.
  static func corrected(_ message: String, for arguments: [String]) -> String {
    guard let command = NamedCommand.named(by: arguments) else { return message }
    let known = command.options(includesHidden: true)
    if let message = messageAboutPath(message, of: command, arguments, known) { return message }
    if let message = messageAboutPattern(message, of: command, arguments, known) { return message }
    if let message = messageAboutValue(message, of: command, arguments, known) { return message }
    if let message = messageAboutPair(message, of: command, arguments, known) { return message }
    if let message = messageAboutTerminator(message, arguments, known) { return message }
    if let message = messageAboutFile(message, arguments) { return message }
    if let message = messageAboutOptionValue(message, of: command, arguments, known) { return message }
    if let message = messageAboutType(message) { return message }
    let marks = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard marks.count == 3, marks[0].hasSuffix("Unknown option ") else {
      let usage = usage(in: message)
      if let (typed, answer) = unknownOption(in: arguments, known) {
        return "Error: Unknown option '\(typed)' (\(answer)).\n" + usage
      }
      guard let typed = unknownLongOption(in: arguments, known) else {
        return messageAboutVersions(message, of: command) ?? message
      }
      let near = near(to: typed, known).map { " Did you mean '\($0)'?" } ?? ""
      return corrected("Error: Unknown option '\(typed)'.\(near)\n" + usage, for: arguments)
    }
    let typed = String(marks[1])
    let rest = marks[2].drop { $0 != "\n" }
    let others = commands(with: typed, except: command.name)
    // A command that writes formats takes the name of one for a format, and not for an option of other commands.
    let format = known.contains("--to") || others.isEmpty ? formatAnswer(to: typed) : nil
    let habit =
      others.isEmpty || known.contains("--from-file") ? OptionHabit.answer(to: typed, known) : nil
    if let answer = answer(to: typed, known) ?? habit ?? format {
      return "\(marks[0])'\(typed)' (\(answer)).\(rest)"
    }
    guard others.isEmpty else { return "\(marks[0])'\(typed)' (an option of \(list(others))).\(rest)" }
    if let longer = longer(than: typed, known) {
      return "\(marks[0])'\(typed)'. Did you mean '\(longer)'?\(rest)"
    }
    let suggestion = marks[2].prefix { $0 != "\n" }.split(separator: "'")
    guard suggestion.count == 3, NearMiss.nearest(to: typed, among: [String(suggestion[1])]) == nil else {
      return message
    }
    return "\(marks[0])'\(typed)'.\(rest)"
  }

  /// Returns the option that begins with a word, or else the one that differs in few letters.
  private static func near(to typed: String, _ known: [String]) -> String? {
    longer(than: typed, known) ?? NearMiss.nearest(to: typed, among: known)
  }

  /// Returns the shortest option that begins with a word of at least three letters: `--sort-keys` for `--sort`.
  private static func longer(than typed: String, _ known: [String]) -> String? {
    let name = String(typed.prefix { $0 != "=" })
    guard name.hasPrefix("--"), name.count >= 5 else { return nil }
    return known.filter { $0.hasPrefix(name) && $0.count > name.count }.min { $0.count < $1.count }
  }

  /// The commands that take paths of values.
  private static let commandsWithPaths = [
    "ferry get", "ferry set", "ferry insert", "ferry remove", "ferry move", "ferry copy",
  ]

  /// Returns the message about a path such as `-1` or `--count.x`, which the parser takes for an option. The parser may report first
  /// that the value is missing. Returns nil if no argument is such a path.
  private static func messageAboutPath(
    _ message: String, of command: NamedCommand, _ arguments: [String], _ known: [String]
  ) -> String? {
    guard commandsWithPaths.contains(where: { $0.elementsEqual(command.name) }) else { return nil }
    // An option with its value, such as -ofile.json, is not a path.
    let valued = command.optionsWithValues
    let isPath = { (argument: String) in hasSteps(argument) && !valued.contains(String(argument.prefix(2))) }
    let operands = NegativeValue.operands(in: arguments, including: isPath).map { arguments[$0] }
    // The first operand is the file. In commands with values, each path has one after it.
    let paths = operands.indices.dropFirst().filter { !takesValue(command) || !$0.isMultiple(of: 2) }
      .map { operands[$0] }
    let typed = paths.first { NegativeValue.isNegativeNumber($0) || isPath($0) }
    guard let path = typed ?? keyWithDash(in: arguments, of: command, message, known) else { return nil }
    return optionMessage(aboutPath: path, usage(in: message))
  }

  private static func optionMessage(aboutPath path: String, _ usage: String) -> String {
    let advice = "write the path of a key that begins with a dash as '\(quotingFirstKey(of: path))'"
    return "Error: Unknown option '\(path)' (\(advice)).\n\(usage)"
  }

  private static func optionMessage(aboutValue value: String, _ usage: String) -> String {
    "Error: Unknown option '\(value)' (write -- before a value that begins with a dash).\n\(usage)"
  }

  /// Returns a key such as `-a` in the place of the path, which is after the file and before a value; nil if there is none.
  private static func keyWithDash(
    in arguments: [String], of command: NamedCommand, _ message: String, _ known: [String]
  ) -> String? {
    let mistakes = ["Unknown option", "Missing expected argument", "no value"]
    let operands = NegativeValue.operands(in: arguments)
    guard mistakes.contains(where: { message.contains($0) }), let file = operands.first else { return nil }
    let value = takesValue(command) ? operands.dropFirst().first : nil
    let rest = arguments[(file + 1)..<(value ?? arguments.endIndex)].prefix { $0 != "--" }
    // Letters of options of other commands are a path if the command lacks one.
    let lacksPath = message.contains("Missing expected argument")
    return rest.first {
      isUnknown($0, to: command, known)
        || lacksPath && !$0.hasPrefix("--") && isUnlikeOptions($0, of: command, known)
    }
  }

  /// Returns the message about a text to find such as `-5`, which the parser takes for an option. Returns nil if no argument is such a text.
  private static func messageAboutPattern(
    _ message: String, of command: NamedCommand, _ arguments: [String], _ known: [String]
  ) -> String? {
    let mistakes = ["Unknown option", "give a text to find"]
    guard "ferry find".elementsEqual(command.name), mistakes.contains(where: { message.contains($0) }) else {
      return nil
    }
    let replacing = NegativeValue.optionsInPlaceOfPattern
    let given = arguments.dropFirst().prefix { $0 != "--" }
    guard !given.contains(where: { replacing.contains(String($0.prefix { $0 != "=" })) }),
      let index = given.firstIndex(where: { isUnknown($0, to: command, known) })
    else { return nil }
    let pattern = arguments[index]
    let isAfterFile = NegativeValue.operands(in: arguments).first ?? index < index
    guard !isAfterFile || NegativeValue.isNegativeNumber(pattern) else { return nil }
    let advice = "write -e=\(pattern) to find a text that begins with a dash"
    return "Error: Unknown option '\(pattern)' (\(advice)).\n\(usage(in: message))"
  }

  /// Returns true for an argument with one dash at its start that has no option of a command, and none that people know from other tools.
  private static func isUnknown(_ argument: String, to command: NamedCommand, _ known: [String]) -> Bool {
    argument.hasPrefix("-") && !argument.hasPrefix("--") && argument != "-" && !areOptions(argument, known)
      && !command.optionsWithValues.contains(String(argument.prefix(2)))
      && answer(to: argument, known) == nil && commands(with: argument, except: "").isEmpty
  }

  /// Returns true for an argument that begins with a dash and has the steps of a path: `--count.x`. Options have no dots and brackets.
  private static func hasSteps(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), let mark = argument.first(where: { "=.[".contains($0) }) else {
      return false
    }
    return mark != "="
  }

  /// Returns a path with its first key in brackets: `["-1"].x` for `-1.x`.
  private static func quotingFirstKey(of path: String) -> String {
    let key = path.prefix { $0 != "." && $0 != "[" }
    let quoted = "\(ValuePath([.key(String(key))]))\(path.dropFirst(key.count))"
    return (try? ValuePath(parsing: quoted)) == nil ? "\(ValuePath([.key(path)]))" : quoted
  }

  private static func takesValue(_ command: NamedCommand) -> Bool {
    NegativeValue.commands.contains { "ferry \($0)".elementsEqual(command.name) }
  }

  /// Returns the lines of a message from the usage on.
  private static func usage(in message: String) -> String {
    message.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }.joined(separator: "\n")
  }

  /// Returns the message about a value such as `-x y`, which the parser takes for an option. Returns nil if no argument is such a value.
  private static func messageAboutValue(
    _ message: String, of command: NamedCommand, _ arguments: [String], _ known: [String]
  ) -> String? {
    guard takesValue(command), message.contains("Unknown option"), !arguments.contains("--"),
      !arguments.contains("--from-file")
    else { return nil }
    let operands = NegativeValue.operands(in: arguments)
    // A command line with a file and a path lacks the value.
    guard operands.count == 2, let path = operands.last,
      let value = arguments[(path + 1)...].first(where: { isNoOption($0, known) })
    else { return nil }
    return optionMessage(aboutValue: value, usage(in: message))
  }

  /// Returns the message about an argument such as `-x` in `a -x b 2` and `a 1 b -x`, which the parser takes for an option. Returns nil unless
  /// the arguments are pairs of a path and a value with it.
  private static func messageAboutPair(
    _ message: String, of command: NamedCommand, _ arguments: [String], _ known: [String]
  ) -> String? {
    let isWithoutValue = message.contains("no value for the path")
    guard takesValue(command), isWithoutValue || message.contains("Unknown option"), !arguments.contains("--")
    else { return nil }
    let isDropped = { (argument: String) in isUnlikeOptions(argument, of: command, known) }
    let operands = NegativeValue.operands(in: arguments, including: isDropped).map { arguments[$0] }
    // The file, and pairs.
    guard !operands.count.isMultiple(of: 2), operands.count > 3 || isWithoutValue,
      let index = operands.dropFirst().firstIndex(where: isDropped)
    else { return nil }
    return index.isMultiple(of: 2)
      ? optionMessage(aboutValue: operands[index], usage(in: message))
      : optionMessage(aboutPath: operands[index], usage(in: message))
  }

  /// Returns true for an argument that begins with a dash, and that is not an option of a command and not like one. Letters such as `-x` may be
  /// options of other commands.
  private static func isUnlikeOptions(
    _ argument: String, of command: NamedCommand, _ known: [String]
  ) -> Bool {
    guard argument.hasPrefix("-"), argument != "-", !NegativeValue.isNegativeNumber(argument),
      !areOptions(argument, known), !command.optionsWithValues.contains(String(argument.prefix(2))),
      answer(to: argument, known) == nil
    else { return false }
    let name = String(argument.prefix { $0 != "=" })
    return near(to: name, known.filter { $0.hasPrefix("--") }) == nil
      && (!argument.hasPrefix("--") || commands(with: argument, except: "").isEmpty)
  }

  /// Returns the message about an option after `--`, which the parser takes for a path or another argument. Returns nil for other messages.
  private static func messageAboutTerminator(
    _ message: String, _ arguments: [String], _ known: [String]
  ) -> String? {
    let marks = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard marks.count == 3, marks[0].hasSuffix("Unexpected argument "),
      let typed = arguments.drop(while: { $0 != "--" }).dropFirst().first(where: {
        $0.hasPrefix("-") && areOptions($0, known)
      })
    else { return nil }
    return "Error: Unexpected argument '\(typed)' (write options before --).\n\(usage(in: message))"
  }

  /// Returns the message about an argument too many, if a file is in the place of a path: beside a list of files, or after another file. Returns nil
  /// for other messages.
  private static func messageAboutFile(_ message: String, _ arguments: [String]) -> String? {
    guard message.hasPrefix("Error: Unexpected argument "),
      let advice = ArgumentOrder.adviceOnSeveralFiles(in: arguments)
    else { return nil }
    return "Error: \(advice)\n\(usage(in: message))"
  }

  /// Returns the message about the value of an option that begins with a dash, such as `--jobs -1`, and that the parser takes for an
  /// option. Returns nil for other messages.
  private static func messageAboutOptionValue(
    _ message: String, of command: NamedCommand, _ arguments: [String], _ known: [String]
  ) -> String? {
    let marks = message.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard marks.count == 3, marks[0].hasSuffix("Missing value for "),
      let option = command.option(named: String(marks[1].prefix { $0 != " " }))
    else { return nil }
    let given = Array(arguments.prefix { $0 != "--" })
    guard let index = given.dropLast().firstIndex(where: { option.names.contains($0) }),
      case let (name, value) = (given[index], given[index + 1]), value.hasPrefix("-"),
      !areOptions(value, known) || option.value == "pattern" && !value.hasPrefix("--")
    else { return nil }
    let label = "'\(name) <\(option.value)>'"
    let longName = name.hasPrefix("--") ? name : option.names.first { $0.hasPrefix("--") } ?? name
    let problem =
      switch option.value {
      case "n" where NegativeValue.isNegativeNumber(value):
        "The value '\(value)' is invalid for \(label) (it is negative)"
      case "file", "folder":
        "Missing value for \(label) ('\(value)' is taken for an option: write ./\(value))"
      default:
        "Missing value for \(label) ('\(value)' is taken for an option: write \(longName)=\(value))"
      }
    return "Error: \(problem)\n\(usage(in: message))"
  }

  /// Returns the message about `--type number`: a number is an integer or a real. Returns nil for other messages.
  private static func messageAboutType(_ message: String) -> String? {
    let problem = "The value 'number' is invalid for '--type <type>'"
    guard message.contains(problem) else { return nil }
    return "Error: \(problem) (write integer or real).\n\(usage(in: message))"
  }

  /// Returns the message about a merge of fewer than three files. Returns nil for other messages.
  private static func messageAboutVersions(_ message: String, of command: NamedCommand) -> String? {
    guard command.type is MergeCommand.Type, message.contains("Missing expected argument") else { return nil }
    return "Error: merge takes three files: the common base, our version and their version "
      + "('ferry patch FILE OTHER --merge-patch' lays the values of one file over another).\n"
      + usage(in: message)
  }

  /// Returns true for an option, with or without a value, and for several options of one letter after one hyphen: `-pt`.
  static func areOptions(_ argument: String, _ known: [String]) -> Bool {
    guard argument.hasPrefix("--") else {
      return argument.dropFirst().allSatisfy { known.contains("-\($0)") }
    }
    return known.contains(String(argument.prefix { $0 != "=" }))
  }

  /// Returns true for an argument that begins with a dash, but is neither an option nor like one.
  private static func isNoOption(_ argument: String, _ known: [String]) -> Bool {
    guard argument.hasPrefix("-"), argument != "-", answer(to: argument, known) == nil else { return false }
    let name = String(argument.prefix { $0 != "=" })
    return !known.contains(name) && NearMiss.nearest(to: name, among: known) == nil
      && commands(with: argument, except: "").isEmpty
  }

  /// Returns the first option that has an answer and that the command does not have, with the answer. The parser reports a wrong number
  /// of files first: it takes the value of the option for a file.
  private static func unknownOption(
    in arguments: [String], _ known: [String]
  ) -> (typed: String, answer: String)? {
    for argument in arguments.prefix(while: { $0 != "--" }) {
      if let answer = answer(to: argument, known) { return (argument, answer) }
    }
    return nil
  }

  /// Returns the first long option that the command does not have, without its value.
  private static func unknownLongOption(in arguments: [String], _ known: [String]) -> String? {
    let general: Set = ["--help", "--help-hidden", "--version", "--generate-completion-script"]
    let options = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map {
      $0.prefix { $0 != "=" }
    }
    return options.map(String.init).first { !known.contains($0) && !general.contains($0) }
  }

  /// Returns what does the work of an option that people know from other commands and tools, such as `jq`; nil for other options, and for
  /// those that the command has.
  private static func answer(to typed: String, _ known: [String]) -> String? {
    let option = String(typed.prefix { $0 != "=" })
    guard !known.contains(option) else { return nil }
    switch option {
    case "-V": return "ferry --version prints the version"
    case "-i", "--in-place":
      guard known.contains("--with-aliases") else { return nil }
      return "the file is changed in place without it; -o FILE writes another one"
    case "-t", "--to": return "ferry convert FILE --to FORMAT writes another format"
    case "-r" where known.contains("--raw"), "--raw-output" where known.contains("--raw"):
      return "--raw prints strings without quotes"
    case "--raw", "--raw-output":
      let form = known.contains("--form") ? "; --form raw reads an archive as it is stored" : ""
      return "ferry get FILE PATH prints strings without quotes\(form)"
    case "-r", "--recursive":
      return CommandOptions.running?.isOfRename == true
        ? "ferry rename reads folders without it"
        : "ferry convert -r, check, find and inspect read folders, and ferry set -r changes the files in one"
    case "-c" where known.contains("--compact"): return "--compact writes JSON on one line"
    case "-S" where known.contains("--sort-keys"): return "--sort-keys sorts the keys"
    case "-c", "-p", "--compact", "--pretty", "--indent", "--tab":
      return "ferry convert FILE --to json lays out JSON with --pretty, --indent N, --tab or --compact"
    case "-S", "--sort-keys": return "ferry convert FILE --to json --sort-keys sorts the keys"
    default: return nil
    }
  }

  /// Returns how to write a format whose name is the name of an unknown option.
  private static func formatAnswer(to typed: String) -> String? {
    let name = String(typed.drop { $0 == "-" })
    return Format(name: name) == nil ? nil : "ferry convert --to \(name) writes the format"
  }

  /// Returns the names of the commands that have an option, apart from one command.
  private static func commands(with typed: String, except name: String) -> [String] {
    let option = String(typed.prefix { $0 != "=" })
    return NamedCommand.all.filter { command in
      !command.name.elementsEqual(name) && command.options(includesHidden: false).contains(option)
    }.map(\.name)
  }

  /// Returns names in a sentence: `ferry get, ferry set and ferry show`.
  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
