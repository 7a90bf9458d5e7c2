import ArgumentParser
import Ferry

/// The options of a command with paths for several files in place of one: those in a folder, and those in a list.
protocol SeveralFiles {
  /// The option for the files in a folder.
  static var recursion: String { get }
  /// True if the argument is a folder, whose files are meant.
  var recursive: Bool { get }
  var patterns: PatternOptions { get }
  var list: FileListOptions { get }
}

extension SeveralFiles {
  /// True if the files of a folder or of a list are meant, and not one file.
  var areSeveral: Bool { recursive || list.isGiven }

  /// The option for several files, which is given.
  var option: String { recursive ? Self.recursion : "--files-from" }

  /// Throws if an option needs another one, which is not given.
  func checkOptions() throws(ValidationError) {
    guard recursive || patterns.included.isEmpty && patterns.excluded.isEmpty else {
      throw ValidationError("--include and --exclude need \(Self.recursion)")
    }
    guard list.isGiven || !list.endsWithZero else { throw ValidationError("--null needs --files-from FILE") }
  }

  /// Returns the files in the folder, or those in the list. Folders in the list are opened only with the option for the files in a folder.
  ///
  /// - Parameters:
  ///   - folder: The argument, which is not used if there is a list.
  ///   - errors: Receives the names and paths that cannot be read.
  ///   - outputs: The files that the run writes.
  func inputs(
    in folder: String, _ types: DocumentTypes, _ errors: RunErrors,
    leavingOut outputs: RunOutputs = RunOutputs()
  ) throws -> [FoundInput] {
    guard list.isGiven || folder != "-" else {
      throw ValidationError("\(Self.recursion) needs the name of a folder, and - is the standard input")
    }
    let names = list.isGiven ? try list.names(after: [], types, errors) : [folder]
    guard recursive else { return names.map { FoundInput(named: $0, among: types) } }
    return FoundInput.all(
      named: names, patterns.choice, types, errors, isQuiet: false, leavingOut: outputs)
  }
}
