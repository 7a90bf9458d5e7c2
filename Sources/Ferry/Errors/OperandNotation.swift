/// The notation of the operands of `<`, `<=`, `>` and `>=` in a filter, which are numbers, dates or other texts.
enum OperandNotation {
  /// Returns true if a text is a number or a date, which needs no quotation marks.
  static func isNumberOrDate(_ text: String) -> Bool {
    endOfNumber(text) == text.unicodeScalars.count && problem(ofNumber: text) == nil
  }

  /// Returns the offset of the first character after the number or date at the beginning of a text. Returns nil if the text does not begin
  /// with a digit or a sign and a digit. The offset shows mistakes such as `50 or x=a`, which would be compared by its characters.
  static func endOfNumber(_ text: String) -> Int? {
    let scalars = Array(text.unicodeScalars)
    var index = scalars.first == "-" || scalars.first == "+" ? 1 : 0
    func skip(_ isSkipped: (Unicode.Scalar) -> Bool) {
      while index < scalars.count, isSkipped(scalars[index]) { index += 1 }
    }
    let start = index
    skip { ("0"..."9").contains($0) }
    guard index > start else { return nil }
    if index < scalars.count, scalars[index] == "-" {
      skip { ("0"..."9").contains($0) || "-:.+TtZz".unicodeScalars.contains($0) }
      return index
    }
    if index < scalars.count, scalars[index] == "." {
      index += 1
      skip { ("0"..."9").contains($0) }
    }
    if index < scalars.count, scalars[index] == "e" || scalars[index] == "E" {
      index += 1
      if index < scalars.count, scalars[index] == "-" || scalars[index] == "+" { index += 1 }
      skip { ("0"..."9").contains($0) }
    }
    return index
  }

  /// Returns the problem of a text that looks like a number or a date but is not valid, and would be compared by its characters; otherwise nil.
  static func problem(ofNumber text: String) -> String? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let rest = digits.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard rest.startIndex > digits.startIndex else { return nil }
    if rest.first == UInt8(ascii: "-") {
      return DateScanner.isDate(text.utf8.span) ? nil : "there is no such date or time"
    }
    guard let sign = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
    let exponent = text.utf8[sign...].count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if exponent == 0 { return "expected digits after the \"e\"" }
    return exponent > mostDigitsOfExponent ? "the exponent has more than \(mostDigitsOfExponent) digits" : nil
  }

  /// The greatest number of digits in the exponent of a number that can be compared.
  private static let mostDigitsOfExponent = 36
}
