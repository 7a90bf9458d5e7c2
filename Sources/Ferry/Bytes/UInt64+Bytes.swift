// Searches for bytes in a word of eight. In each result the high bit of a matching byte is set. Bytes above the
// lowest match may be wrong, so a caller uses only the lowest match, also of several results combined.

extension UInt64 {
  /// Returns a word with eight equal bytes.
  @inline(__always)
  init(bytes byte: UInt64) { self = 0x0101_0101_0101_0101 &* byte }

  /// Returns the matches of bytes below a number up to 128.
  @inline(__always)
  func bytes(below limit: UInt64) -> UInt64 { (self &- UInt64(bytes: limit)) & ~self & UInt64(bytes: 0x80) }

  /// Returns the matches of bytes equal to a number.
  @inline(__always)
  func bytes(equal byte: UInt64) -> UInt64 { (self ^ UInt64(bytes: byte)).bytes(below: 1) }
}
