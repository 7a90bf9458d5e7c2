// The searches of `ContentScanner`.

extension Span<UInt8> {
  /// Returns the index after the name that begins at an index. The characters of the name may be in a wrong order.
  func endOfScannedName(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isScannedName { index += 1 }
    return index
  }

  /// Returns the index after the spaces, tabs and line feeds from an index on.
  func endOfPlainSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index] == 0x20 || self[index] == 0x0a || self[index] == 0x09 { index += 1 }
    return index
  }

  /// Returns the index of the first byte, from an index on, that text cannot contain as it is: markup characters,
  /// control characters, characters that JSON escapes, and bytes of characters that are not ASCII.
  func firstSpecial(from start: Int) -> Int {
    var index = start
    while index <= count - 8 {
      let word = littleEndianWord(at: index)
      // `&` and `'` differ in one bit, as `\` and `]` do.
      let paired = word | UInt64(bytes: 0x01)
      let marks =
        word.bytes(below: 0x20) | word.bytes(equal: 0x22) | word.bytes(equal: 0x3c)
        | paired.bytes(equal: 0x27) | paired.bytes(equal: 0x5d) | word & UInt64(bytes: 0x80)
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      switch self[index] {
      case 0..<0x20, 0x22, 0x26, 0x27, 0x3c, 0x5c, 0x5d, 0x80...: return index
      default: index += 1
      }
    }
    return index
  }

  /// Returns the index after the text from an index on that contains neither a byte that `firstSpecial` finds in ASCII nor a wrong
  /// character, and true if it is ASCII.
  @inline(__always)
  func endOfPlainText(from start: Int) -> (end: Int, isASCII: Bool) {
    var (index, isASCII) = (firstSpecial(from: start), true)
    while index < count, self[index] >= 0x80, case .next(let end) = endOfScannedCharacters(from: index) {
      (index, isASCII) = (firstSpecial(from: end), false)
    }
    return (index, isASCII)
  }

  /// Returns the index after the characters that are not ASCII, from an index on.
  func endOfScannedCharacters(from start: Int) -> ContentScanner.Step {
    var index = start
    while index < count, self[index] >= 0x80 {
      guard let lead = UTF8Lead(self[index]) else { return .unusual }
      guard index + lead.length <= count else { return .incomplete }
      guard lead.second.contains(self[index + 1]) else { return .unusual }
      for offset in 2..<Swift.max(lead.length, 2) where self[index + offset] & 0xc0 != 0x80 {
        return .unusual
      }
      // U+FFFE and U+FFFF
      if self[index] == 0xef, self[index + 1] == 0xbf, self[index + 2] >= 0xbe { return .unusual }
      index += lead.length
    }
    return .next(index)
  }

  /// True if the bytes contain none with which a reference, a line end or a section end begins.
  var isUnmarked: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "&"), UInt8(ascii: "]"), UInt8(ascii: "\r"): return false
      default: break
      }
    }
    return true
  }

  /// True if the bytes are characters that a document may contain.
  var isScannedText: Bool {
    var index = 0
    while index < count {
      let byte = self[index]
      if byte >= 0x80 {
        guard case .next(let end) = endOfScannedCharacters(from: index) else { return false }
        index = end
      } else {
        guard byte >= 0x20 || byte.isSpace else { return false }
        index += 1
      }
    }
    return true
  }
}

/// White space between tags, which mostly is the same as before, such as a line feed and four spaces, or the same as before another element.
struct LikelySpace {
  private struct Space {
    /// The white space and the byte after it, followed by zero bytes.
    var word: UInt64 = 0
    /// The mask of the bytes that belong to `word`; 0 if there was no white space of less than eight bytes.
    var mask: UInt64 = 0
    var count = 0

    @inline(__always)
    func begins(_ bytes: UInt64) -> Bool { mask != 0 && bytes & mask == word }
  }

  /// The white space that was found last, and another one that was found before.
  private var last = Space()
  private var other = Space()

  /// Returns the index after the spaces, tabs and line feeds from an index on.
  @inline(__always)
  mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int {
    guard start <= bytes.count - 8 else { return bytes.endOfPlainSpace(from: start) }
    let next = bytes.littleEndianWord(at: start)
    if last.begins(next) { return start &+ last.count }
    swap(&last, &other)
    if last.begins(next) { return start &+ last.count }
    let end = bytes.endOfPlainSpace(from: start)
    if end - start < 8 {
      last.count = end - start
      last.mask = ~0 >> UInt64(56 - 8 * last.count)
      last.word = next & last.mask
    }
    return end
  }
}

extension UInt8 {
  /// True for the ASCII characters that a name may contain, with its prefix and colon.
  @inline(__always)
  var isScannedName: Bool { isInXMLName || self == UInt8(ascii: ":") }
}
