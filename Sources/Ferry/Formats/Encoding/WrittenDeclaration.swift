/// An XML document whose declaration gets the name of another encoding.
struct WrittenDeclaration {
  private let encoding: OutputEncoding
  private var declaration = HeldDeclaration()

  init(of encoding: OutputEncoding) { self.encoding = encoding }

  /// Returns the next part of the document.
  mutating func rewritten(_ text: [UInt8]) -> [UInt8] {
    declaration.next(text) { [encoding] in Self.declaring(encoding, in: $0) }
  }

  /// Returns the rest of a document that ends in its declaration.
  mutating func rest() -> [UInt8] { declaration.rest().map { Self.declaring(encoding, in: $0) } ?? [] }

  private static func declaring(_ encoding: OutputEncoding, in text: [UInt8]) -> [UInt8] {
    let name = "encoding=\"\(encoding.nameInXML)\""
    if let range = HiddenDeclaration.encodingRange(in: text) {
      return Array(text[..<range.lowerBound] + name.utf8 + text[range.upperBound...])
    }
    guard XMLDeclarationCheck.isDeclaration(text.span),
      let end = XMLSection.instruction.end(in: text.span, from: 0)
    else {
      return encoding.isKnownWithoutDeclaration
        ? text : Array("<?xml version=\"1.0\" \(name)?>\n".utf8) + text
    }
    guard !encoding.isKnownWithoutDeclaration else { return text }
    let version = text[..<end].firstIndex(where: \.isQuotationMark)
    let close = version.flatMap { first in text[(first + 1)..<end].firstIndex(of: text[first]) } ?? end - 3
    return Array(text[...close] + " \(name)".utf8 + text[(close + 1)...])
  }
}
