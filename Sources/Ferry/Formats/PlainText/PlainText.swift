/// A text file in UTF-8. It is read as a single string that keeps every character.
struct PlainText {
  private let bytes: [UInt8]

  /// Reads a text file. Throws at the first byte that is not valid UTF-8.
  init(_ bytes: [UInt8]) throws(FerryError) {
    self.bytes = bytes
    if case .invalid(let offset) = bytes.span.checkUTF8() {
      throw FerryError(.content(.notUTF8), at: LineCounter().location(of: offset, in: bytes.span))
    }
  }

  /// Sends the text as a string.
  func send(into sink: any ValueSink) throws(FerryError) {
    try sink.string(BorrowedText(checked: bytes.span, isASCII: bytes.span.isASCII))
  }

  /// Returns the bytes of a text file for a value, which must be a string or a single string inside other
  /// values.
  ///
  /// - Parameter losses: Receives a loss for the values around the string.
  static func bytes(of value: Value, _ losses: LossReport?) throws(FerryError) -> [UInt8] {
    var inner = value.withoutWrapping(losses)
    // A list with a single element is the value of JSON Lines with one line.
    if case .array(let elements) = inner, elements.count == 1, let only = elements.first {
      inner = only
      if case .array = value { losses?.add(.unwrapped) }
    }
    guard case .string(let text) = inner else {
      throw FerryError(.content(.notAText(found: inner.kindInWords)))
    }
    return Array(text.utf8)
  }
}
