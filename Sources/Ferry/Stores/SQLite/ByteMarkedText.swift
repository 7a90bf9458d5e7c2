/// The notation of a database's text in a comparison: a string that differs for any other bytes.
///
/// A byte that is not UTF-8 becomes U+FFFD and the byte in hexadecimal. So does each byte of a U+FFFD that would look like such a mark:
///
///     c3 a9 ff                      é U+FFFD \xff
///     c3 a9 ef bf bd 5c 78 66 66    é U+FFFD \xef U+FFFD \xbf U+FFFD \xbd \xff
enum ByteMarkedText {
  /// The beginning of a mark.
  private static let mark: StaticString = "\u{fffd}\\x"
  /// The number of bytes of U+FFFD.
  private static let length = 3

  /// Returns true if a text has a mark, or reads like one that has.
  static func hasMark(_ text: Span<UInt8>) -> Bool { text.firstIndex(of: mark, from: 0) != nil }

  /// Returns the notation of the bytes of a text, in UTF-8.
  static func marking(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var start = 0
    while let index = bytes.firstIndex(of: mark, from: start) {
      append(bytes.extracting(start..<index), to: &text)
      start = index + length
      for offset in index..<start { append(mark: bytes[offset], to: &text) }
    }
    append(bytes.extracting(droppingFirst: start), to: &text)
    return text
  }

  /// Appends bytes without marks.
  private static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    [UInt8](copying: bytes).forEachScalar {
      text += Array(String($0).utf8)
    } notUTF8: {
      append(mark: $0, to: &text)
    }
  }

  private static func append(mark byte: UInt8, to text: inout [UInt8]) {
    text.append(copying: mark)
    text += Array(String(byte, radix: 16).utf8)
  }
}

extension Value {
  /// True if a string in the value has a mark, or reads like one that has.
  var hasMarkedText: Bool {
    var waiting = [self]
    while let value = waiting.popLast() {
      if case .string(let text) = value, ByteMarkedText.hasMark(text.utf8.span) { return true }
      waiting += value.parts
    }
    return false
  }
}
