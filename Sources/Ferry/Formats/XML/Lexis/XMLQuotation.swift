/// The quotation marks in a tag or declaration. Between them, other markup characters are part of a value.
///
///     <a b=">" c='"'>     only the last > ends the tag
struct XMLQuotation {
  /// The mark that ends the value; nil outside of values.
  private var closing: UInt8?

  /// True inside a value.
  var isOpen: Bool { closing != nil }

  /// Takes the next byte. Returns true if it is in a value, or a quotation mark around one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard let closing else {
      guard byte.isQuotationMark else { return false }
      self.closing = byte
      return true
    }
    if byte == closing { self.closing = nil }
    return true
  }
}

extension Span<UInt8> {
  /// Returns the index after the `>` that ends a tag, from an index in the tag that is outside of values. Returns nil if the tag does not
  /// end in the bytes.
  func endOfTag(from start: Int) -> Int? {
    var quotation = XMLQuotation()
    var index = start
    while index < count {
      if !quotation.take(self[index]), self[index] == UInt8(ascii: ">") { return index + 1 }
      index += 1
    }
    return nil
  }
}
