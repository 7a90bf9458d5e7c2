// The names, white space and attributes in markup.

extension UInt8 {
  /// True for the quotation marks around a value in markup.
  @inline(__always)
  var isQuotationMark: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

  /// True for white space, and for the characters of markup that end a name in any encoding that contains ASCII.
  @inline(__always)
  var endsXMLName: Bool {
    switch self {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="): true
    default: isSpace || isQuotationMark
    }
  }
}

extension Span<UInt8> {
  /// Returns the index of the first byte, from `start` on, that is not white space.
  @inline(__always)
  func endOfSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isSpace { index += 1 }
    return index
  }

  /// Returns the index at which the white space before an index begins.
  func startOfSpace(before end: Int) -> Int {
    var index = end
    while index > 0, self[index - 1].isSpace { index -= 1 }
    return index
  }

  /// Returns the index of the first character, from `start` on, that no name can contain, in UTF-8 that may be damaged.
  func endOfName(from start: Int) -> Int {
    var index = start
    while index < count {
      let (scalar, length) = self.scalar(at: index)
      guard isXMLNameCharacter(scalar) || scalar == 0x3a else { break }
      index += length
    }
    return Swift.min(index, count)
  }

  /// Returns the index after a name in well-formed markup, which may be in an encoding other than UTF-8 that contains ASCII.
  func endOfWrittenName(from start: Int) -> Int {
    var index = start
    while index < count, !self[index].endsXMLName { index += 1 }
    return index
  }

  /// Finds the equals sign and the quotation mark that follow the name of an attribute.
  @inline(__always)
  func valueOpening(after name: Int) -> XMLValueOpening {
    let sign = endOfSpace(from: name)
    guard sign < count, self[sign] == UInt8(ascii: "=") else { return .noSign(at: sign) }
    let quote = endOfSpace(from: sign + 1)
    guard quote < count, self[quote].isQuotationMark else { return .noQuotationMark(at: quote) }
    return .quotationMark(at: quote)
  }
}

/// The characters between the name of an attribute and its value: an equals sign and a quotation mark, with white space around the sign.
enum XMLValueOpening {
  case quotationMark(at: Int)
  /// Another byte, or the end of the bytes, is at the index where the sign has to be.
  case noSign(at: Int)
  /// Another byte, or the end of the bytes, is at the index where the quotation mark has to be.
  case noQuotationMark(at: Int)
}

extension UInt64 {
  /// The matches of `<`, `>` and `&` (see `bytes(equal:)`).
  @inline(__always)
  var markupBytes: UInt64 {
    // `<` and `>` differ in one bit.
    (self | UInt64(bytes: 0x02)).bytes(equal: 0x3e) | bytes(equal: 0x26)
  }
}
