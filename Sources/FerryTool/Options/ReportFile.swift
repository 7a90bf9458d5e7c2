import ArgumentParser
import Ferry

/// The file of `--report`, which is written without `--force` and therefore must not be a file of the same run.
struct ReportFile {
  /// The path of the file; `-` is the standard output.
  let path: String

  /// Throws if the report would replace a file that the run reads or writes, or change a package.
  ///
  /// - Parameters:
  ///   - records: The names of the records' files for each input; empty if the run does not split records. The name of a file after a value is checked later,
  ///     when the record has been read.
  ///   - options: The files that options name and the run reads.
  func check(
    inputs: [String], outputs: [String], records: [SplitNames] = [], options: [OptionFile]
  ) throws(ValidationError) {
    guard path != "-" else { return }
    if let redirected = RunOutputs.redirected, !FileOutput.isStandardOutput(path),
      Folder.identity(of: path) == redirected
    {
      throw ValidationError("--report would replace the file of the standard output; give another file")
    }
    for input in inputs {
      try check(input, input == "-" ? "the file of the standard input" : "the input \(input)")
    }
    for output in outputs where output != "-" { try check(output, "the output \(output)") }
    if records.contains(where: { $0.isNumbered(path) }) {
      throw ValidationError("--report has the name of a record's file, \(path); give another file")
    }
    for file in options {
      try check(file.path, file.path == "-" ? file.words : "\(file.path), \(file.words)")
    }
  }

  /// Throws if a file, described by `words`, is the file of the report or a package with it; `-` is the file of the standard input.
  private func check(_ file: String, _ words: String) throws(ValidationError) {
    // A file that does not exist yet has no identity, so the paths are compared, too.
    guard !path.equals(file), !RunOutputs.isSame(path, file) else {
      throw ValidationError("--report would replace \(words); give another file")
    }
    guard file == "-" || !Folder.contains(file, path) else {
      throw ValidationError("--report would write into \(words); give another file")
    }
  }
}
