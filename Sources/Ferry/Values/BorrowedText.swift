/// The text of a string or key, borrowed from the bytes that it was read from.
///
/// The bytes are UTF-8 that the reader has validated. Two formats can represent unpaired UTF-16 surrogates,
/// which UTF-8 cannot: JSON (`"\ud800"`), and binary property lists with their UTF-16 strings. In this case
/// each such surrogate is encoded in three bytes by the scheme of UTF-8 (generalized UTF-8), and
/// `hasSurrogates` is true.
///
///     "é"         // C3 A9, hasSurrogates false
///     "\ud800"    // ED A0 80, hasSurrogates true
public struct BorrowedText: ~Escapable {
  /// The bytes of the text: UTF-8, or generalized UTF-8 if `hasSurrogates` is true.
  public let utf8: Span<UInt8>
  /// True if every byte is less than 0x80.
  public let isASCII: Bool
  /// True if the text contains an unpaired surrogate.
  public let hasSurrogates: Bool

  /// Creates a text from bytes that the caller has validated.
  ///
  /// - Parameters:
  ///   - utf8: The bytes, in generalized UTF-8.
  ///   - isASCII: True if every byte is less than 0x80.
  ///   - hasSurrogates: True if the text contains an unpaired surrogate.
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
  /// Creates a copy of the text. Each unpaired surrogate becomes U+FFFD.
  public init(_ text: borrowing BorrowedText) {
    // Decoding UTF-16 replaces a surrogate by one U+FFFD; decoding its three bytes as UTF-8 would produce
    // three.
    self = text.hasSurrogates ? String(decoding: text.utf16, as: UTF16.self) : text.utf8.decodedString
  }

  /// Creates a copy of the text to show. Each unpaired surrogate, which is not a character, has the escape of JSON: `\ud800`.
  init(escapingSurrogatesOf text: borrowing BorrowedText) {
    guard text.hasSurrogates else {
      self = text.utf8.decodedString
      return
    }
    var copy = ""
    text.forEachScalar { number in
      if let scalar = Unicode.Scalar(number) {
        copy.unicodeScalars.append(scalar)
      } else {
        copy += "\\u" + String(number, radix: 16)
      }
    }
    self = copy
  }

  /// Creates a text to show from its bytes, in generalized UTF-8. Each unpaired surrogate has the escape of JSON.
  init(escapingSurrogatesOf bytes: ArraySlice<UInt8>) {
    // Without the first byte of a surrogate, the text needs no second look.
    guard bytes.contains(0xed), String(validating: bytes, as: UTF8.self) == nil else {
      self = String(decoding: bytes, as: UTF8.self)
      return
    }
    let bytes = Array(bytes)
    self.init(
      escapingSurrogatesOf: BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
  }

  /// Creates a text to show from UTF-16. Each unpaired surrogate has the escape of JSON.
  package init(escapingSurrogatesOf units: [UInt16]) {
    let bytes = generalizedUTF8(units)
    self.init(
      escapingSurrogatesOf: BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
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

  /// Calls a function with each Unicode scalar in order, including unpaired surrogates.
  public func forEachScalar<E: Error>(_ body: (UInt32) throws(E) -> Void) throws(E) {
    var index = 0
    while index < utf8.count {
      let (scalar, length) = utf8.scalar(at: index)
      try body(scalar)
      index += length
    }
  }
}
