/// A problem of a file that is one text or one picture, or of a value to be written as one.
public enum ContentProblem: Hashable, Sendable {
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A value other than a string, which cannot be written as a text.
  case notAText(found: String)
  /// A file whose size is not that of a picture; its size and the expected one, in bytes.
  case wrongSize(Int, wanted: Int)
  /// A value that cannot be written as a picture.
  case notAPicture(found: String)
  /// A row that is not eight characters `#` or `.`.
  case badRow(String)
  /// A PNG picture that is not valid, and the reason.
  case brokenPNG(String)
  /// A PNG picture that Ferry does not support, and the reason.
  case unusablePNG(String)
}

extension ContentProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .notUTF8: "this is not UTF-8 text"
    case .notAText(let found): "plain text must be one string, found \(found)"
    case .wrongSize(let size, let wanted): "a TinyPix picture has \(wanted) bytes, found \(size)"
    case .notAPicture(let found): "a picture must be eight rows of # and ., found \(found)"
    case .badRow(let row): "a row of a picture must be eight of # and ., found \(row)"
    case .brokenPNG(let how): "the PNG picture is broken: \(how)"
    case .unusablePNG(let why): "only PNG pictures of 8 × 8 black and white pixels are supported: \(why)"
    }
  }
}

extension ContentProblem {
  /// The identifier of the problem in reports, which no release changes.
  var code: String {
    switch self {
    case .notUTF8: "not-utf8"
    case .notAText: "not-a-text"
    case .wrongSize: "wrong-size"
    case .notAPicture: "not-a-picture"
    case .badRow: "bad-row"
    case .brokenPNG: "broken-png"
    case .unusablePNG: "unusable-png"
    }
  }
}
