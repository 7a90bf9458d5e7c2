/// A search for the boundaries of the documents of a stream, line by line. A line that begins with `---` or `...` can only be a mark
/// between documents, so lines are not parsed.
struct YAMLDocumentScan {
  /// A boundary after a document: before or after the line that shows it.
  enum Boundary { case before, after }

  /// True if the current document has a mark or a value, and not only comments and directives.
  private(set) var hasContent = false

  /// Returns the boundary that the next line shows, or nil.
  mutating func take(_ line: ArraySlice<UInt8>) -> Boundary? {
    if Self.isMark(line, "---") {
      defer { hasContent = true }
      return hasContent ? .before : nil
    }
    if Self.isMark(line, "...") {
      defer { hasContent = false }
      return hasContent ? .after : nil
    }
    hasContent = hasContent || Self.isContent(line)
    return nil
  }

  static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  static func isMark(_ line: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
    line.span.starts(with: mark) && line.dropFirst(3).first.map(\.isSpace) ?? true
  }

  static func isDirective(_ line: ArraySlice<UInt8>) -> Bool { line.first == UInt8(ascii: "%") }

  /// Returns true if a line outside of a document begins its value.
  static func isContent(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first(where: { !$0.isSpace }) else { return false }
    return first != UInt8(ascii: "#") && !isDirective(line)
  }

  /// Returns the ranges of the documents in a text, each with its directives, its marks and the comments around it. The first one begins
  /// at an offset.
  static func documents(in text: [UInt8], from offset: Int) -> [Range<Int>] {
    var (scan, documents) = (YAMLDocumentScan(), [Range<Int>]())
    var (start, line) = (offset, offset)
    while line < text.count {
      let (content, next) = lineRange(in: text, from: line)
      switch scan.take(text[content]) {
      case .before:
        documents.append(start..<line)
        start = line
      case .after:
        documents.append(start..<next)
        start = next
      case nil: break
      }
      line = next
    }
    if scan.hasContent || documents.isEmpty { documents.append(start..<text.count) }
    return documents
  }

  /// Returns the range of a line without its line end, and the offset of the next line.
  static func lineRange(in text: [UInt8], from start: Int) -> (content: Range<Int>, next: Int) {
    guard let end = text[start...].firstIndex(where: endsLine) else {
      return (start..<text.count, text.count)
    }
    let isPair = text[end...].starts(with: "\r\n".utf8)
    return (start..<end, end + (isPair ? 2 : 1))
  }
}
