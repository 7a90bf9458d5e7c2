/// The beginning of an XML document, which is held until its declaration is complete.
struct HeldDeclaration {
  private var head: [UInt8]? = []
  /// The number of bytes after which a beginning is not that of a declaration.
  private static let longest = 1 << 12

  /// Returns the next part of the document. A function changes the first part, which contains the whole declaration.
  mutating func next(_ text: [UInt8], changing change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    guard var head else { return text }
    head += text
    guard head.span.mayContinueDeclaration, head.count < Self.longest else {
      self.head = nil
      return change(head)
    }
    self.head = head
    return []
  }

  /// Returns the rest of a document that ends in its declaration; nil if the declaration is complete.
  mutating func rest() -> [UInt8]? {
    defer { head = nil }
    return head
  }
}

extension Span<UInt8> {
  /// True if the text is the beginning of an XML declaration that does not end in it.
  fileprivate var mayContinueDeclaration: Bool {
    guard count >= 5 else { return "<?xml".utf8.starts(with: [UInt8](copying: self)) }
    return starts(with: "<?xml") && end(ofFirst: "?>", from: 5) == nil
  }
}
