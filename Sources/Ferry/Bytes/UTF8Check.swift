/// The result of a check for UTF-8.
enum UTF8Check: Hashable {
  case ascii
  case utf8
  /// Invalid UTF-8, with the offset of the first invalid byte.
  case invalid(at: Int)
}

extension Span<UInt8> {
  /// True if every byte is below 0x80.
  var isASCII: Bool { asciiPrefixCount == count }

  /// The number of bytes before the first byte that is not ASCII, found eight bytes at a time.
  var asciiPrefixCount: Int {
    var index = 0
    while index + 8 <= count {
      let high = littleEndianWord(at: index) & 0x8080_8080_8080_8080
      if high != 0 { return index + high.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] < 0x80 { index += 1 }
    return index
  }

  /// The number of characters that begin in the bytes: those that are not continuation bytes of UTF-8.
  var scalarCount: Int {
    var continuations = 0
    var index = 0
    while index + 8 <= count {
      let word = littleEndianWord(at: index)
      continuations += (word & ~(word << 1) & 0x8080_8080_8080_8080).nonzeroBitCount
      index += 8
    }
    while index < count {
      if self[index] & 0xc0 == 0x80 { continuations += 1 }
      index += 1
    }
    return count - continuations
  }

  /// Checks the bytes against the table of well-formed sequences (Unicode 3.9, table 3-7).
  func checkUTF8() -> UTF8Check {
    var index = asciiPrefixCount
    if index == count { return .ascii }
    while index < count {
      guard let length = sequenceLength(at: index) else { return .invalid(at: index) }
      index += length
    }
    return .utf8
  }

  /// Returns the length of the well-formed sequence at an index; nil if the sequence is invalid.
  private func sequenceLength(at index: Int) -> Int? {
    let first = self[index]
    if first < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xbf
    switch first {
    case 0xc2...0xdf: length = 2
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: length = 3
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: length = 4
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return nil
    }
    guard index + length <= count, second.contains(self[index + 1]) else { return nil }
    for offset in 2..<max(length, 2) where self[index + offset] & 0xc0 != 0x80 { return nil }
    return length
  }

  /// Returns the code point at an index and its length. The bytes must have been checked.
  func scalar(at index: Int) -> (scalar: UInt32, length: Int) {
    func tail(_ offset: Int) -> UInt32 {
      index + offset < count ? UInt32(self[index + offset] & 0x3f) : 0
    }
    let first = UInt32(self[index])
    return switch first {
    case 0..<0x80: (first, 1)
    case 0..<0xe0: ((first & 0x1f) << 6 | tail(1), 2)
    case 0..<0xf0: ((first & 0x0f) << 12 | tail(1) << 6 | tail(2), 3)
    default: ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
    }
  }
}

extension Array<UInt8> {
  /// Appends a code point in UTF-8. A surrogate becomes three bytes by the scheme of UTF-8.
  mutating func append(scalar: UInt32) {
    switch scalar {
    case 0..<0x80: append(UInt8(scalar))
    case 0..<0x800:
      append(UInt8(0xc0 | scalar >> 6))
      append(UInt8(0x80 | scalar & 0x3f))
    case 0..<0x1_0000:
      append(UInt8(0xe0 | scalar >> 12))
      append(UInt8(0x80 | scalar >> 6 & 0x3f))
      append(UInt8(0x80 | scalar & 0x3f))
    default:
      append(UInt8(0xf0 | scalar >> 18 & 0x07))
      append(UInt8(0x80 | scalar >> 12 & 0x3f))
      append(UInt8(0x80 | scalar >> 6 & 0x3f))
      append(UInt8(0x80 | scalar & 0x3f))
    }
  }
}

/// Converts UTF-16 to UTF-8. Surrogate pairs are joined; an unpaired surrogate becomes three bytes.
func generalizedUTF8(_ units: [UInt16]) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(units.count * 2)
  var index = 0
  while index < units.count {
    let unit = UInt32(units[index])
    if unit & 0xfc00 == 0xd800, index + 1 < units.count, units[index + 1] & 0xfc00 == 0xdc00 {
      bytes.append(scalar: 0x1_0000 + (unit & 0x3ff) << 10 + UInt32(units[index + 1] & 0x3ff))
      index += 2
    } else {
      bytes.append(scalar: unit)
      index += 1
    }
  }
  return bytes
}
