/// The encoding of an XML text, as detected from its first bytes.
enum XMLTextEncoding {
  case utf8, utf16BigEndian, utf16LittleEndian

  /// The name of the encoding in messages.
  var noun: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16BigEndian: "UTF-16 in big-endian order"
    case .utf16LittleEndian: "UTF-16 in little-endian order"
    }
  }

  /// The names of UTF-8 in lowercase: those that IANA registers, and `utf8`.
  private static let utf8Names: Set = ["utf-8", "utf8", "csutf8"]
  /// The names of ASCII in lowercase: those that IANA registers and XML allows, and `ascii`.
  private static let asciiNames: Set = [
    "us-ascii", "ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "iso-ir-6", "iso646-us", "us", "ibm367", "cp367",
    "csascii",
  ]
  private static let utf16Names: Set = ["utf-16", "utf16", "ucs-2", "iso-10646-ucs-2"]

  /// Returns true if an XML declaration names UTF-8.
  static func isUTF8(_ name: String) -> Bool { utf8Names.contains(name.lowercased()) }

  /// Returns true if an XML declaration names ASCII.
  static func isASCII(_ name: String) -> Bool { asciiNames.contains(name.lowercased()) }

  /// Returns true if an XML declaration may use a name for the encoding. A text in ASCII is also one in UTF-8.
  func hasName(_ name: String) -> Bool {
    let name = name.lowercased()
    return switch self {
    case .utf8: Self.isUTF8(name) || Self.isASCII(name)
    case .utf16BigEndian: Self.utf16Names.contains(name) || name == "utf-16be"
    case .utf16LittleEndian: Self.utf16Names.contains(name) || name == "utf-16le"
    }
  }

  /// Detects the encoding of a text.
  init(of text: [UInt8]) { self = Self.detect(text.span).encoding }

  /// Returns a well-formed text of this encoding in UTF-8. A byte order mark becomes one in UTF-8.
  func utf8(_ text: [UInt8]) -> [UInt8] {
    guard self != .utf8 else { return text }
    var (transcoder, utf8) = (UTF16Transcoder(isBigEndian: self == .utf16BigEndian), [UInt8]())
    _ = transcoder.append(text.span, to: &utf8)
    return utf8
  }

  /// Returns a text in UTF-8 in this encoding.
  func encoded(_ utf8: [UInt8]) -> [UInt8] {
    guard self != .utf8 else { return utf8 }
    return String(decoding: utf8, as: UTF8.self).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return self == .utf16BigEndian ? [high, low] : [low, high]
    }
  }

  /// The number of bytes that detection needs, also to tell UTF-16 from UTF-32.
  static let decidingBytes = 4

  /// Returns the encoding, and the length of the byte order mark in bytes.
  static func detect(_ head: Span<UInt8>) -> (encoding: XMLTextEncoding, markBytes: Int) {
    if ByteOrderMark.utf8.begins(head) { return (.utf8, 3) }
    if ByteOrderMark.utf16BigEndian.begins(head) { return (.utf16BigEndian, 2) }
    if ByteOrderMark.utf16LittleEndian.begins(head) { return (.utf16LittleEndian, 2) }
    guard head.count >= 2 else { return (.utf8, 0) }
    switch (head[0], head[1]) {
    case (0, UInt8(ascii: "<")): return (.utf16BigEndian, 0)
    case (UInt8(ascii: "<"), 0): return (.utf16LittleEndian, 0)
    default: return (.utf8, 0)
    }
  }
}

extension XMLTextEncoding {
  /// Returns true if the declaration of an XML document names another encoding than UTF-8.
  static func declaresOther(_ document: [UInt8]) -> Bool {
    let text = document.span
    guard XMLDeclarationCheck.isDeclaration(text), let end = text.firstIndex(of: UInt8(ascii: "?"), from: 5),
      let name = try? XMLDeclarationCheck.check(text.extracting(0..<end))
    else { return false }
    return !isUTF8(String(decoding: document[name], as: UTF8.self))
  }

  /// Returns markup in UTF-8 in another encoding, with references for the characters that the encoding lacks. Names cannot contain
  /// references, so markup with other names is not well-formed afterward.
  ///
  /// - Parameters:
  ///   - utf8: The markup.
  ///   - name: The name of the encoding (see `otherDeclared`); nil for ASCII.
  static func encoded(_ utf8: [UInt8], in name: String?) -> [UInt8] {
    guard !utf8.span.isASCII else { return utf8 }
    return converted(utf8, to: name, escape: .reference) ?? ascii(utf8)
  }

  /// Returns a text in UTF-8 in another encoding, or nil if the encoding lacks one of its characters.
  static func native(_ utf8: [UInt8], in name: String?) -> [UInt8]? {
    utf8.span.isASCII ? utf8 : converted(utf8, to: name, escape: nil)
  }

  private static func converted(_ utf8: [UInt8], to name: String?, escape: CharacterEscape?) -> [UInt8]? {
    guard let name else { return nil }
    var bytes: [UInt8] = []
    do throws(FerryError) {
      var encoder = try TextEncoder(
        to: OutputEncoding(name: name, mark: []), escape: escape, declaresEncoding: false)
      try encoder.append(utf8.span, to: &bytes)
      try encoder.finish(to: &bytes)
    } catch {
      return nil
    }
    return bytes
  }

  /// Returns the text of an XML document in ASCII, with references for all other characters. Names cannot
  /// contain references, so a text with other names is not well-formed afterward.
  private static func ascii(_ utf8: [UInt8]) -> [UInt8] {
    guard !utf8.span.isASCII else { return utf8 }
    return String(decoding: utf8, as: UTF8.self).unicodeScalars.flatMap { scalar in
      scalar.isASCII ? [UInt8(scalar.value)] : Array("&#\(scalar.value);".utf8)
    }
  }
}

/// A checker for UTF-8 in chunks.
struct UTF8Checker {
  /// The number of bytes missing from the current sequence.
  private var wanted = 0
  /// The valid range of the next byte.
  private var range: ClosedRange<UInt8> = 0x80...0xbf

  /// True if the last sequence is complete.
  var isWhole: Bool { wanted == 0 }

  /// Returns the number of well-formed bytes: the size of the chunk, or the number of bytes before the first
  /// invalid one.
  mutating func validCount(of chunk: Span<UInt8>) -> Int {
    var index = 0
    while index < chunk.count {
      if wanted == 0 {
        index += chunk.extracting(droppingFirst: index).asciiPrefixCount
        guard index < chunk.count else { break }
        guard let lead = UTF8Lead(chunk[index]) else { return index }
        (wanted, range) = (lead.length - 1, lead.second)
      } else {
        guard range.contains(chunk[index]) else { return index }
        wanted -= 1
        range = 0x80...0xbf
      }
      index += 1
    }
    return index
  }
}

/// A transcoder from UTF-16 in chunks to UTF-8.
struct UTF16Transcoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt32?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// True if the last code unit and the last surrogate pair are complete.
  var isWhole: Bool { firstByte == nil && highSurrogate == nil }

  /// Appends a chunk as UTF-8. If it contains an unpaired surrogate, appends the text before it and returns
  /// false.
  mutating func append(_ chunk: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    text.reserveCapacity(text.count + chunk.count / 2 * 3)
    for index in chunk.indices {
      guard let first = firstByte else {
        firstByte = chunk[index]
        continue
      }
      firstByte = nil
      let unit =
        isBigEndian
        ? UInt32(first) << 8 | UInt32(chunk[index]) : UInt32(chunk[index]) << 8 | UInt32(first)
      switch (highSurrogate, unit & 0xfc00) {
      case (let high?, 0xdc00):
        text.append(scalar: UInt32(highSurrogate: high, low: unit))
        highSurrogate = nil
      case (nil, 0xd800): highSurrogate = unit
      case (.some, _), (nil, 0xdc00): return false
      default: text.append(scalar: unit)
      }
    }
    return true
  }
}
