extension ByteCursor {
  /// Reads a little-endian number of 1 to 8 bytes.
  mutating func littleEndian(_ width: Int) throws(FerryError) -> UInt64 {
    try bigEndian(width: width, "a number").byteSwapped >> UInt64(8 * (8 - width))
  }
}
