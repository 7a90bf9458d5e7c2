/// The result of validating UTF-8.
enum UTF8Check: Hashable {
  case ascii
  case utf8
  /// Invalid UTF-8, with the byte offset of the first invalid byte.
  case invalid(at: Int)
}

/// The first byte of a sequence of several bytes, and the well-formed sequences that begin with it (Unicode
/// 3.9, table 3-7).
struct UTF8Lead {
  /// The number of bytes in the sequence.
  let length: Int
  /// The valid second bytes.
  let second: ClosedRange<UInt8>

  /// Returns nil for a byte that begins no such sequence.
  @inline(__always)
  init?(_ first: UInt8) {
    switch first {
    case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
    case 0xe0: (length, second) = (3, 0xa0...0xbf)
    case 0xed: (length, second) = (3, 0x80...0x9f)
    case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
    case 0xf0: (length, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
    case 0xf4: (length, second) = (4, 0x80...0x8f)
    default: return nil
    }
  }
}

extension Span<UInt8> {
  /// True if every byte is less than 0x80.
  var isASCII: Bool { asciiPrefixCount == count }

  /// True if the bytes are the beginning of a single character in UTF-8.
  var isCutOffUTF8: Bool {
    guard count > 0, let lead = UTF8Lead(self[0]), count < lead.length else { return false }
    return count < 2 || lead.second.contains(self[1]) && (count < 3 || self[2] & 0xc0 == 0x80)
  }

  /// The number of ASCII bytes at the beginning, counted eight bytes at a time.
  var asciiPrefixCount: Int {
    var index = 0
    while index + 8 <= count {
      let high = littleEndianWord(at: index) & UInt64(bytes: 0x80)
      if high != 0 { return index + high.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] < 0x80 { index += 1 }
    return index
  }

  /// The number of Unicode scalars that begin in the bytes, that is, bytes that are not UTF-8 continuation
  /// bytes.
  var scalarCount: Int {
    let (mask, continuation) = (SIMD16<UInt8>(repeating: 0xc0), SIMD16<UInt8>(repeating: 0x80))
    var continuations = countInBlocks { ($0 & mask) .== continuation }
    for index in (count & ~15)..<count where self[index] & 0xc0 == 0x80 { continuations += 1 }
    return count - continuations
  }

  /// Checks the bytes against the table of well-formed sequences.
  func checkUTF8() -> UTF8Check {
    var index = asciiPrefixCount
    if index == count { return .ascii }
    while index < count {
      guard let length = sequenceLength(at: index) else { return .invalid(at: index) }
      index += length
    }
    return .utf8
  }

  /// Returns the length of the well-formed sequence at an index, or nil if it is invalid.
  private func sequenceLength(at index: Int) -> Int? {
    if self[index] < 0x80 { return 1 }
    guard let lead = UTF8Lead(self[index]), index + lead.length <= count,
      lead.second.contains(self[index + 1])
    else { return nil }
    for offset in 2..<lead.length where self[index + offset] & 0xc0 != 0x80 { return nil }
    return lead.length
  }

  /// Returns the Unicode scalar at an index, and its length in bytes. The bytes must have been validated.
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
  /// Appends a Unicode scalar in UTF-8. A surrogate is encoded in three bytes by the scheme of UTF-8.
  mutating func append(scalar: UInt32) { append(addingCapacity: 4) { $0.append(scalar: scalar) } }

  /// Appends UTF-16 in UTF-8, with surrogate pairs joined. Returns true if a surrogate is unpaired; it becomes
  /// three bytes.
  @inline(__always)
  mutating func append(utf16Count count: Int, _ unit: (Int) -> UInt32) -> Bool {
    var hasSurrogates = false
    append(addingCapacity: 3 * count) { bytes in
      var index = 0
      while index < count {
        let first = unit(index)
        index += 1
        guard first & 0xf800 == 0xd800 else {
          bytes.append(scalar: first)
          continue
        }
        if first < 0xdc00, index < count, unit(index) & 0xfc00 == 0xdc00 {
          bytes.append(scalar: UInt32(highSurrogate: first, low: unit(index)))
          index += 1
        } else {
          bytes.append(scalar: first)
          hasSurrogates = true
        }
      }
    }
    return hasSurrogates
  }
}

extension OutputSpan<UInt8> {
  /// Appends a scalar in UTF-8. An unpaired surrogate becomes three bytes.
  @inline(__always)
  fileprivate mutating func append(scalar: UInt32) {
    /// Six bits of the scalar, in a byte that continues a character.
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3f) }
    switch scalar {
    case 0..<0x80: append(UInt8(truncatingIfNeeded: scalar))
    case 0..<0x800:
      append(UInt8(truncatingIfNeeded: 0xc0 | scalar >> 6))
      append(tail(0))
    case 0..<0x1_0000:
      append(UInt8(truncatingIfNeeded: 0xe0 | scalar >> 12))
      append(tail(6))
      append(tail(0))
    default:
      append(UInt8(truncatingIfNeeded: 0xf0 | scalar >> 18 & 0x07))
      append(tail(12))
      append(tail(6))
      append(tail(0))
    }
  }
}

extension UInt32 {
  /// Creates the code point of a surrogate pair.
  @inline(__always)
  init(highSurrogate high: UInt32, low: UInt32) { self = 0x1_0000 + (high & 0x3ff) << 10 + low & 0x3ff }
}

/// Converts UTF-16 to UTF-8. An unpaired surrogate is encoded in three bytes.
func generalizedUTF8(_ units: [UInt16]) -> [UInt8] {
  var bytes: [UInt8] = []
  _ = bytes.append(utf16Count: units.count) { UInt32(units[$0]) }
  return bytes
}
