// Operations that `Span` lacks: copying, appending and loading words. All are bounds-checked.

extension Array<UInt8> {
  /// Creates a copy of bytes.
  init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Appends a copy of bytes.
  mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of a literal.
  mutating func append(copying literal: StaticString) {
    literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}

extension Span<UInt8> {
  /// The bytes as a string. Bytes that are not UTF-8 become U+FFFD.
  var decodedString: String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Returns true if the bytes are equal.
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var index = 0
    while index + 8 <= count {
      guard littleEndianWord(at: index) == other.littleEndianWord(at: index) else { return false }
      index += 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index += 1
    }
    return true
  }

  /// Returns true if the bytes equal those of a literal.
  func equals(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { literal in
      unsafe withUnsafeBufferPointer { unsafe $0.elementsEqual(literal) }
    }
  }

  /// Returns true if the bytes begin with those of a literal.
  func starts(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount && extracting(first: literal.utf8CodeUnitCount).equals(literal)
  }

  /// Loads eight bytes from an index on. The first byte becomes the lowest.
  @inline(always)
  func littleEndianWord(at index: Int) -> UInt64 {
    precondition(index >= 0 && index + 8 <= count)
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// A hash of the bytes, for tables with borrowed keys.
  var hashOfBytes: Int {
    var hasher = Hasher()
    hasher.combine(span: self)
    return hasher.finalize()
  }
}

extension Hasher {
  /// Adds bytes to the hash. The result does not depend on how the bytes are divided into calls.
  mutating func combine(span bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
