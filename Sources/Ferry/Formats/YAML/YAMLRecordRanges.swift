/// The ranges of the documents of a stream. A document is removed with its directives and marks, and with the comments after its mark. The
/// comments before the mark and after the value stay.
struct YAMLRecordRanges: RecordRanges {
  private struct Document {
    /// The text from the end of the document before to the beginning of the next one.
    var whole: Range<Int>
    /// The offset of the first directive or the mark, or else of the line on which the value begins.
    var head: Int
    /// The offset of the mark `---`, or nil if the document has none.
    var mark: Int?
    var value: Range<Int>
    /// The offset of the mark `...` after the value, or nil if the document has none.
    var endMark: Int?

    /// True if the document cannot follow a document without `...`.
    var needsEndMarkBefore: Bool { mark != head }
  }

  let start: Int
  private let stream: YAMLDocument
  private let documents: [Document]
  private let lineEnd: [UInt8]

  init(of stream: YAMLDocument) {
    self.stream = stream
    lineEnd = stream.text.lineEnd
    start = stream.documents.first?.lowerBound ?? 0
    documents = zip(stream.documents, stream.roots).map { whole, root in
      Self.document(whole, stream.nodes[root].range, stream.text)
    }
  }

  private static func document(_ whole: Range<Int>, _ value: Range<Int>, _ text: [UInt8]) -> Document {
    let mark = mark(in: text, whole)
    var found = Document(whole: whole, head: value.lowerBound, mark: mark?.offset, value: value)
    found.head = mark?.head ?? startOfLine(at: value.lowerBound, in: text, from: whole.lowerBound)
    let last = startOfLine(at: endOfLastLine(of: whole, in: text), in: text, from: whole.lowerBound)
    if last >= value.upperBound, YAMLDocumentScan.isMark(text[last..<whole.upperBound], "...") {
      found.endMark = last
    }
    return found
  }

  /// Returns the offset of the mark of a document, and that of the first directive before it or else of the mark; nil if the document has
  /// no mark.
  private static func mark(in text: [UInt8], _ document: Range<Int>) -> (offset: Int, head: Int)? {
    var (line, directive) = (document.lowerBound, Int?.none)
    while line < document.upperBound {
      let (content, next) = YAMLDocumentScan.lineRange(in: text, from: line)
      if YAMLDocumentScan.isMark(text[content], "---") { return (line, directive ?? line) }
      if YAMLDocumentScan.isDirective(text[content]) {
        directive = directive ?? line
      } else if YAMLDocumentScan.isContent(text[content]) {
        return nil
      }
      line = next
    }
    return nil
  }

  private static func startOfLine(at offset: Int, in text: [UInt8], from start: Int) -> Int {
    text[start..<offset].lastIndex(where: YAMLDocumentScan.endsLine).map { $0 + 1 } ?? start
  }

  /// Returns the end of the last line of a document, without its line end.
  private static func endOfLastLine(of document: Range<Int>, in text: [UInt8]) -> Int {
    var end = document.upperBound
    if end > document.lowerBound, text[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > document.lowerBound, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end
  }

  /// A stream with a single document is read as the document itself.
  var areReadAlone: Bool { true }

  // MARK: Removal

  func ranges(removing run: ClosedRange<Int>) -> [Range<Int>] {
    let anchor = run.lowerBound > 0 ? documents[run.lowerBound - 1] : nil
    let next = run.upperBound + 1 < documents.count ? documents[run.upperBound + 1] : nil
    var ranges = run.map { documents[$0].head..<endOfRemoval(documents[$0]) }
    for index in run {
      guard let endMark = documents[index].endMark else { continue }
      // The documents before and after the removed ones still need a mark between them.
      let isNeeded =
        index == run.upperBound && next?.needsEndMarkBefore == true && anchor != nil && anchor?.endMark == nil
      if !isNeeded { ranges.append(endMark..<documents[index].whole.upperBound) }
    }
    // The first document has a mark only if it had one.
    if anchor == nil, documents[run.lowerBound].mark == nil, let next, let mark = bareMark(of: next) {
      ranges.append(mark)
    }
    return ranges
  }

  /// Returns the offset after the text of a document that is removed: the first comment on a line after its value, or else its mark `...` or
  /// the next document.
  private func endOfRemoval(_ document: Document) -> Int {
    let end = document.endMark ?? document.whole.upperBound
    let line = min(YAMLDocumentScan.lineRange(in: stream.text, from: document.value.upperBound).next, end)
    guard let comment = stream.comments(in: stream.text[line..<end]).first else { return end }
    return Self.startOfLine(at: comment.startIndex, in: stream.text, from: line)
  }

  /// Returns the line of a document's mark if the document can be the first one without it; otherwise nil.
  private func bareMark(of document: Document) -> Range<Int>? {
    guard let mark = document.mark, document.head == mark, !document.value.isEmpty else { return nil }
    let (line, next) = YAMLDocumentScan.lineRange(in: stream.text, from: mark)
    guard next <= document.value.lowerBound, stream.text[line].dropFirst(3).allSatisfy(\.isSpace) else {
      return nil
    }
    return mark..<next
  }

  // MARK: Insertion

  private var mark: [UInt8] { "---".utf8 + lineEnd }
  private var endMark: [UInt8] { "...".utf8 + lineEnd }

  func insertion(of text: [UInt8], after index: Int?) -> (offset: Int, text: [UInt8]) {
    let line = text + lineEnd
    guard let index else {
      guard let first = documents.first else { return (start, line) }
      guard first.mark != nil else { return (first.head, line + mark) }
      return (first.head, mark + line + (first.needsEndMarkBefore ? endMark : []))
    }
    let offset = documents[index].whole.upperBound
    guard offset == start || YAMLDocumentScan.endsLine(stream.text[offset - 1]) else {
      return (offset, lineEnd + mark + text)
    }
    let next = index + 1 < documents.count ? documents[index + 1] : nil
    return (offset, mark + line + (next?.needsEndMarkBefore == true ? endMark : []))
  }

  func text(of records: [[UInt8]]) -> [UInt8] {
    let first = documents.first?.mark == nil ? [] : mark
    return first + Array(records.map { $0 + lineEnd }.joined(separator: mark))
  }
}
