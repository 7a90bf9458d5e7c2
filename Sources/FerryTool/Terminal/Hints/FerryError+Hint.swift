import Ferry

extension FerryError {
  /// The error in one line, with the command's advice: the source location, the problem and the path.
  var advised: String { (location.isEmpty ? "" : "\(location): ") + advisedMessage }

  /// Returns the error in one line, with the command's advice.
  ///
  /// - Parameter option: The option that names the format of the file, or nil for `--from`.
  func advised(formatOption option: String?) -> String {
    let hint = option.map { reason.hint?.naming(formatOption: $0) } ?? reason.hint
    return (location.isEmpty ? "" : "\(location): ") + message(about: hint.added(to: reason.description))
  }

  /// The problem with the command's advice and, if it is known, the path in the value.
  var advisedMessage: String { message(about: reason.advised) }
}

extension FerryError.Reason {
  /// The problem with the command's advice.
  var advised: String { hint.added(to: description) }

  /// The command's advice about the problem, or nil if no command and no option of the running one helps.
  var hint: Hint? { anyHint?.forRunningCommand }

  /// The advice about the problem, with the options of any command.
  private var anyHint: Hint? {
    switch self {
    case .json(let problem): .about(problem)
    case .yaml(let problem): .about(problem)
    case .csv(let problem): .about(problem)
    case .xml(let problem): .about(problem)
    case .propertyList(let problem): .about(problem)
    case .archive(let problem): .about(problem)
    case .typed(let problem): .about(problem)
    case .record(let problem): .about(problem)
    case .database(let problem): .about(problem)
    case .path(let problem): .about(problem)
    case .cannotHold(let problem): .about(problem)
    case .overBudget(let limit): .about(limit)
    case .loss(let kind):
      .sentence(
        "not exact: \(kind.advised) (--strict refuses what is not exact)",
        advice: "leave out --strict to convert it nevertheless")
    case .content(let problem): .about(problem)
    case .package(let problem): .about(problem)
    case .file(let problem): .about(problem)
    case .document(let problem): .about(problem)
    case .compression(.severalFiles):
      "ferry edit ARCHIVE FILE opens one of them, and ferry set changes values in them by their paths"
    case .compression(.archiveInPlace): "use -o FILE to write its values to another file"
    case .compression(.notAnArchive): "leave out the name of the file; ferry set changes a value by its path"
    case .compression(.signed): "use -o FILE to write the changes to a copy without the signature"
    case .typedstream, .coding, .compression: nil
    }
  }
}

extension Loss.Kind {
  /// The kind in words, with the command's advice.
  var advised: String { Hint.about(self)?.forRunningCommand.added(to: message) ?? message }
}

extension Note {
  /// The note with the command's advice.
  var advised: String { Hint.about(self)?.forRunningCommand.added(to: description) ?? description }
}

extension FileComparison.Patch.Untested {
  /// The reason with the command's advice.
  var advised: String {
    switch self {
    case .emptyFile, .records, .selection: description
    case .error(let error): error.advisedMessage
    }
  }
}
