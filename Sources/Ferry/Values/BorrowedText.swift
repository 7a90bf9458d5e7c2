/// The text of a string or key, borrowed from the bytes from which it was read.
///
/// The bytes are UTF-8, which the reader has checked. Two formats can represent text that UTF-8 cannot:
/// unpaired UTF-16 surrogates (JSON's `"\ud800"`, a binary property list's UTF-16 strings). Such a surrogate
/// is three bytes here, encoded by the scheme of UTF-8, and `hasSurrogates` is true.
///
///     "é"         // C3 A9, hasSurrogates false
///     "\ud800"    // ED A0 80, hasSurrogates true
public struct BorrowedText: ~Escapable {
  /// The bytes of the text; generalized UTF-8 if it has unpaired surrogates.
  public let utf8: Span<UInt8>
  /// True if every byte is below 0x80.
  public let isASCII: Bool
  /// True if the bytes include an unpaired surrogate.
  public let hasSurrogates: Bool

  /// Creates a text from bytes that the caller has checked.
  ///
  /// - Parameters:
  ///   - utf8: The bytes, in generalized UTF-8.
  ///   - isASCII: True if every byte is below 0x80.
  ///   - hasSurrogates: True if the bytes include an unpaired surrogate.
  @_lifetime(copy utf8)
  public init(checked utf8: Span<UInt8>, isASCII: Bool, hasSurrogates: Bool = false) {
    self.utf8 = utf8
    self.isASCII = isASCII
    self.hasSurrogates = hasSurrogates
  }

  /// Creates a text from the bytes of a Swift string.
  ///
  ///     sink.string(BorrowedText("Ada".utf8.span))
  @_lifetime(copy string)
  public init(_ string: Span<UInt8>) {
    self.init(checked: string, isASCII: string.isASCII)
  }

  /// Returns true if the text consists of exactly these bytes.
  public func equals(_ other: StaticString) -> Bool {
    guard utf8.count == other.utf8CodeUnitCount else { return false }
    return utf8.equals(other)
  }
}

extension String {
  /// Creates a copy of the text; unpaired surrogates become U+FFFD.
  public init(_ text: borrowing BorrowedText) {
    // Via UTF-16 each surrogate becomes one U+FFFD; via UTF-8 its three bytes would become three.
    self = text.hasSurrogates ? String(decoding: text.utf16, as: UTF16.self) : text.utf8.decodedString
  }
}

extension BorrowedText {
  /// The text in UTF-16 code units, including unpaired surrogates.
  public var utf16: [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(utf8.count)
    forEachScalar { scalar in
      if scalar < 0x1_0000 {
        units.append(UInt16(scalar))
      } else {
        units.append(UInt16(0xd7c0 + (scalar >> 10)))
        units.append(UInt16(0xdc00 + (scalar & 0x3ff)))
      }
    }
    return units
  }

  /// Calls a function with each code point in order, including unpaired surrogates.
  public func forEachScalar<E: Error>(_ body: (UInt32) throws(E) -> Void) throws(E) {
    var index = 0
    while index < utf8.count {
      let (scalar, length) = utf8.scalar(at: index)
      try body(scalar)
      index += length
    }
  }
}
