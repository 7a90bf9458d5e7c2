extension Span<UInt8> {
  /// Returns the number of occurrences of a byte.
  func count(of byte: UInt8) -> Int {
    let pattern = UInt64(bytes: UInt64(byte))
    var total = 0
    var index = 0
    while index + 8 <= count {
      // `difference` has a zero byte for each byte that is equal, and `rest` has a high bit of 0 for exactly
      // these.
      let difference = littleEndianWord(at: index) ^ pattern
      let rest = ((difference & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7f7f_7f7f_7f7f_7f7f) | difference
      total += (~rest & UInt64(bytes: 0x80)).nonzeroBitCount
      index += 8
    }
    while index < count {
      if self[index] == byte { total += 1 }
      index += 1
    }
    return total
  }

  /// Returns the index of the last occurrence of a byte, or nil.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count - 1
    while index >= 0, self[index] != byte { index -= 1 }
    return index < 0 ? nil : index
  }

  /// Returns the index of the first occurrence of a byte from `start` on, or nil.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    let index = firstIndex(ofAny: byte, byte, byte, from: start)
    return index < count ? index : nil
  }

  /// Returns the index of the first occurrence of one of three bytes from `start` on, or else `count`. Tests eight bytes at
  /// a time.
  @inline(__always)
  func firstIndex(ofAny first: UInt8, _ second: UInt8, _ third: UInt8, from start: Int) -> Int {
    var index = start
    while index + 8 <= count {
      let word = littleEndianWord(at: index)
      let found =
        word.bytes(equal: UInt64(first)) | word.bytes(equal: UInt64(second))
        | word.bytes(equal: UInt64(third))
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count {
      let byte = self[index]
      if byte == first || byte == second || byte == third { break }
      index += 1
    }
    return index
  }

  /// Returns the index of the first occurrence of a literal from `start` on.
  func firstIndex(of literal: StaticString, from start: Int) -> Int? {
    var index = start
    while index + literal.utf8CodeUnitCount <= count {
      if extracting(index..<count).starts(with: literal) { return index }
      index += 1
    }
    return nil
  }

  /// Returns the index after the first occurrence of a literal from `start` on.
  func end(ofFirst literal: StaticString, from start: Int) -> Int? {
    firstIndex(of: literal, from: start).map { $0 + literal.utf8CodeUnitCount }
  }
}
