/// A text whose XML declaration loses the name of its encoding.
///
///     <?xml version="1.0" encoding="Shift_JIS"?>
///     <?xml version="1.0"                     ?>
struct HiddenDeclaration {
  private var declaration = HeldDeclaration()

  /// Returns the next part of the text, without the name.
  mutating func hidden(_ text: [UInt8]) -> [UInt8] {
    declaration.next(text, changing: Self.hidingEncoding)
  }

  /// Returns the rest of a text that ends in its declaration.
  mutating func rest() -> [UInt8] { declaration.rest() ?? [] }

  /// Returns a text without the encoding in its declaration.
  static func hidingEncoding(in text: [UInt8]) -> [UInt8] {
    guard let range = encodingRange(in: text) else { return text }
    var text = text
    for index in range { text[index] = UInt8(ascii: " ") }
    return text
  }

  /// Returns the range of `encoding="…"` in the declaration of a text.
  static func encodingRange(in text: [UInt8]) -> Range<Int>? {
    guard text.starts(with: "<?xml".utf8), let end = text.span.end(ofFirst: "?>", from: 5),
      let name = try? XMLDeclarationCheck.check(text.span.extracting(0..<end - 2))
    else { return nil }
    let word = Array("encoding".utf8)
    let start = (5..<name.lowerBound).last { text[$0..<name.lowerBound].starts(with: word) }
    return start.map { $0..<name.upperBound + 1 }
  }
}
