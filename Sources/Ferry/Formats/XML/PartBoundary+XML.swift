extension PartBoundary {
  /// Creates the boundary between the children of the root element, from the first bytes of a document.
  ///
  ///     <people><person>…</person> ⎸ <person id="2"/> ⎸ <company/></people>
  ///
  /// The frame has the tags of the root element, so that its namespaces apply to every part. The part begins on another line than the start tag,
  /// because libxml2 shows only the lines of open elements. Fails if the root element is empty or has another
  /// name than the given one, if its start tag does not end in the bytes, if the document is not in UTF-8, or if it has a document type
  /// declaration, whose entities only the first part would have.
  init?(betweenElementsIn head: [UInt8], ofRoot root: String? = nil) {
    var scan = DocumentHeadScan(head)
    guard let declaration = scan.declaration(), let tag = scan.rootTag() else { return nil }
    let rootName = tag.dropFirst().prefix { !$0.endsXMLName }
    guard root.map({ DocumentHeadScan.local(rootName).elementsEqual($0.utf8) }) ?? true else { return nil }
    let pieces = [(0, declaration.startIndex), (declaration.count, tag.startIndex)]
    self.init(
      ElementBoundaries(from: tag.endIndex),
      frame: Frame(
        before: declaration + tag.dropLast() + Array("\n>".utf8),
        after: Array("</".utf8) + rootName + Array(">".utf8),
        origins: pieces.map { ($0, InputLocation.beginning.advanced(over: Array(head[..<$1]))) }))
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

  /// Returns a name without its prefix.
  static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.firstIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }
}
