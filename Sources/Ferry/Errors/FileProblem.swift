/// A problem of a file as a whole.
public enum FileProblem: Hashable, Sendable {
  /// An error of the system, with its message (permission denied, no space left on device) and its number, such as `EACCES`, if it
  /// is known.
  case system(String, errno: Int32? = nil)
  /// The file does not exist.
  case notFound
  /// The folder in which a file is to be created does not exist.
  case folderNotFound(String)
  /// A folder in which no file can be created, with the system's message and the number of its error.
  case folderNotWritable(String, String, errno: Int32? = nil)
  /// A file that exists and may not be written, with the system's message and the number of its error.
  case notWritable(String, errno: Int32? = nil)
  /// The folder for temporary files cannot be used, with the system's message and the number of its error.
  case temporaryFolder(String, String, errno: Int32? = nil)
  /// A file name that is not UTF-8. Its other bytes are written as `\xe9`.
  case nameNotUTF8(String)
  /// A standard stream that was closed when the program started.
  case closed
  /// Binary output would be written to a terminal.
  case binaryToTerminal
  /// Another program has written the file since it was read.
  case changedMeanwhile
  /// The path is that of a directory, but a file is needed.
  case isDirectory
  /// The path is that of a file, but a directory is needed.
  case notADirectory
  /// The file is empty.
  case empty
  /// The kind of file is unknown, with the format that the file may have.
  case unknownFormat(likely: LikelyFormat?)
  /// The name of the output does not determine a format.
  case unknownTarget
  /// A known kind of file that Ferry cannot read, with advice on how to get one that it can read.
  case otherKind(String, advice: String? = nil)
  /// A text has a run of zero bytes in place of bytes that were not written, as after a power cut.
  case zeroRun
  /// A file with the extension of text that looks like another format, but is invalid in that format, with the problem.
  indirect case notText(format: String, FerryError.Reason)
  /// A text that is invalid in its format and looks like a known kind of file that Ferry cannot read, with the problem.
  indirect case likely(kind: String, FerryError.Reason)
  /// A text that is invalid in its format at a conflict of a merge, with the problem and the line in which the conflict begins, or the line
  /// of a mark that is left over from a conflict.
  indirect case conflict(FerryError.Reason, line: Int, isLeftOver: Bool = false)
  /// A format that Ferry can read, but not write.
  case notWritten(String)
  /// A format that Ferry can write, but not read.
  case notRead(String)
  /// The standard input was read to its end before, as another input or the file of an option.
  case alreadyRead
  /// The output already exists.
  case exists
  /// Another input in the same run, with its name, has the same output. The names of the inputs may differ only in their extensions.
  case outputTaken(String, by: String, differsInExtension: Bool = false)
  /// The file is already an input of the run, by the given name, and both would have the same output.
  case namedTwice(as: String)
  /// A table of a database would be written to the file of another table.
  case tableOutputTaken(String)
  /// The value at a path in a record is missing, or is not a text, a number, a boolean or a date, so that it cannot be the name of a file.
  case noNameInRecord(String)
  /// A record has the name of the file of another record, whose index and name are given. The names may differ in their case.
  case sameNameInRecord(String, other: Int, named: String)
  /// A record has the file of a record of another input, with its name.
  case sameNameInInput(String, other: String)
  /// The output is not written because no inputs were found.
  case noInputs
  /// The output is another input of the same run.
  case outputIsInput(String)
  /// The output is a file that it is made from.
  case outputIsSource(String)
  /// The output is a file that the run reads, but not as an input, with a description of that file.
  case outputIsRead(String, String)
  /// The standard output is redirected to a file that the run reads.
  case isStandardOutput
  /// The file would be replaced by an empty selection.
  case nothingSelected
  /// The file would be replaced by only a part of its records. The number is that of the other records.
  case recordsLeftOut(Int)
  /// The reader of the output has closed the pipe.
  case brokenPipe
  /// The input has more bytes than can be read at once. The limit is in bytes.
  case tooLarge(limit: Int)
  /// A pipe, which can be read only once, was given for an operation that reads twice.
  case notRewindable
  /// The output has already been committed or abandoned.
  case notOpen
  /// A reader was called by the sink or the delegate to which it was sending.
  case readInside
}

extension FileProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .system(let words, _): words
    case .notFound: "no such file or directory"
    case .folderNotFound(let folder): "the folder \(MessageText.quoted(folder)) does not exist"
    case .folderNotWritable(let folder, let words, _):
      "cannot create a file in the folder \(MessageText.quoted(folder)): \(words)"
    case .notWritable(let words, _): "the file is not writable: \(words)"
    case .temporaryFolder(let folder, let words, _):
      "no temporary file can be written in \(MessageText.quoted(folder)): \(words) (TMPDIR names another folder)"
    case .nameNotUTF8(let name): "the name \"\(name)\" is not UTF-8 (rename the file)"
    case .closed: "the stream is closed"
    case .binaryToTerminal:
      "binary output is not written to a terminal"
    case .changedMeanwhile:
      "another program has changed the file meanwhile; its changes stay, and nothing was written (try again)"
    case .isDirectory: "this is a directory, not a file"
    case .notADirectory: "this is a file, not a directory"
    case .alreadyRead: "already read, by an option or as another input, and can be read only once"
    case .namedTwice(let other): "this input is named twice, also as \(other)"
    case .outputTaken(let name, let other, _): "another input, \(other), has the same output, \(name)"
    case .tableOutputTaken(let name): "another table has the same output, \(name)"
    case .noNameInRecord(let path):
      "the record has no value at \(MessageText.quoted(path)) that can be the name of a file"
    case .sameNameInRecord(let name, let other, let otherName):
      "the record has the same name of its file, \(MessageText.quoted(name)), as the record [\(other)]"
        + (name.equals(otherName)
          ? ""
          : ", \(MessageText.quoted(otherName)), because upper and lower case may be the same in a folder")
    case .sameNameInInput(let path, let other):
      "a record of another input, \(other), has the same name of its file, \(path)"
    case .noInputs: "not written, because there are no files to convert"
    case .outputIsInput(let name): "the output \(name) is another input of this run"
    case .outputIsSource(let name): "the output \(name) would replace a file that it is made from"
    case .outputIsRead(let name, let description): "the output \(name) would replace \(description)"
    case .isStandardOutput: "the standard output is redirected to this file, which the run reads"
    case .nothingSelected: "nothing matches the selection; the file was not replaced"
    case .recordsLeftOut(let count):
      (count == 1 ? "1 record was" : "\(count) records were")
        + " left out; the file was not replaced"
    case .empty: "the file is empty"
    case .unknownFormat(.csvTable?): "no format that Ferry reads begins with these bytes, which may be CSV"
    case .unknownFormat(.yamlBlock?): "no format that Ferry reads begins with these bytes, which may be YAML"
    case .unknownFormat(.zipArchive?):
      "no format that Ferry reads begins with these bytes, which a ZIP archive follows"
    case .unknownFormat(nil): "no format that Ferry reads begins with these bytes"
    case .unknownTarget:
      "the name of the document does not show its format"
    case .otherKind(let kind, let advice):
      "this is \(kind), which is not supported" + (advice.map { " (\($0))" } ?? "")
    case .zeroRun:
      "this is a text with a run of zero bytes: it was not written completely (restore it from a copy)"
    case .likely(_, let why), .notText(_, let why), .conflict(let why, _, _):
      "\(why); \(explanation?.text ?? "")"
    case .notWritten(let format): "writing \(format) is not supported"
    case .notRead(let format): "reading \(format) is not supported"
    case .exists: "the file already exists"
    case .brokenPipe: "the program that read the output has stopped reading"
    case .tooLarge(let limit): "the file is larger than \(limit) bytes"
    case .notRewindable: "a pipe can be read only once"
    case .notOpen: "the output is already closed"
    case .readInside: "a sink or a delegate cannot call the reader that sends to it"
    }
  }
}

extension FileProblem {
  /// The problem of a reader that this one explains, with the text that follows it; nil for other problems.
  package var explanation: (problem: FerryError.Reason, text: String)? {
    switch self {
    case .likely(let kind, let why): (why, "this looks like \(kind), which is not supported")
    case .notText(let format, let why): (why, "the file begins like \(format)")
    case .conflict(let why, let line, isLeftOver: false):
      (why, "a conflict of a merge begins in line \(line) (resolve it first)")
    case .conflict(let why, let line, isLeftOver: true):
      (why, "line \(line) is left over from a conflict of a merge (remove it)")
    default: nil
    }
  }

  /// A format that a file of an unknown kind may have. The raw value is the name of the format.
  public enum LikelyFormat: String, Sendable {
    /// The first lines may be the rows of a table.
    case csvTable = "csv"
    /// The first lines may be elements or entries of YAML.
    case yamlBlock = "yaml"
    /// A ZIP archive follows other bytes.
    case zipArchive = "zip"
  }

  /// The number of the system's error, such as `EACCES` or `ENOSPC`. Nil if it is not known, and for problems that have a case of their
  /// own.
  ///
  ///     if case .file(let problem) = error.reason, problem.errno == ENOSPC { … }      // no space left on device
  public var errno: Int32? {
    switch self {
    case .system(_, let errno), .folderNotWritable(_, _, let errno), .notWritable(_, let errno),
      .temporaryFolder(_, _, let errno):
      errno
    default: nil
    }
  }

  /// True if the contents of a file are at fault, and not the system, the output or a call.
  var isAboutData: Bool {
    switch self {
    case .notText, .likely, .conflict, .empty, .unknownFormat, .otherKind, .zeroRun, .notRead, .tooLarge: true
    default: false
    }
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .system: "system"
    case .notFound: "not-found"
    case .folderNotFound: "folder-not-found"
    case .folderNotWritable: "folder-not-writable"
    case .notWritable: "not-writable"
    case .temporaryFolder: "temporary-folder"
    case .nameNotUTF8: "name-not-utf8"
    case .closed: "closed"
    case .binaryToTerminal: "binary-to-terminal"
    case .changedMeanwhile: "changed-meanwhile"
    case .isDirectory: "is-directory"
    case .notADirectory: "not-a-directory"
    case .empty: "empty"
    case .unknownFormat: "unknown-format"
    case .unknownTarget: "unknown-target"
    case .otherKind: "other-kind"
    case .zeroRun: "zero-run"
    case .notText: "not-text"
    case .likely: "likely-kind"
    case .conflict: "conflict"
    case .notWritten: "not-written"
    case .notRead: "not-read"
    case .exists: "exists"
    case .alreadyRead: "already-read"
    case .namedTwice: "named-twice"
    case .outputTaken, .tableOutputTaken: "output-taken"
    case .noNameInRecord: "no-name-in-record"
    case .sameNameInRecord, .sameNameInInput: "same-name-in-record"
    case .noInputs: "no-inputs"
    case .outputIsInput, .outputIsSource, .outputIsRead, .isStandardOutput: "output-is-input"
    case .nothingSelected: "nothing-selected"
    case .recordsLeftOut: "records-left-out"
    case .brokenPipe: "broken-pipe"
    case .tooLarge: "too-large"
    case .notRewindable: "not-rewindable"
    case .notOpen: "not-open"
    case .readInside: "read-inside"
    }
  }
}
