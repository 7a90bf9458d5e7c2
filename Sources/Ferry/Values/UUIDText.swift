/// The text of UUIDs.
enum UUIDText {
  /// Returns the text of sixteen bytes, with uppercase digits like Foundation's.
  static func text(_ bytes: Span<UInt8>) -> String {
    var text = ""
    for index in bytes.indices {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let digits = String(bytes[index], radix: 16, uppercase: true)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }

  /// Parses the text of a UUID. Returns nil if it is invalid.
  static func bytes(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for index in text.indices {
      if [8, 13, 18, 23].contains(index) {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = text[index].hexDigit else { return nil }
      if let half = high {
        bytes.append(half << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }
}
