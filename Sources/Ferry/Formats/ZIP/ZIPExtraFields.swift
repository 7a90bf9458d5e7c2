/// The extra fields of a file in its header or in the directory.
struct ZIPExtraFields {
  /// The ranges of the contents of the fields, by their numbers.
  private var fields: [(kind: UInt64, range: Range<Int>)] = []

  /// Finds the fields in a range of bytes, up to the first one that is truncated.
  init(in bytes: [UInt8], _ range: Range<Int>) {
    var offset = range.lowerBound
    while offset + 4 <= range.upperBound {
      let end = offset + 4 + Int(bytes.littleEndian(2, at: offset + 2))
      guard end <= range.upperBound else { return }
      fields.append((bytes.littleEndian(2, at: offset), offset + 4..<end))
      offset = end
    }
  }

  /// The range of the numbers that need more than 32 bits; empty if there is none.
  var largeNumbers: Range<Int> { fields.first { $0.kind == 1 }?.range ?? 0..<0 }

  /// Replaces the times of change, which are more exact than those of the format itself.
  func put(_ time: ZIPTime, in bytes: inout [UInt8]) {
    for (kind, range) in fields {
      switch kind {
      // The time of change, if the first byte shows that it is there.
      case 0x5455 where range.count >= 5 && bytes[range.lowerBound] & 1 != 0:
        bytes.put(littleEndian: time.unix, width: 4, at: range.lowerBound + 1)
      // The time of the last access is before it.
      case 0x5855 where range.count >= 8, 0x000d where range.count >= 8:
        bytes.put(littleEndian: time.unix, width: 4, at: range.lowerBound + 4)
      case 0x000a where range.count >= 16 && bytes.littleEndian(2, at: range.lowerBound + 4) == 1:
        bytes.put(littleEndian: time.windows, width: 8, at: range.lowerBound + 8)
      default: break
      }
    }
  }
}
