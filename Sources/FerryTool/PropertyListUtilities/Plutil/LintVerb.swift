import Ferry

/// `plutil -lint`: checks the syntax of property lists.
struct LintVerb: PlutilVerb {
  let options: PlutilOptions

  init(_ arguments: inout PlutilArguments) throws(PlutilError) {
    options = try PlutilOptions(arguments.rest)
    try options.checkNamesNoOutput("-lint")
  }

  func process(_ file: String) throws(PlutilError) {
    do throws(FerryError) {
      let input = try FileInput(path: file)
      let head = try input.peek(upTo: 1024)
      guard !head.isEmpty else { throw FerryError(.file(.empty)) }
      try PropertyListFile.send(input, as: PropertyListFile.propertyListFormat(of: head), into: NullSink())
    } catch {
      throw Self.error(for: error)
    }
    if !options.isSilent, !Plutil.print("\(Self.shownName(of: file)): OK\n") {
      throw PlutilError("Could not write")
    }
  }

  private static func error(for error: FerryError) -> PlutilError {
    switch error.reason {
    case .file(.empty): PlutilError(.empty)
    case .file: PlutilError(.unreadable(error))
    default: PlutilError(.invalid(error, json: nil))
    }
  }
}
