/// Sixteen characters of Base64, each with its value of six bits.
///
///     Base64Block(of: bytes, at: 0).characters        // twelve bytes as text
///     Base64Block(text.block(at: 0)).digitCount       // 16 if all are in the alphabet
///
/// Vectors are compared with vectors: the operators for a vector and a number are slower than those for bytes.
struct Base64Block {
  private let values: SIMD16<UInt8>
  /// 255 for each character of the alphabet, and 0 for the others.
  private let digits: SIMD2<UInt64>

  /// Divides the twelve bytes from an index on, which is at least fourteen bytes before the end.
  @inline(__always)
  init(of bytes: Span<UInt8>, at index: Int) {
    let words = SIMD2(
      Self.divided(bytes.littleEndianWord(at: index)), Self.divided(bytes.littleEndianWord(at: index + 6)))
    values = unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    digits = SIMD2(repeating: .max)
  }

  /// Returns the 48 bits of the first six bytes of a word in eight bytes.
  @inline(__always)
  private static func divided(_ word: UInt64) -> UInt64 {
    let bits = word.byteSwapped
    let two = bits >> 8 & 0x00ff_ffff_0000_0000 | bits >> 16 & 0xff_ffff
    let four = two << 4 & 0x0fff_0000_0fff_0000 | two & 0x0000_0fff_0000_0fff
    let eight = four << 2 & 0x3f00_3f00_3f00_3f00 | four & 0x003f_003f_003f_003f
    return eight.bigEndian
  }

  /// Finds the values of characters.
  @inline(__always)
  init(_ characters: SIMD16<UInt8>) {
    let capital = Self.bits((characters &- Self.all("A")) .< SIMD16(repeating: 26))
    let small = Self.bits((characters &- Self.all("a")) .< SIMD16(repeating: 26))
    let decimal = Self.bits((characters &- Self.all("0")) .< SIMD16(repeating: 10))
    let plus = Self.bits(characters .== Self.all("+"))
    let slash = Self.bits(characters .== Self.all("/"))
    // The differences between a value and its character: A is 0, a is 26, 0 is 52, + is 62, / is 63.
    let letters = capital & SIMD16(repeating: 191) | small & SIMD16(repeating: 185)
    let others =
      decimal & SIMD16(repeating: 4) | plus & SIMD16(repeating: 19) | slash & SIMD16(repeating: 16)
    values = characters &+ (letters | others)
    digits = unsafe unsafeBitCast(capital | small | decimal | plus | slash, to: SIMD2<UInt64>.self)
  }

  /// True if all characters are in the alphabet.
  var isWhole: Bool {
    @inline(__always) get { digits.x & digits.y == .max }
  }

  /// The number of characters before the first one that is not in the alphabet.
  var digitCount: Int {
    let (first, second) = (~digits.x.littleEndian, ~digits.y.littleEndian)
    return (first != 0 ? first.trailingZeroBitCount : 64 + second.trailingZeroBitCount) / 8
  }

  /// The values as characters.
  var characters: SIMD16<UInt8> {
    @inline(__always) get {
      let letters =
        values &+ Self.all("A") &+ Self.bits(values .>= SIMD16(repeating: 26)) & SIMD16(repeating: 6)
      let decimals = Self.bits(values .>= SIMD16(repeating: 52)) & SIMD16(repeating: 75)
      let others = Self.bits(values .>= SIMD16(repeating: 62)) & SIMD16(repeating: 15)
      let slash = Self.bits(values .== SIMD16(repeating: 63)) & SIMD16(repeating: 3)
      return letters &- decimals &- others &+ slash
    }
  }

  /// The values as twelve bytes: six at the beginning of each word.
  var words: (UInt64, UInt64) {
    @inline(__always) get {
      let words = unsafe unsafeBitCast(values, to: SIMD2<UInt64>.self)
      return (Self.joined(words.x), Self.joined(words.y))
    }
  }

  @inline(__always)
  private static func joined(_ word: UInt64) -> UInt64 {
    let eight = word.bigEndian
    let four = eight >> 2 & 0x0fc0_0fc0_0fc0_0fc0 | eight & 0x003f_003f_003f_003f
    let two = four >> 4 & 0x00ff_f000_00ff_f000 | four & 0x0000_0fff_0000_0fff
    return ((two >> 8 & 0xffff_ff00_0000 | two & 0xff_ffff) << 16).bigEndian
  }

  /// Returns 255 for each true lane, and 0 for the others.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<UInt8> {
    unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self)
  }

  @inline(__always)
  private static func all(_ character: Unicode.Scalar) -> SIMD16<UInt8> {
    SIMD16(repeating: UInt8(ascii: character))
  }
}

extension OutputSpan<UInt8> {
  /// Appends the characters of a block.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func append(charactersOf block: Base64Block) {
    precondition(freeCapacity >= 16)
    unsafe withUnsafeMutableBufferPointer { memory, count in
      let end = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(memory)[count...])
      unsafe end.storeBytes(of: block.characters, as: SIMD16<UInt8>.self)
      count += 16
    }
  }

  /// Appends the bytes of the first characters of a block: three for each four. There must be room for fourteen.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func append(bytesOf block: Base64Block, characters: Int) {
    precondition(freeCapacity >= 14 && characters <= 16)
    let words = block.words
    unsafe withUnsafeMutableBufferPointer { memory, count in
      let end = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(memory)[count...])
      unsafe end.storeBytes(of: words.0, as: UInt64.self)
      unsafe end.storeBytes(of: words.1, toByteOffset: 6, as: UInt64.self)
      count += characters / 4 * 3
    }
  }
}
