// Numbers in a variable-length encoding (LEB128): seven bits in each byte, least significant first, with the high bit set in every byte of a
// number except the last.
//
//     300     AC 02

extension Array<UInt8> {
  /// Appends a number in groups of seven bits.
  @inline(__always)
  mutating func append(packed number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Returns the number at an index that `append(packed:)` has appended, and moves the index to its end.
  @inline(__always)
  func packedNumber(at index: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = self[index]
      index += 1
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte & 0x80 != 0 else { return number }
    }
  }
}
