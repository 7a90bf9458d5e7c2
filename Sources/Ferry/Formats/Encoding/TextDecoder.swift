extension Format {
  /// True if a file of the format is text in some encoding.
  package var hasEncoding: Bool { description.textEncoding != nil }

  /// Throws if an encoding is given for a format that is not text.
  func checkEncoding(_ encoding: String?) throws(FerryError) {
    guard encoding == nil || hasEncoding else {
      throw FerryError(.content(.encodingNotUsed(format: rawValue)))
    }
  }

  /// Returns the encoding in which a text of the format is edited: UTF-16 if the first bytes show it, otherwise UTF-8.
  func encoding(of bytes: [UInt8]) -> XMLTextEncoding {
    switch description.textEncoding {
    case .declared: XMLTextEncoding(of: bytes)
    // UTF-32 is not edited as text.
    case .marked: bytes.span.isUTF32 ? .utf8 : XMLTextEncoding(ofMarked: bytes)
    case .utf8, nil: .utf8
    }
  }

  /// Returns a text of the format in UTF-8 if it is in UTF-16, otherwise its bytes.
  func text(of bytes: [UInt8]) -> [UInt8] { encoding(of: bytes).utf8(bytes) }
}

extension XMLTextEncoding {
  /// Detects the encoding of a text without a declaration, as `TextDecoder` does.
  init(ofMarked text: [UInt8]) {
    let head = Array(text.prefix(4))
    let zeros = head.zerosInText
    if ByteOrderMark.utf16LittleEndian.begins(head) || zeros == [false, true, false, true] {
      self = .utf16LittleEndian
    } else if ByteOrderMark.utf16BigEndian.begins(head) || zeros == [true, false, true, false] {
      self = .utf16BigEndian
    } else {
      self = .utf8
    }
  }
}

extension [UInt8] {
  /// For each of the first four bytes of a text without a byte order mark, true if it is zero, as half of the bytes of ASCII in UTF-16 are.
  /// Empty if there are fewer bytes, or if one of the others is a control character, as in binary files.
  fileprivate var zerosInText: [Bool] {
    guard count == 4, allSatisfy({ $0 == 0 || Self.isOfText($0) }) else { return [] }
    return map { $0 == 0 }
  }

  /// Returns true if a text may begin with a character of Latin-1. A control character may not, except for white space and the
  /// separator of a JSON text sequence.
  private static func isOfText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09...0x0d, 0x1e, 0x20...0x7e, 0xa0...0xff: true
    default: false
    }
  }
}

/// A decoder to UTF-8 of a text whose encoding is given or shown by its first bytes, in chunks of any size.
///
///     EF BB BF 61 …      UTF-8 with a byte order mark, which the decoder leaves out
///     FF FE 61 00 …      UTF-16 with a byte order mark
///     61 00 2C 00 …      UTF-16 without a mark: every second byte of the first four is zero, and the others are of text
///     61 00 00 00        UTF-32 without a mark: three of the first four bytes are zero, and the other is of text
///     61 2C 62 0A        the given encoding, or else UTF-8
///
/// A byte order mark takes precedence over a given encoding. UTF-8 is not checked.
struct TextDecoder {
  private let encoding: String?
  /// The first bytes, until the encoding is decided.
  private var head: [UInt8] = []
  private var decoder: CharacterDecoder?
  private var name = "UTF-8"
  /// The encoding in the name that `iconv` knows.
  private(set) var codeName = "UTF-8"
  private static let decidingBytes = 4

  /// Creates a decoder.
  ///
  /// - Parameter encoding: The encoding of a text without a byte order mark, or nil to find it.
  init(encoding: String?) { self.encoding = encoding }

  /// Returns the name of the encoding that the first bytes of a text show.
  static func nameOfEncoding(shownBy head: [UInt8]) -> String {
    var (decoder, text) = (TextDecoder(encoding: nil), [UInt8]())
    try? decoder.append(head.span.extracting(first: min(head.count, decidingBytes)), to: &text)
    try? decoder.finish(to: &text)
    return decoder.codeName
  }

  /// Returns true if the first bytes of a text show no encoding other than UTF-8, and have no byte order mark.
  static func showsUnmarkedUTF8(_ head: [UInt8]) -> Bool {
    head.utf8MarkCount == 0 && nameOfEncoding(shownBy: head) == "UTF-8"
  }

  /// True if the decoded text has the bytes of the input, except for a byte order mark.
  var isPassingThrough: Bool {
    if case .utf8? = decoder { true } else { decoder == nil }
  }

  /// The number of bytes of the byte order mark, which are not part of the text.
  private(set) var markBytes = 0

  /// Appends a chunk as UTF-8. The text before a mistake is appended, too.
  ///
  /// - Throws: A `FerryError` with the reason `ContentProblem.notInEncoding` or `unknownEncoding`.
  mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) throws(FerryError) {
    guard decoder == nil else { return try decode(chunk, to: &text) }
    let missing = min(Self.decidingBytes - head.count, chunk.count)
    head.append(copying: chunk.extracting(first: missing))
    guard head.count == Self.decidingBytes || head.span.showsUTF8WithoutMark else { return }
    try decide(to: &text)
    try decode(chunk.extracting(droppingFirst: missing), to: &text)
  }

  /// Ends the input.
  mutating func finish(to text: inout [UInt8]) throws(FerryError) {
    if decoder == nil { try decide(to: &text) }
    guard decoder?.finish(to: &text) ?? true else { throw notInEncoding }
  }

  private mutating func decode(_ chunk: Span<UInt8>, to text: inout [UInt8]) throws(FerryError) {
    guard decoder?.append(chunk, to: &text) ?? true else { throw notInEncoding }
  }

  private var notInEncoding: FerryError { FerryError(.content(.notInEncoding(name))) }

  private mutating func decide(to text: inout [UInt8]) throws(FerryError) {
    let head = head
    (decoder, markBytes) = try decoder(for: head)
    try decode(head.span.extracting(droppingFirst: markBytes), to: &text)
  }

  private mutating func decoder(
    for head: [UInt8]
  ) throws(FerryError) -> (decoder: CharacterDecoder, markBytes: Int) {
    if ByteOrderMark.utf32LittleEndian.begins(head) { return (try converter("UTF-32LE"), 4) }
    if ByteOrderMark.utf32BigEndian.begins(head) { return (try converter("UTF-32BE"), 4) }
    if ByteOrderMark.utf8.begins(head) { return (.utf8, 3) }
    if ByteOrderMark.utf16LittleEndian.begins(head) { return (utf16(isBigEndian: false), 2) }
    if ByteOrderMark.utf16BigEndian.begins(head) { return (utf16(isBigEndian: true), 2) }
    if let encoding { return (try decoder(named: encoding), 0) }
    return switch head.zerosInText {
    case [false, true, false, true]: (utf16(isBigEndian: false), 0)
    case [true, false, true, false]: (utf16(isBigEndian: true), 0)
    case [false, true, true, true]: (try converter("UTF-32LE"), 0)
    case [true, true, true, false]: (try converter("UTF-32BE"), 0)
    default: (.utf8, 0)
    }
  }

  private mutating func decoder(named encoding: String) throws(FerryError) -> CharacterDecoder {
    switch encoding.lowercased() {
    case "utf-8", "utf8", "utf-8-bom", "utf-8-sig": return .utf8
    case "utf-16", "utf16", "utf-16le", "utf16le": return utf16(isBigEndian: false)
    case "utf-16be", "utf16be": return utf16(isBigEndian: true)
    case "utf-32", "utf32": return try converter("UTF-32LE")
    default: return try converter(encoding)
    }
  }

  private mutating func utf16(isBigEndian: Bool) -> CharacterDecoder {
    codeName = isBigEndian ? "UTF-16BE" : "UTF-16LE"
    name = isBigEndian ? "UTF-16 in big-endian order" : "UTF-16 in little-endian order"
    return .utf16(UTF16Transcoder(isBigEndian: isBigEndian))
  }

  private mutating func converter(_ encoding: String) throws(FerryError) -> CharacterDecoder {
    (name, codeName) = (encoding, encoding)
    guard let converter = CharacterConverter(named: encoding) else {
      throw FerryError(.content(.unknownEncoding(encoding)))
    }
    return .converter(converter)
  }
}
