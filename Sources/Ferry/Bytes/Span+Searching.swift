extension Span<UInt8> {
  /// Returns the number of occurrences of a byte.
  func count(of byte: UInt8) -> Int {
    let pattern = SIMD16(repeating: byte)
    var total = countInBlocks { $0 .== pattern }
    for index in (count & ~15)..<count where self[index] == byte { total += 1 }
    return total
  }

  /// Returns the number of bytes that match, without those after the last whole block of sixteen.
  @inline(__always)
  func countInBlocks(_ matches: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>) -> Int {
    let end = count & ~15
    var (total, index) = (0, 0)
    while index < end {
      // Each lane counts up to 255 matches.
      let part = index + Swift.min(end - index, 255 * 16)
      var lanes = SIMD16<UInt8>()
      while index <= part - 64 {
        let blocks = blocks(at: index)
        lanes.replace(with: lanes &+ 1, where: matches(blocks.0))
        lanes.replace(with: lanes &+ 1, where: matches(blocks.1))
        lanes.replace(with: lanes &+ 1, where: matches(blocks.2))
        lanes.replace(with: lanes &+ 1, where: matches(blocks.3))
        index += 64
      }
      while index < part {
        lanes.replace(with: lanes &+ 1, where: matches(block(at: index)))
        index += 16
      }
      total += Int(SIMD16<UInt16>(truncatingIfNeeded: lanes).wrappedSum())
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
    let first = literal.firstByte
    var index = start
    while let found = firstIndex(of: first, from: index) {
      if extracting(found..<count).starts(with: literal) { return found }
      index = found + 1
    }
    return nil
  }

  /// Returns the index after the first occurrence of a literal from `start` on.
  func end(ofFirst literal: StaticString, from start: Int) -> Int? {
    firstIndex(of: literal, from: start).map { $0 + literal.utf8CodeUnitCount }
  }
}
