/// What can be wrong with a file that is one text or one picture, or with a value that is to become one.
public enum ContentProblem: Hashable, Sendable {
  /// Bytes that are no UTF-8.
  case notUTF8
  /// A value that is no string, where a text is written.
  case notAText(found: String)
  /// A file of another size than a picture's; the size and the one that is wanted, in bytes.
  case wrongSize(Int, wanted: Int)
  /// A value that is no picture, where one is written.
  case notAPicture(found: String)
  /// A row that is not eight of `#` and `.`.
  case badRow(String)
  /// A PNG picture that is broken, and how.
  case brokenPNG(String)
  /// A PNG picture that Ferry does not take, and why.
  case unusablePNG(String)
}

extension ContentProblem: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .notUTF8: "this is no UTF-8 text"
    case .notAText(let found): "a text is one string, found \(found)"
    case .wrongSize(let size, let wanted): "a TinyPix picture has \(wanted) bytes, found \(size)"
    case .notAPicture(let found): "a picture is eight rows of # and ., found \(found)"
    case .badRow(let row): "a row of a picture is eight of # and ., found \(row)"
    case .brokenPNG(let how): "the PNG picture is broken: \(how)"
    case .unusablePNG(let why): "only PNG pictures of 8 × 8 black and white pixels are read: \(why)"
    }
  }
}
