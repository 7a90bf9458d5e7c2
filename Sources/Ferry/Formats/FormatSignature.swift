/// A check that recognizes the files of a format.
struct FormatSignature: Sendable {
  /// The order in which signatures are checked. A format has a lower rank than the formats whose syntax it
  /// shares.
  enum Rank: Int, CaseIterable {
    /// The file name determines the format, because the contents can be anything.
    case name
    /// The first bytes determine the format.
    case bytes
    /// Certain entries of a dialect: the keys of an archive in an XML property list.
    case entries
    /// A dialect of a language: a property list in XML, JSON on separate lines.
    case dialect
    /// A language: XML, JSON.
    case language
  }

  /// The proof that a file has the format, if its name does not have an extension of the format.
  enum Proof {
    /// The first bytes: no file of another program begins with them.
    case firstBytes
    /// The whole text, which is well-formed: files of other programs begin in the same way.
    case wholeText
    /// The name alone: a text of any kind may be well-formed.
    case name
  }

  let rank: Rank
  let proof: Proof
  /// True if a file with the format's extension may lack the signature.
  let isOptional: Bool
  /// Returns true if an input may have this format.
  let matches: @Sendable (FormatHead) -> Bool

  /// Creates a signature. By default, first bytes are a proof of the format, and a name is not.
  init(
    _ rank: Rank, isOptional: Bool = false, proof: Proof? = nil,
    _ matches: @escaping @Sendable (FormatHead) -> Bool
  ) {
    (self.rank, self.isOptional, self.matches) = (rank, isOptional, matches)
    switch rank {
    case .name: self.proof = proof ?? .name
    case .bytes: self.proof = proof ?? .firstBytes
    case .entries, .dialect, .language: self.proof = proof ?? .wholeText
    }
  }

  /// Creates the signature of a format whose files begin with the given bytes.
  init(_ signature: FileSignature) {
    self.init(.bytes) { signature.begins($0.bytes) }
  }

  /// The signature of a format that is recognized later, by the objects in a file of another format.
  static let inObjects: Self = FormatSignature(.bytes) { _ in false }
}

/// The first bytes of an input, and the extension of its name, as signatures need them.
struct FormatHead {
  /// The number of first bytes that detection needs.
  static let size = 1 << 16

  /// The first bytes. UTF-16 and UTF-32 are converted to UTF-8. The reader will decode the input, or name its encoding in an
  /// error.
  let bytes: [UInt8]
  let fileExtension: String?
  /// The name of a hidden file that has no extension, without its first period: `env` for `.env`.
  let hiddenName: String?
  /// False for the standard input and other streams, and for bytes in memory.
  let isNamed: Bool
  /// The index after the byte order mark and white space.
  let start: Int
  /// The number of first bytes, before their conversion.
  let byteCount: Int
  /// The index after the first value if the bytes begin like JSON and contain it, otherwise nil. Found once, because several
  /// signatures need it.
  private(set) var firstJSONValueEnd: Int?

  init(_ bytes: [UInt8], name: String?) {
    isNamed = name.map { $0 != "-" && !$0.hasPrefix("/dev/") } ?? false
    byteCount = bytes.count
    self.bytes = Self.inUTF8(bytes)
    fileExtension = name.flatMap(FormatDetector.fileExtension)
    hiddenName = fileExtension == nil ? name.flatMap(FormatDetector.nameOfHiddenFile) : nil
    start = self.bytes[self.bytes.utf8MarkCount...].firstIndex { !Self.isSpace($0) } ?? self.bytes.count
    if beginsLikeJSON { firstJSONValueEnd = jsonValueEnd(from: start) }
  }

  private static func inUTF8(_ head: [UInt8]) -> [UInt8] {
    let isMarked = ByteOrderMark.utf16LittleEndian.begins(head) || ByteOrderMark.utf16BigEndian.begins(head)
    guard head.count > 3 else { return isMarked && head.count == 2 ? [] : head }
    // Two characters distinguish a text in UTF-32 from files that begin with a length.
    let isBigEndianUTF32 =
      head.count >= 8 && head[3] != 0 && [0, 1, 2, 4, 5].allSatisfy { head[$0] == 0 }
    if head.span.isUTF32 || isBigEndianUTF32 {
      return inUTF8(head, from: UTF32.self, isBigEndian: head[0] == 0)
    }
    guard isMarked || (head[0] == 0) != (head[1] == 0), !head.starts(with: [0, 0]) else { return head }
    let isBigEndian = isMarked ? ByteOrderMark.utf16BigEndian.begins(head) : head[0] == 0
    return inUTF8(head, from: UTF16.self, isBigEndian: isBigEndian)
  }

  /// Returns a text in UTF-8, without its byte order mark and NULs. Units that are not a character, such as half of a surrogate pair,
  /// become U+FFFD.
  private static func inUTF8<Encoding: Unicode.Encoding>(
    _ head: [UInt8], from encoding: Encoding.Type, isBigEndian: Bool
  ) -> [UInt8] {
    let size = MemoryLayout<Encoding.CodeUnit>.size
    let units = stride(from: 0, through: head.count - size, by: size).map { start in
      let unit = head[start..<start + size].reduce(0 as Encoding.CodeUnit) { $0 << 8 | Encoding.CodeUnit($1) }
      return isBigEndian ? unit : unit.byteSwapped
    }
    let text = Array(String(decoding: units, as: encoding).utf8)
    return text.dropFirst(text.utf8MarkCount).filter { $0 != 0 }
  }

  /// The format with the extension of the input's name; nil if there is none.
  var formatOfExtension: Format? { fileExtension.flatMap(Format.init(fileExtension:)) }

  /// True if the input has no further bytes.
  var isWhole: Bool { byteCount < Self.size }

  /// The first byte after the byte order mark and white space.
  var first: UInt8? { start < bytes.count ? bytes[start] : nil }

  /// True if the text begins with a line of only white space, and other text follows.
  var hasEmptyFirstLine: Bool {
    start < bytes.count && bytes[bytes.utf8MarkCount..<start].contains(where: Self.isLineEnd)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Returns the index of the next byte that is not white space.
  func content(from index: Int) -> Int? { bytes[index...].firstIndex { !Self.isSpace($0) } }

  /// Returns the index after the first occurrence of a literal.
  func end(ofFirst literal: StaticString, from start: Int) -> Int? {
    bytes.span.end(ofFirst: literal, from: start)
  }
}
