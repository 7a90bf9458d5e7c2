/// Classifications of the bytes of a JSON text.
enum JSONBytes {
  /// Returns true if the byte can be part of a number or word. It accepts more bytes than JSON's numbers and
  /// words have, so that an error names `0x1F` and `True` as a whole.
  @inline(__always)
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns true if the byte can begin a key without quotation marks, and is ASCII and no escape.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "\\") && JSONName.canBegin(byte)
  }

  /// Returns true for the beginning of an escape that only JSON5 has and that no other text contains by mistake. JSON5 also
  /// reads `\d` as `d`, which is rather a path of Windows.
  static func isOwnEscapeOfJSON5(_ text: String) -> Bool { ["\\x", "\\'", "\\\n", "\\\r"].contains(text) }

  /// The byte before each record of a JSON text sequence (RFC 7464).
  static let recordSeparator: UInt8 = 0x1e

  /// Returns the length of the white space at an index that JSON5 has and JSON does not have, or nil if there is none.
  static func spaceLength(_ text: Span<UInt8>, at index: Int) -> Int? {
    func follows(_ bytes: UInt8...) -> Bool {
      guard index + bytes.count <= text.count else { return false }
      for (offset, byte) in bytes.enumerated() where text[index + offset] != byte { return false }
      return true
    }
    switch text[index] {
    case 0x0b, 0x0c: return 1
    case 0xc2: return follows(0xc2, 0xa0) ? 2 : nil
    case 0xe1: return follows(0xe1, 0x9a, 0x80) ? 3 : nil
    case 0xe2:
      if follows(0xe2, 0x81, 0x9f) { return 3 }
      guard follows(0xe2, 0x80), index + 2 < text.count else { return nil }
      return [0xa8, 0xa9, 0xaf].contains(text[index + 2]) || 0x80...0x8a ~= text[index + 2] ? 3 : nil
    case 0xe3: return follows(0xe3, 0x80, 0x80) ? 3 : nil
    case 0xef: return follows(0xef, 0xbb, 0xbf) ? 3 : nil
    default: return nil
    }
  }

  /// Returns the character at `index` for an error: in quotation marks, or as a number if it is invisible.
  static func found(_ chunk: Span<UInt8>, at index: Int) -> String {
    let byte = chunk[index]
    let length = UTF8Lead(byte)?.length ?? 1
    let bytes = chunk.extracting(index..<min(index + length, chunk.count))
    if case .invalid = bytes.checkUTF8() { return "the byte 0x\(String(byte, radix: 16))" }
    guard let scalar = Unicode.Scalar(bytes.scalar(at: 0).scalar) else { return "a surrogate" }
    return switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
      "U+\(String(scalar.value + 0x1_0000, radix: 16, uppercase: true).dropFirst())"
    default: scalar == "\"" ? "a double quote" : "\"\(scalar)\""
    }
  }

  /// Returns the name of the encoding if the first bytes of a text are not UTF-8. The encoding is recognized
  /// by a byte order mark, or by the zero bytes around an ASCII character with which a value may begin in a wider encoding.
  static func otherEncoding(_ head: Span<UInt8>) -> String? {
    func byte(_ index: Int) -> UInt8 { index < head.count ? head[index] : 1 }
    guard head.count > 1 else { return nil }
    if ByteOrderMark.utf32BigEndian.begins(head) { return "UTF-32 (big-endian)" }
    if ByteOrderMark.utf32LittleEndian.begins(head) { return "UTF-32 (little-endian)" }
    if ByteOrderMark.utf16BigEndian.begins(head) { return "UTF-16 (big-endian)" }
    if ByteOrderMark.utf16LittleEndian.begins(head) { return "UTF-16 (little-endian)" }
    return switch (byte(0), byte(1), byte(2), byte(3)) {
    case (0, 0, 0, let first) where beginsText(first): "UTF-32 (big-endian)"
    case (let first, 0, 0, 0) where beginsText(first): "UTF-32 (little-endian)"
    case (0, let first, _, _) where beginsText(first): "UTF-16 (big-endian)"
    case (let first, 0, _, _) where beginsText(first): "UTF-16 (little-endian)"
    default: nil
    }
  }

  /// Returns true if a text of JSON, or of one of its dialects, may begin with an ASCII character: white space, a value, a comment, or the
  /// separator of a text sequence.
  private static func beginsText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09...0x0d, 0x1e, UInt8(ascii: " "): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "{[\"'-+./tfnNI".utf8.contains(byte)
    }
  }
}

extension Span<UInt8> {
  /// Returns the end of the bytes that a string contains literally, and true if they are ASCII. The end is at
  /// the quotation mark around the string, a backslash, a control character, or the end of the chunk.
  ///
  /// The search tests eight bytes at a time.
  @inline(__always)
  func plainJSONRun(from start: Int, quote: UInt8 = UInt8(ascii: "\"")) -> (end: Int, isASCII: Bool) {
    var index = start
    var high: UInt64 = 0
    while index + 8 <= count {
      let word = littleEndianWord(at: index)
      let stops =
        word.bytes(equal: UInt64(quote)) | word.bytes(equal: UInt64(UInt8(ascii: "\\")))
        | word.bytes(below: 0x20)
      if stops != 0 {
        let length = stops.trailingZeroBitCount & ~7
        high |= word & ((1 << UInt64(length)) &- 1)
        return (index + length / 8, high & UInt64(bytes: 0x80) == 0)
      }
      high |= word
      index += 8
    }
    var isASCII = high & UInt64(bytes: 0x80) == 0
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") { break }
      if byte >= 0x80 { isASCII = false }
      index += 1
    }
    return (index, isASCII)
  }

  /// True if a string contains the bytes literally, because they have no control characters, quotation marks or backslashes.
  var isPlainJSON: Bool { plainJSONRun(from: 0).end == count }

  /// Returns the end of a number or a word.
  @inline(__always)
  func endOfJSONWord(from start: Int) -> Int {
    var index = start
    while index < count, JSONBytes.isBare(self[index]) { index += 1 }
    return index
  }
}
