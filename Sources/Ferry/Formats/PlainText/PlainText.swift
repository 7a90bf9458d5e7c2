/// A text file: UTF-8, read as one string that keeps every character.
struct PlainText {
  private let bytes: [UInt8]

  /// Reads a text file. Throws at the first byte that is not valid UTF-8.
  init(_ bytes: [UInt8]) throws(FerryError) {
    self.bytes = bytes
    if case .invalid(let offset) = bytes.span.checkUTF8() {
      throw FerryError(.content(.notUTF8), at: LineCounter().position(of: offset, in: bytes.span))
    }
  }

  /// Sends the string.
  func send(into sink: any ValueSink) throws(FerryError) {
    try sink.string(BorrowedText(checked: bytes.span, isASCII: bytes.span.isASCII))
  }

  /// Returns the text file for a value that is a string, or a single string inside other values.
  static func bytes(of value: Value) throws(FerryError) -> [UInt8] {
    var value = value.withoutWrapping
    // JSON Lines with one line.
    if case .array(let elements) = value, elements.count == 1, let only = elements.first { value = only }
    guard case .string(let text) = value else {
      throw FerryError(.content(.notAText(found: value.kindInWords)))
    }
    return Array(text.utf8)
  }
}
