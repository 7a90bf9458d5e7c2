/// A check that recognizes the files of a format.
struct FormatSignature: Sendable {
  /// The order in which signatures are checked. A format has a lower rank than the formats whose syntax it
  /// shares.
  enum Rank {
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
    hiddenName = name.flatMap(FormatDetector.nameOfHiddenFile)
    let mark = self.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    start = self.bytes[mark...].firstIndex { !Self.isSpace($0) } ?? self.bytes.count
    if beginsLikeJSON { firstJSONValueEnd = jsonValueEnd(from: start) }
  }

  private static func inUTF8(_ head: [UInt8]) -> [UInt8] {
    guard head.count > 3 else { return [[0xff, 0xfe], [0xfe, 0xff]].contains(head) ? [] : head }
    // Two characters distinguish a text in UTF-32 from files that begin with a length.
    let isBigEndianUTF32 =
      head.count >= 8 && head[3] != 0 && [0, 1, 2, 4, 5].allSatisfy { head[$0] == 0 }
    if head.span.isUTF32 || isBigEndianUTF32 {
      return inUTF8(head, unitSize: 4, isBigEndian: head[0] == 0)
    }
    let isMarked = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
    guard isMarked || (head[0] == 0) != (head[1] == 0), !head.starts(with: [0, 0]) else { return head }
    return inUTF8(head, unitSize: 2, isBigEndian: isMarked ? head[0] == 0xfe : head[0] == 0)
  }

  /// Returns a text of units of two or four bytes in UTF-8, without its byte order mark and NULs. Half of a surrogate pair is
  /// left out.
  private static func inUTF8(_ head: [UInt8], unitSize: Int, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    var high: UInt32 = 0
    for start in stride(from: 0, through: head.count - unitSize, by: unitSize) {
      var unit: UInt32 = 0
      for index in 0..<unitSize {
        unit = unit << 8 | UInt32(head[start + (isBigEndian ? index : unitSize - 1 - index)])
      }
      switch unit {
      case 0xdc00...0xdfff where high != 0: text.append(scalar: UInt32(highSurrogate: high, low: unit))
      case 0, 0xd800...0xdfff, 0x11_0000...: break
      case 0xfeff where start == 0: break
      default: text.append(scalar: unit)
      }
      high = 0xd800...0xdbff ~= unit ? unit : 0
    }
    return text
  }

  /// The format with the extension of the input's name; nil if there is none.
  var formatOfExtension: Format? { fileExtension.flatMap(Format.init(fileExtension:)) }

  /// True if the input has no further bytes.
  var isWhole: Bool { byteCount < Self.size }

  /// The first byte after the byte order mark and white space.
  var first: UInt8? { start < bytes.count ? bytes[start] : nil }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Returns the index of the next byte that is not white space.
  func content(from index: Int) -> Int? { bytes[index...].firstIndex { !Self.isSpace($0) } }

  /// Returns the index after the first occurrence of a literal.
  func end(ofFirst literal: StaticString, from start: Int) -> Int? {
    bytes.span.end(ofFirst: literal, from: start)
  }
}
