/// A problem in a file with a single text or picture, or in a value to write to such a file.
public enum ContentProblem: Hashable, Sendable {
  /// Bytes that are not UTF-8.
  case notUTF8
  /// Bytes that are not text in an encoding.
  case notInEncoding(String)
  /// An encoding was given for a format whose texts show their encoding themselves, or that is not text.
  case encodingNotUsed(format: String)
  /// The name of an encoding that is not supported.
  case unknownEncoding(String)
  /// A value other than a string, which cannot be written as text.
  case notAText(found: String)
  /// A file whose size is not that of a picture: the actual size and the expected size, in bytes.
  case wrongSize(Int, wanted: Int)
  /// A value that cannot be written as a picture.
  case notAPicture(found: String)
  /// A row other than eight characters `#` or `.`.
  case badRow(String)
  /// An invalid PNG file, and the reason.
  case brokenPNG(String)
  /// A PNG file that Ferry does not support, and the reason.
  case unusablePNG(String)
}

extension ContentProblem: CustomStringConvertible {
  /// The problem in one sentence, without a period.
  public var description: String {
    switch self {
    case .notUTF8: "this is not UTF-8 text"
    case .notInEncoding(let encoding):
      "these bytes are not \(nameForMessage(encoding)) (--encoding names the encoding, such as windows-1252)"
    case .encodingNotUsed(let format):
      "an encoding cannot be given for \(format), which shows its encoding itself or has none"
    case .unknownEncoding(let name):
      "the encoding \(quotedForMessage(name)) is not supported (iconv -l lists the names)"
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
  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .notUTF8: "not-utf8"
    case .notInEncoding: "not-in-encoding"
    case .encodingNotUsed: "encoding-not-used"
    case .unknownEncoding: "unknown-encoding"
    case .notAText: "not-a-text"
    case .wrongSize: "wrong-size"
    case .notAPicture: "not-a-picture"
    case .badRow: "bad-row"
    case .brokenPNG: "broken-png"
    case .unusablePNG: "unusable-png"
    }
  }
}
