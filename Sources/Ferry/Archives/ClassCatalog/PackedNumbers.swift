/// Packed numbers in archives (see `Array.append(packed:)`). Foundation packs ranges and runs in this way.
///
///     3, 4, 300     // 03 04 AC 02
enum PackedNumbers {
  /// Unpacks numbers. Returns nil if the last is incomplete, or if one exceeds 2⁶³−1 or has unnecessary
  /// bytes.
  static func numbers(_ bytes: [UInt8]) -> [Int128]? {
    var numbers: [Int128] = []
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 63, byte != 0 || shift == 0 else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      numbers.append(Int128(number))
      (number, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }

  /// Packs numbers. Returns nil if one is out of range.
  static func bytes(_ numbers: [Int128]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for number in numbers {
      guard let number = UInt64(exactly: number), number < 1 << 63 else { return nil }
      bytes.append(packed: number)
    }
    return bytes
  }

  /// Returns bytes as an NSMutableData, as Foundation archives them.
  static func data(_ bytes: [UInt8]) -> Value {
    .object(ObjectValue(.mutableData, content: .data(bytes)))
  }
}
