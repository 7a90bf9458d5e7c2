/// The text of a string or key, borrowed from the bytes it was read from.
///
/// The bytes are UTF-8 and already checked by the reader that made them. Two formats can hold what UTF-8 cannot: a
/// UTF-16 surrogate without its partner (JSON's `"\ud800"`, a binary property list's UTF-16 strings). Such a surrogate
/// is here in three bytes, as UTF-8 would write it were it allowed to, and `hasSurrogates` is true.
///
///     "é"         // C3 A9, hasSurrogates false
///     "\ud800"    // ED A0 80, hasSurrogates true
public struct Text: ~Escapable {
  /// The text; generalised UTF-8 if it has unpaired surrogates.
  public let utf8: Span<UInt8>
  /// Whether every byte is below 0x80.
  public let isASCII: Bool
  /// Whether an unpaired surrogate is among the bytes.
  public let hasSurrogates: Bool

  /// Text whose bytes the caller has checked.
  @_lifetime(copy utf8)
  public init(checked utf8: Span<UInt8>, isASCII: Bool, hasSurrogates: Bool = false) {
    self.utf8 = utf8
    self.isASCII = isASCII
    self.hasSurrogates = hasSurrogates
  }

  /// The text of a Swift string.
  ///
  ///     sink.string(Text("Ada".utf8.span))
  @_lifetime(copy string)
  public init(_ string: Span<UInt8>) {
    self.init(checked: string, isASCII: string.isASCII)
  }

  /// Whether the text is just these bytes.
  public func equals(_ other: StaticString) -> Bool {
    guard utf8.count == other.utf8CodeUnitCount else { return false }
    return utf8.equals(other)
  }
}

extension String {
  /// A copy of the text; unpaired surrogates become U+FFFD.
  public init(_ text: borrowing Text) {
    // Each surrogate is one character in UTF-16; its three bytes would become three.
    self = text.hasSurrogates ? String(decoding: text.utf16, as: UTF16.self) : text.utf8.decodedString
  }
}

extension Text {
  /// The text in UTF-16 code units, unpaired surrogates as they are.
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

  /// Calls `body` with each code point in turn, unpaired surrogates among them.
  public func forEachScalar<E: Error>(_ body: (UInt32) throws(E) -> Void) throws(E) {
    var index = 0
    while index < utf8.count {
      let (scalar, length) = utf8.scalar(at: index)
      try body(scalar)
      index += length
    }
  }
}
