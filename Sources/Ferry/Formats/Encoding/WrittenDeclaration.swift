/// An XML document whose declaration gets the name of another encoding.
struct WrittenDeclaration {
  private let encoding: OutputEncoding
  /// The beginning of the document, until its declaration is complete.
  private var head: [UInt8]? = []
  private static let longest = 1 << 12

  init(of encoding: OutputEncoding) { self.encoding = encoding }

  /// Returns the next part of the document.
  mutating func rewritten(_ text: [UInt8]) -> [UInt8] {
    guard var head else { return text }
    head += text
    guard head.span.mayContinueDeclaration, head.count < Self.longest else {
      self.head = nil
      return declaring(head)
    }
    self.head = head
    return []
  }

  /// Returns the rest of a document that ends in its declaration.
  mutating func rest() -> [UInt8] {
    defer { head = nil }
    return head.map(declaring) ?? []
  }

  private func declaring(_ text: [UInt8]) -> [UInt8] {
    let name = "encoding=\"\(encoding.nameInXML)\""
    if let range = HiddenDeclaration.encodingRange(in: text) {
      return Array(text[..<range.lowerBound] + name.utf8 + text[range.upperBound...])
    }
    guard text.starts(with: "<?xml ".utf8), let end = text.span.end(ofFirst: "?>", from: 5) else {
      return encoding.isKnownWithoutDeclaration
        ? text : Array("<?xml version=\"1.0\" \(name)?>\n".utf8) + text
    }
    guard !encoding.isKnownWithoutDeclaration else { return text }
    let version = text[..<end].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    let close = version.flatMap { first in text[(first + 1)..<end].firstIndex(of: text[first]) } ?? end - 3
    return Array(text[...close] + " \(name)".utf8 + text[(close + 1)...])
  }
}

extension Span<UInt8> {
  /// True if the text is the beginning of an XML declaration that does not end in it.
  var mayContinueDeclaration: Bool {
    guard count >= 5 else { return "<?xml".utf8.starts(with: [UInt8](copying: self)) }
    return starts(with: "<?xml") && end(ofFirst: "?>", from: 5) == nil
  }
}
