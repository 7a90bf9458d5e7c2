import ArgumentParser

/// The options of a command, which decide what its hints may advise.
struct CommandOptions: Sendable {
  /// The names of the options that advice may name, also of hidden ones, with their hyphens.
  private let names: Set<String>
  /// True if the command is `get`, which reads one file.
  let isOfGet: Bool
  /// True if the command is `insert`, which needs no value at the end of its path.
  let isOfInsert: Bool
  /// True if the command is `move` or `copy`, whose value may have a key already.
  let isOfTransfer: Bool
  /// True if the command changes values by their paths.
  let isOfEditing: Bool
  /// True if the command is `rename`, which changes files in place unless `--out-dir` is given.
  let isOfRename: Bool
  /// True if the command is one of `schema`, which take files and no folders.
  let isOfSchema: Bool
  /// True if the arguments name several inputs, all of which an option for reading is for.
  let hasSeveralInputs: Bool

  /// The options of the command that runs. Nil if the arguments name no command.
  static let running = CommandOptions(of: Array(CommandLine.arguments.dropFirst()))

  /// Creates the options of the command that arguments name, such as `schema check …`.
  init?(of arguments: [String]) {
    guard let command = NamedCommand.named(by: arguments) else { return nil }
    isOfGet = command.type is GetCommand.Type
    isOfInsert = command.type is InsertCommand.Type
    isOfTransfer = command.type is MoveCommand.Type || command.type is CopyCommand.Type
    isOfEditing = command.type is any EditingCommand.Type
    isOfRename = command.type is RenameCommand.Type
    // Of the formats that advice names, `rename` takes only those of tables, which its own errors name.
    // --join and --split determine the outputs of a run.
    let hasOwnOutputs = arguments.prefix { $0 != "--" }.contains {
      ["--join", "--split", "--split-by"].contains($0) || $0.hasPrefix("--split-by=")
    }
    names = Set(command.options(includesHidden: true)).subtracting(isOfRename ? ["--from"] : [])
      .subtracting(hasOwnOutputs ? ["--in-place"] : [])
    isOfSchema = command.type is SchemaInferCommand.Type || command.type is SchemaCheckCommand.Type
    let others = ["check": 0, "convert": 0, "find": 1, "inspect": 0, "show": 0]
    hasSeveralInputs =
      arguments.first.flatMap { others[$0] }.map { NegativeValue.operands(in: arguments).count > $0 + 1 }
      ?? false
  }

  /// Returns true for an argument after `--` that would be an option before it: `--raw`, `--type=json`.
  func isOptionAfterTerminator(_ argument: String) -> Bool {
    argument.hasPrefix("-") && names.contains(String(argument.prefix { $0 != "=" }))
      && ProcessArguments.current.texts.drop { $0 != "--" }.dropFirst().contains(argument)
  }

  /// Returns the parts of advice that the command can follow, or nil if there are none. A semicolon divides the advice; in a part, the
  /// first of several ways is needed, because the others refer to it.
  func advice(in text: String) -> String? {
    let parts = text.split(separator: "; ").compactMap { part -> String? in
      let ways = part.split(separator: ", or ")
      guard let first = ways.first, has(optionsIn: first) else { return nil }
      return ways.filter { has(optionsIn: $0) }.joined(separator: ", or ")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Returns true if the command has all options that a text names. Those after the name of a command are of that command.
  func has(optionsIn text: Substring) -> Bool {
    let words = text.split(separator: " ").map { $0.drop { "\"'(".contains($0) } }
    if let first = words.first, words.dropFirst().first?.hasPrefix("--") == true,
      FerryCommand.configuration.subcommands.contains(where: { $0.configuration.commandName == String(first) }
      )
    {
      return true
    }
    return words.prefix { $0 != "ferry" }.filter { $0.hasPrefix("--") && $0 != "--" }.allSatisfy { word in
      names.contains(String(word.prefix { $0.isLetter || $0 == "-" }))
    }
  }
}

extension Hint {
  /// The hint with the advice that the running command can follow, or nil if it can follow none.
  var forRunningCommand: Hint? {
    guard let options = CommandOptions.running else { return self }
    return advising(options)
  }

  /// Returns the hint with the advice that a command with some options can follow, or nil if it can follow none.
  func advising(_ options: CommandOptions) -> Hint? {
    switch self {
    case .brackets(let text): options.advice(in: text).map { .brackets($0) }
    case .joined(let text): options.advice(in: text).map { .joined($0) }
    case .clause(let text): options.advice(in: text).map { .clause($0) }
    case .sentence(let text, nil): options.has(optionsIn: text[...]) ? self : nil
    case .sentence(let text, let advice?):
      options.advice(in: advice).map { .sentence(text.replacing(advice, with: $0), advice: $0) }
    }
  }
}
