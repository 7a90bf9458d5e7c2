/// A kind from 0 to 3 and a number, in four bytes, for lists of millions.
struct KindAndNumber: Equatable {
  private let word: UInt32

  private static let numberBits: UInt32 = 30
  /// The largest number.
  static let largest = 1 << Int(numberBits) - 1

  /// - Precondition: The number is at most the largest one, and not negative.
  @inline(__always)
  init(_ kind: UInt32, _ number: Int) {
    word = kind << Self.numberBits | UInt32(truncatingIfNeeded: number)
  }

  @inline(__always)
  var kind: UInt32 { word >> Self.numberBits }

  @inline(__always)
  var number: Int { Int(word & (1 << Self.numberBits - 1)) }
}
