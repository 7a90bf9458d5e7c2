/// A cursor over bytes that checks all bounds. Its errors name the expected content.
struct ByteCursor: ~Escapable {
  let bytes: Span<UInt8>
  private(set) var offset: Int

  /// Creates a cursor at a byte offset, which may be the end.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(max(offset, 0), bytes.count)
  }

  /// The number of bytes after the cursor.
  var remaining: Int { bytes.count - offset }

  /// Reads the next byte.
  mutating func byte(_ expecting: @autoclosure () -> String) throws(FerryError) -> UInt8 {
    guard offset < bytes.count else { throw truncated(expecting()) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a big-endian number of 1 to 8 bytes.
  mutating func bigEndian(width: Int, _ expecting: @autoclosure () -> String) throws(FerryError) -> UInt64 {
    guard width <= remaining else { throw truncated(expecting()) }
    var number: UInt64 = 0
    for index in offset..<offset + width { number = number << 8 | UInt64(bytes[index]) }
    offset += width
    return number
  }

  /// Returns the next bytes and advances past them. `count` comes from a file, so it is checked first.
  @_lifetime(copy self)
  mutating func take(_ count: UInt64, _ expecting: @autoclosure () -> String) throws(FerryError) -> Span<
    UInt8
  > {
    guard count <= UInt64(remaining) else { throw truncated(expecting()) }
    let start = offset
    offset += Int(count)
    return bytes.extracting(start..<offset)
  }

  private func truncated(_ expecting: String) -> FerryError {
    FerryError(.propertyList(.truncated(expecting: expecting)), at: InputLocation(byte: offset))
  }
}
