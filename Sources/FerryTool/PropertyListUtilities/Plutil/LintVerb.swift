import Ferry

/// `plutil -lint`: checks the syntax of property lists.
struct LintVerb: PlutilVerb {
  let options: PlutilOptions

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    options = try PlutilOptions(arguments.rest)
    try options.checkNamesNoOutput("-lint")
  }

  func process(_ file: String) throws(PlutilError) {
    let problem: PropertyListFile.Problem?
    do throws(FerryError) {
      problem = try Self.check(FileInput(path: file))
    } catch {
      throw Self.error(for: error)
    }
    if let problem { throw PlutilError(problem) }
    if !options.isSilent, !Plutil.print("\(Self.shownName(of: file)): OK\n") {
      throw PlutilError("Could not write")
    }
  }

  /// Checks the syntax of a file. Returns the reason if its first bytes show that it is not a property list.
  private static func check(_ input: FileInput) throws(FerryError) -> PropertyListFile.Problem? {
    let head = try input.peek(upTo: 1024)
    guard !head.isEmpty else { return .empty }
    if let problem = PropertyListFile.problem(ofFileThatBegins: head) { return problem }
    try PropertyListFile.send(
      input, as: PropertyListFile.propertyListFormat(of: head), named: input.path, into: NullSink())
    return nil
  }

  private static func error(for error: FerryError) -> PlutilError {
    switch error.reason {
    case .file(.empty): PlutilError(.empty)
    case .file(.otherKind), .file(.likely), .file(.conflict): PlutilError(.invalid(error, json: nil))
    case .file: PlutilError(.unreadable(error))
    default: PlutilError(.invalid(error, json: nil))
    }
  }
}
