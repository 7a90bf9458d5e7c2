/// A problem in a file with a single text or picture, or in a value to write to such a file.
public enum ContentProblem: Hashable, Sendable {
  /// Bytes that are not UTF-8.
  case notUTF8
  /// Bytes that are not text in an encoding.
  case notInEncoding(String)
  /// An encoding was given for a format that is not text.
  case encodingNotUsed(format: String)
  /// The name of an encoding that is not supported.
  case unknownEncoding(String)
  /// A character that an encoding does not have, at a location in the output.
  case notEncodable(UInt32, encoding: String, line: Int, column: Int)
  /// A character in a name, a comment or an instruction of XML, which cannot have the escape that is asked for, at a location in the output.
  case notEscapable(UInt32, line: Int, column: Int)
  /// A text that was changed, and that is not the same after it is decoded and encoded again.
  case notEncodedBack(String)
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
      "these bytes are not \(MessageText.name(encoding))"
    case .encodingNotUsed(let format):
      "an encoding cannot be given for \(format), which is not text"
    case .unknownEncoding(let name):
      "the encoding \(MessageText.quoted(name)) is not supported"
    case .notEncodable(let scalar, let encoding, let line, let column):
      "\(MessageText.name(encoding)) has no \(Self.words(for: scalar)), in line \(line), column \(column) of the output"
    case .notEscapable(let scalar, let line, let column):
      "a name, comment or instruction of XML cannot have an escape for \(Self.words(for: scalar)), in line \(line), column \(column) of the output"
    case .notEncodedBack(let encoding):
      "the text is not the same after it is decoded from \(MessageText.name(encoding)) and encoded again (convert it to UTF-8 first)"
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
  /// Returns a character with its number: `"é" (U+00E9)`.
  static func words(for scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return Unicode.Scalar(scalar).map { "\(MessageText.quoted(String($0))) (\(number))" } ?? number
  }

  /// The stable identifier of the problem for programs. It never changes.
  var code: String {
    switch self {
    case .notUTF8: "not-utf8"
    case .notInEncoding: "not-in-encoding"
    case .encodingNotUsed: "encoding-not-used"
    case .unknownEncoding: "unknown-encoding"
    case .notEncodable: "not-encodable"
    case .notEscapable: "not-escapable"
    case .notEncodedBack: "not-encoded-back"
    case .notAText: "not-a-text"
    case .wrongSize: "wrong-size"
    case .notAPicture: "not-a-picture"
    case .badRow: "bad-row"
    case .brokenPNG: "broken-png"
    case .unusablePNG: "unusable-png"
    }
  }
}
