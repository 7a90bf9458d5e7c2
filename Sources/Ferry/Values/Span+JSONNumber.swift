extension Span<UInt8> {
  /// The offset of the first byte that RFC 8259 does not allow in a number, or the end if the number is
  /// incomplete, or nil if the number is valid.
  ///
  ///     -1.5e+3   nil        01   1        1.   2        +1   0
  var flawInJSONNumber: Int? {
    var index = 0
    func isDigit(_ index: Int) -> Bool { index < count && self[index] &- UInt8(ascii: "0") < 10 }
    func isByte(_ index: Int, _ byte: UInt8) -> Bool { index < count && self[index] == byte }

    if isByte(index, UInt8(ascii: "-")) { index += 1 }
    guard isDigit(index) else { return index }
    if self[index] == UInt8(ascii: "0") {
      index += 1
    } else {
      while isDigit(index) { index += 1 }
    }
    if index == count { return nil }
    if isByte(index, UInt8(ascii: ".")) {
      index += 1
      guard isDigit(index) else { return index }
      while isDigit(index) { index += 1 }
    }
    if isByte(index, UInt8(ascii: "e")) || isByte(index, UInt8(ascii: "E")) {
      index += 1
      if isByte(index, UInt8(ascii: "+")) || isByte(index, UInt8(ascii: "-")) { index += 1 }
      guard isDigit(index) else { return index }
      while isDigit(index) { index += 1 }
    }
    return index == count ? nil : index
  }
}
