/// The characters that new text in a document of XML 1.1 has as references. A reader of XML 1.1 takes U+0085 and U+2028 for line ends, and
/// refuses the other control characters from U+007F on. In a document of XML 1.0, they are characters like others.
///
///     "a" U+0085 "b"        a&#133;b
enum XML11 {
  /// Returns true if a document declares version 1.1.
  ///
  /// - Parameter document: The text in UTF-8, or another encoding that contains ASCII.
  static func isDeclared(in document: Span<UInt8>) -> Bool {
    let text = document.extracting(droppingFirst: document.utf8MarkCount)
    guard XMLDeclarationCheck.isDeclaration(text) else { return false }
    var cursor = MarkupCursor(text, at: 5)
    cursor.skipSpace()
    guard cursor.take("version"), let quote = try? cursor.valueOpening() else { return false }
    return cursor.take("1.1") && cursor.take { $0 == quote }
  }

  /// Returns markup with references for the characters that need one. Names have none of them.
  ///
  /// - Parameter markup: Markup in UTF-8 without comments, processing instructions and CDATA sections that have such a character.
  static func referenced(_ markup: [UInt8]) -> [UInt8] {
    guard needsReferences(markup) else { return markup }
    var result: [UInt8] = []
    for scalar in String(decoding: markup, as: UTF8.self).unicodeScalars {
      if isReference(scalar) {
        result += "&#\(scalar.value);".utf8
      } else {
        result.append(scalar: scalar.value)
      }
    }
    return result
  }

  /// Returns true if a text in UTF-8 has a character that needs a reference.
  static func needsReferences(_ text: [UInt8]) -> Bool {
    String(decoding: text, as: UTF8.self).unicodeScalars.contains(where: isReference)
  }

  private static func isReference(_ scalar: Unicode.Scalar) -> Bool {
    0x7f...0x9f ~= scalar.value || scalar.value == 0x2028
  }
}
