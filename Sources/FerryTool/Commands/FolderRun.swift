import ArgumentParser
import Ferry

/// The run of a command on the files in a folder or a list, which it changes in place or reads. A file without a value at the path is left
/// out, and one that fails does not stop the others.
struct FolderRun {
  /// The words after the numbers of files.
  struct Words {
    /// The words for files that are changed, or whose values are read.
    var done = (one: "changed", several: "changed")
    /// The words for such files in a dry run.
    var wouldBeDone = (one: "would change", several: "would change")
    /// The words for files that are already as the command would make them.
    var unchanged = (one: "needs no change", several: "need no change")
    var withoutValue = (one: "has no value at the path", several: "have no value at the path")
    /// The message for a folder or a list without files.
    var noFiles = "no files to change"
  }

  /// The result of a file that does not fail.
  enum Outcome {
    /// The file is changed, or its values are read.
    case done
    /// The file is already as the command would make it.
    case unchanged
    /// The file has no value at the path, which is not an error.
    case withoutValue
  }

  /// A file that a command leaves out, although it has values that can be changed.
  struct LeftOutFile: Error {
    /// The reason, as a message about the file.
    let reason: String
  }

  /// A file that has no value at the path, which is probably meant for other files. Its error counts if no other file has one.
  struct FileWithoutValue: Error {
    let error: NamedError
  }

  private let words: Words
  private let isDryRun: Bool
  /// True to skip files that cannot be changed by path; false if `--include` names the files.
  private let skipsOthers: Bool
  let errors = RunErrors()
  private var total = 0
  private var done = 0
  private var unchanged = 0
  private var skipped = 0
  private var withoutValue = 0
  /// The name of the first file that was left out, and the reason.
  private var firstLeftOut: (name: String, reason: String)?
  /// The number of files that lack the value as in an error, and not by a path such as `l[*]` that selects nothing from a list.
  private var missing = 0
  /// The error of the first of them.
  private var firstMissing: NamedError?
  /// The error of the first of them for which the path is probably not meant.
  private var firstMissingElsewhere: NamedError?

  /// True if a file has no value because a path such as `l[*]` selects nothing from a list of it.
  var hasEmptySelection: Bool { withoutValue > missing }

  init(_ files: some SeveralFiles, _ words: Words, isDryRun: Bool = false) {
    self.words = words
    self.isDryRun = isDryRun
    skipsOthers = files.patterns.included.isEmpty
  }

  /// Counts the errors so far as those of files that could not be listed. Each of these counts as one file.
  mutating func didList() { total += errors.all.count }

  /// Changes or reads a file.
  ///
  /// - Parameters:
  ///   - options: The options for reading, for a file that its contents may show to be of another kind.
  ///   - body: Changes or reads the file.
  mutating func add(
    _ input: FoundInput, _ options: ReadingOptions, _ body: () throws -> Outcome
  ) throws {
    do {
      try NamedError.naming(input.path) { () throws(FerryError) in try input.checkContents(options) }
      let outcome = try body()
      total += 1
      switch outcome {
      case .done: done += 1
      case .unchanged: return unchanged += 1
      case .withoutValue: return withoutValue += 1
      }
      if isDryRun { try NamedOutput.print(input.path.withoutInvisibles + "\n") }
    } catch let file as LeftOutFile {
      skipped += 1
      firstLeftOut = firstLeftOut ?? (input.path, file.reason)
    } catch let file as FileWithoutValue {
      total += 1
      withoutValue += 1
      missing += 1
      firstMissingElsewhere = firstMissingElsewhere ?? file.error
    } catch let error as NamedError {
      if input.isOfOtherKind(error.error)
        || skipsOthers && input.isInFolder && error.reason.isOfUneditableFormat
      {
        return skipped += 1
      }
      total += 1
      guard error.reason.isOfMissingValue else { return errors.add(error) }
      withoutValue += 1
      missing += 1
      firstMissing = firstMissing ?? error
    }
  }

  /// Prints the numbers of files. Ends the run with a failure status if a file has failed, or if all lack a value at the path. In that case
  /// the path probably has a mistake, and the error of the first file is printed.
  ///
  /// - Parameter isQuiet: True to print no numbers.
  func finish(isQuiet: Bool = false) throws {
    guard total + skipped > 0 || !errors.all.isEmpty else {
      errors.writeNoInputs(words.noFiles)
      throw ExitCode.failure
    }
    let failed = errors.all.count
    if missing == total, failed == 0, let error = firstMissing ?? firstMissingElsewhere { errors.add(error) }
    if total == 0, failed == 0, let firstLeftOut {
      StandardError.write([firstLeftOut.reason], of: firstLeftOut.name)
    }
    if !errors.isPipeClosed, !isQuiet { StandardError.write(summary(failed: failed)) }
    try errors.finish()
    guard total > 0 else { throw ExitCode.failure }
  }

  /// Returns the numbers in words, which account for all files:
  /// `2 of 6 files changed, 1 has the value already, 2 have no value at the path, 1 failed, 1 other file skipped`.
  private func summary(failed: Int) -> String {
    let verbs = isDryRun ? words.wouldBeDone : words.done
    let parts: [String?] = [
      "\(done) of \(total.counted("file")) \(done == 1 || total == 1 ? verbs.one : verbs.several)",
      phrase(unchanged, words.unchanged),
      phrase(withoutValue, words.withoutValue),
      failed > 0 ? "\(failed) failed" : nil,
    ]
    return (parts.compactMap(\.self) + errors.skipped(otherFileCount: skipped)).joined(separator: ", ")
  }

  /// Returns a number with its words; nil for no files.
  private func phrase(_ count: Int, _ words: (one: String, several: String)) -> String? {
    count > 0 ? "\(count) \(count == 1 ? words.one : words.several)" : nil
  }
}

extension FerryError.Reason {
  /// True if a file has no value at a path, or another value than a patch tests.
  var isOfMissingValue: Bool {
    switch self {
    case .path(.onlyInsertable), .path(.noMatch), .path(.noRows), .path(.otherThanTested): true
    // An XPath in a file of another format, or without its elements.
    case .path(.badSyntax), .xml(.selectsNothing), .xml(.selectsNothingToPrecede),
      .xml(.selectsNothingInNamespace), .xml(.undeclaredPrefix), .xml(.noDefaultNamespace):
      true
    // An operation of a patch that adds a value needs the value around its path, too.
    case .path(.inPatch(_, .path(.noNewPath(let problem)))): Self.path(problem).isOfMissingValue
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
