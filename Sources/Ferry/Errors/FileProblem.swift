/// What can be wrong with a file as such.
public enum FileProblem: Hashable, Sendable {
  /// The system's own words: no such file, permission denied, no space left.
  case system(String)
  /// A directory, where a file is needed.
  case isDirectory
  /// A file, where a directory is needed.
  case notADirectory
  /// Nothing in it.
  case empty
  /// Content that no known kind of file begins with.
  case unknownFormat(found: String)
  /// A document whose name tells no format.
  case unknownTarget
  /// A kind of file that is known, and that Ferry does not read.
  case otherKind(String)
  /// A format that Ferry reads and does not write.
  case notWritten(String)
  /// The output is there already.
  case exists
  /// Another input of the same run has this output.
  case outputTaken(String)
  /// Whoever read the output has stopped reading.
  case brokenPipe
  /// More bytes than may be read at once; the limit.
  case tooLarge(limit: Int)
  /// A pipe, which can be read only once, where two passes are needed.
  case notRewindable
  /// An output that has been committed or abandoned.
  case notOpen
}

extension FileProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .system(let words): words
    case .isDirectory: "this is a directory, not a file"
    case .notADirectory: "this is a file, not a directory"
    case .outputTaken(let name): "another input is converted to \(name) already"
    case .empty: "the file is empty"
    case .unknownFormat(let found): "\(found) (--from names the format; `ferry formats` lists them)"
    case .unknownTarget:
      "the document's name tells no format (--to names the format; `ferry formats` lists them)"
    case .otherKind(let kind): "this is \(kind), which Ferry does not read"
    case .notWritten(let format):
      "Ferry reads \(format) but does not write it (`ferry formats` lists what it writes)"
    case .exists: "the file exists already (--force replaces it)"
    case .brokenPipe: "whoever read the output has stopped reading"
    case .tooLarge(let limit): "the file is larger than \(limit) bytes"
    case .notRewindable: "a pipe can be read only once"
    case .notOpen: "the output is closed already"
    }
  }
}
