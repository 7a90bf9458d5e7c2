extension PartBoundary {
  /// Finds the boundary between the elements with a name in the root element, in the first bytes of a document: the text from
  /// the end tag of one to the name of the next one.
  ///
  ///     <people><person>…</person> <person>…      </person> <person
  ///
  /// The frame has the tags of the root element, so that its namespaces apply to every part. Fails if the root element is not the
  /// given one, if the bytes end before the second element, if the document is not in UTF-8, or if it has a document type
  /// declaration, whose entities only the first part would have.
  init?(betweenElements name: String, in head: [UInt8], ofRoot root: String? = nil) {
    var scan = DocumentHeadScan(head)
    guard let declaration = scan.declaration(), let tag = scan.rootTag() else { return nil }
    let rootName = tag.dropFirst().prefix { !$0.endsXMLName }
    guard root.map({ DocumentHeadScan.local(rootName).elementsEqual($0.utf8) }) ?? true,
      let (pattern, cut) = scan.boundary(of: name)
    else { return nil }
    self.init(
      Array(pattern), cut: cut..<cut,
      frame: Frame(before: Array(declaration + tag), after: Array("</".utf8) + rootName + Array(">".utf8)))
  }
}

/// A scanner of the first bytes of an XML document. It expects a well-formed document.
private struct DocumentHeadScan {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Skips the prolog, and returns its XML declaration, which may be missing. Returns nil if the prolog declares more than the
  /// encoding UTF-8, or if it does not end in the bytes.
  mutating func declaration() -> ArraySlice<UInt8>? {
    var (prolog, declaration) = (PrologScan(), bytes[0..<0])
    while let end = prolog.end(in: bytes.span, from: index), !prolog.isOver {
      let item = bytes[index..<end].drop { $0 != UInt8(ascii: "<") }
      if item.starts(with: "<!D".utf8) { return nil }
      if XMLDeclarationCheck.isDeclaration(item.span) { declaration = item }
      index = end
    }
    guard prolog.endsInTag, let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
    index = start
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    return !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
      ? declaration : nil
  }

  /// Skips the start tag of the root element, and returns it. Returns nil if the element is empty, or if the tag does not end in
  /// the bytes.
  mutating func rootTag() -> ArraySlice<UInt8>? {
    guard let end = bytes.span.endOfTag(from: index) else { return nil }
    defer { index = end }
    return bytes[end - 2] == UInt8(ascii: "/") ? nil : bytes[index..<end]
  }

  /// Returns the bytes from the end tag of an element with a local name to the name of the next such element, and the index in
  /// them at which the next one begins.
  mutating func boundary(of name: String) -> (pattern: ArraySlice<UInt8>, cut: Int)? {
    while let start = bytes.span.firstIndex(of: "</", from: index) {
      index = start + 2
      let qualified = bytes[index..<bytes.span.endOfWrittenName(from: index)]
      guard Self.local(qualified).elementsEqual(name.utf8) else { continue }
      let rest = bytes[qualified.endIndex...]
      guard rest.first == UInt8(ascii: ">"), let next = rest.dropFirst().firstIndex(where: { !$0.isSpace }),
        bytes[next...].starts(with: [UInt8(ascii: "<")] + qualified)
      else { continue }
      return (bytes[start...next + qualified.count], next - start)
    }
    return nil
  }

  /// Returns a name without its prefix.
  static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.firstIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }
}
