import ArgumentParser
import Ferry

/// The edits of the files in a folder, each in place. A file without a value at the path stays as it is, and one that fails does not
/// stop the others.
struct FolderEdit {
  private let isDryRun: Bool
  /// True to skip files that cannot be changed by path; false if `--include` names the files.
  private let skipsOthers: Bool
  let errors = RunErrors()
  private var total = 0
  private var changed = 0
  private var skipped = 0
  private var withoutValue = 0
  /// The error of the first file without a value at the path.
  private var firstWithoutValue: NamedError?

  init(_ options: EditingOptions) {
    isDryRun = options.dryRun.isDryRun
    skipsOthers = options.folder.patterns.included.isEmpty
  }

  /// Edits a file.
  ///
  /// - Parameters:
  ///   - options: The options for reading, for a file that its contents may show to be of another kind.
  ///   - edit: Edits the file, and returns true if it has changed.
  mutating func add(
    _ input: FoundInput, _ options: ReadingOptions, _ edit: () throws -> Bool
  ) throws {
    do {
      try NamedError.naming(input.path) { () throws(FerryError) in try input.checkContents(options) }
      let isChanged = try edit()
      total += 1
      guard isChanged else { return }
      changed += 1
      if isDryRun { try NamedOutput.print(input.path.withoutInvisibles + "\n") }
    } catch let error as NamedError {
      if input.isOfOtherKind(error.error)
        || skipsOthers && input.isInFolder && error.reason.isOfUneditableFormat
      {
        return skipped += 1
      }
      total += 1
      guard input.isInFolder, error.reason.isOfMissingValue else { return errors.add(error) }
      withoutValue += 1
      firstWithoutValue = firstWithoutValue ?? error
    }
  }

  /// Prints the numbers of files. Ends the run with a failure status if a file has failed, or if none has a value at the path. In that case
  /// the path probably has a mistake, and the error of the first file is printed.
  func finish() throws {
    guard total + skipped > 0 || !errors.all.isEmpty else {
      errors.writeNoInputs("no files to change")
      throw ExitCode.failure
    }
    let failed = errors.all.count
    if withoutValue == total, failed == 0, let firstWithoutValue { errors.add(firstWithoutValue) }
    if !errors.isPipeClosed { StandardError.write(summary(failed: failed)) }
    try errors.finish()
    guard total > 0 else { throw ExitCode.failure }
  }

  /// Returns the numbers in words: `2 of 5 files changed, 2 have no value at the path, 1 failed, 1 other file skipped`.
  private func summary(failed: Int) -> String {
    let parts: [String?] = [
      "\(changed) of \(total.counted("file")) \(isDryRun ? "would change" : "changed")",
      withoutValue > 0 ? "\(withoutValue) \(withoutValue == 1 ? "has" : "have") no value at the path" : nil,
      failed > 0 ? "\(failed) failed" : nil,
    ]
    return (parts.compactMap(\.self) + errors.skipped(otherFileCount: skipped)).joined(separator: ", ")
  }
}

extension FerryError.Reason {
  /// True if a file has no value at the path of an edit, or another value than a patch tests.
  var isOfMissingValue: Bool {
    switch self {
    case .path(.onlyInsertable), .path(.noMatch), .path(.otherThanTested): true
    case .path(.inPatch(_, let reason)): reason.isOfMissingValue
    default: FerryError(self).isMissingValue
    }
  }

  /// True if the values of a file can be read, but not changed by path.
  fileprivate var isOfUneditableFormat: Bool {
    switch self {
    case .path(.notEditable), .database(.noPaths): true
    default: false
    }
  }
}
