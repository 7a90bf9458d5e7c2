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

extension StaticString {
  /// The first byte of a literal, which must not be empty.
  var firstByte: UInt8 { withUTF8Buffer { unsafe $0[0] } }
}

extension Span<UInt8> {
  /// The bytes as a string. Bytes that are not UTF-8 become U+FFFD.
  var decodedString: String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Returns true if the bytes are equal.
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else { return equals(short: other) }
    // The last word may overlap the one before it.
    let last = count - 8
    var index = 0
    while index < last {
      guard littleEndianWord(at: index) == other.littleEndianWord(at: index) else { return false }
      index += 8
    }
    return littleEndianWord(at: last) == other.littleEndianWord(at: last)
  }

  /// Returns true if the bytes equal as many others, fewer than eight.
  @inline(always)
  private func equals(short other: Span<UInt8>) -> Bool {
    guard count >= 4 else {
      for index in indices where self[index] != other[index] { return false }
      return true
    }
    let last = count - 4
    return halfWord(at: 0) == other.halfWord(at: 0) && halfWord(at: last) == other.halfWord(at: last)
  }

  /// Returns true if the bytes equal those of a literal.
  func equals(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer { literal in unsafe equals(Span(_unsafeElements: literal)) }
  }

  /// Returns true if the bytes begin with those of a literal.
  func starts(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount && extracting(first: literal.utf8CodeUnitCount).equals(literal)
  }

  /// Loads eight bytes from an index on. The first byte becomes the lowest.
  @inline(always)
  func littleEndianWord(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count &- 8)
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// Loads sixteen bytes from an index on.
  @inline(always)
  func block(at index: Int) -> SIMD16<UInt8> {
    precondition(index >= 0 && index <= count &- 16)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
  }

  /// Four blocks of sixteen bytes.
  typealias Blocks = (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// Loads four blocks from an index on.
  @inline(always)
  func blocks(at index: Int) -> Blocks {
    precondition(index >= 0 && index <= count &- 64)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: Blocks.self)
  }

  /// Loads four bytes from an index on.
  @inline(always)
  private func halfWord(at index: Int) -> UInt32 {
    precondition(index >= 0 && index <= count &- 4)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt32.self)
  }

  /// A hash of the bytes, for tables with borrowed keys. It differs from process to process.
  var hashOfBytes: UInt64 { hash(seed: WordHash.seed) }

  /// Returns a hash of the bytes. No input can provoke collisions if the seed is random.
  func hash(seed: UInt64) -> UInt64 {
    var hash = WordHash(seed: seed ^ UInt64(count))
    guard count >= 8 else {
      hash.combine(shortWord)
      return hash.value
    }
    // The last word may overlap the one before it.
    let last = count - 8
    var index = 0
    while index < last {
      hash.combine(littleEndianWord(at: index))
      index += 8
    }
    hash.combine(littleEndianWord(at: last))
    return hash.value
  }

  /// Fewer than eight bytes as one word, which is different for different bytes of the same count.
  @inline(always)
  private var shortWord: UInt64 {
    guard count >= 4 else {
      var word: UInt64 = 0
      for index in indices { word = word << 8 | UInt64(self[index]) }
      return word
    }
    return UInt64(halfWord(at: 0)) << 32 | UInt64(halfWord(at: count - 4))
  }
}

/// A hash of words that is much faster than `Hasher` for short keys.
struct WordHash {
  /// A seed that differs from process to process.
  static let seed = UInt64.random(in: .min ... .max)

  private let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = Self.seed) { (self.seed, state) = (seed, seed) }

  /// Adds a word.
  @inline(__always)
  mutating func combine(_ word: UInt64) { state = mixed(word) }

  /// Returns the hash of two words.
  @inline(__always)
  static func hash(of first: UInt64, _ second: UInt64 = 0, seed: UInt64 = Self.seed) -> UInt64 {
    var hash = WordHash(seed: seed)
    hash.combine(first)
    hash.combine(second)
    return hash.value
  }

  /// The hash of the words so far.
  var value: UInt64 { mixed(seed) }

  @inline(__always)
  private func mixed(_ word: UInt64) -> UInt64 {
    let product = (state ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15 ^ seed | 1)
    return product.high ^ product.low
  }
}

extension Hasher {
  /// Adds bytes to the hash. The result does not depend on how the bytes are divided into calls.
  mutating func combine(span bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
