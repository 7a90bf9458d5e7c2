/// A reader of YAML 1.2. A stream with several documents is sent as an array of them.
///
///     a: 1                {"a": 1}
///
///     --- {a: 1}          [{"a": 1}, {"a": 2}]
///     --- {a: 2}
///
/// The reader needs memory for one document, because the marks between documents are found without parsing.
final class YAMLReader: ChunkReader {
  private let sink: any ValueSink
  private let context: ReaderContext
  private var sender: YAMLSender
  private var decoder: TextDecoder
  /// The text from the first byte of the current document on.
  private var text: [UInt8] = []
  /// The length of the text whose lines have been looked at.
  private var scanned = 0
  /// The length of the text in which the end of the next line has been searched for.
  private var searched = 0
  /// The lines before the current document.
  private var lines = LineCounter()
  private var scan = YAMLDocumentScan()
  /// The first document, until it is known to be one of several.
  private var first: YAMLDocument?
  private var count = 0
  /// The number of documents sent as elements of an array.
  private var sentCount = 0
  private var hasBegun = false

  init(into sink: any ValueSink, _ context: ReaderContext) {
    (self.sink, self.context) = (sink, context)
    sender = YAMLSender(to: sink, context)
    decoder = TextDecoder(encoding: context.encoding)
  }

  private var endOfText: InputLocation {
    let text = text
    return lines.location(of: text.count, in: text.span)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    do throws(FerryError) { try decoder.append(chunk, to: &text) } catch { throw error.placed(at: endOfText) }
    try endDocuments(isLast: false)
    try context.budget.checkText(text.count, at: lines.end)
  }

  func finish() throws(FerryError) {
    do throws(FerryError) { try decoder.finish(to: &text) } catch { throw error.placed(at: endOfText) }
    try endDocuments(isLast: true)
    if scan.hasContent || count == 0 { try endDocument(at: text.count) }
    // After the last document, only comments and directives are left.
    var locations = ChunkLocations()
    for line in text.split(whereSeparator: YAMLDocumentScan.endsLine) where Self.isComment(line) {
      let start = line.firstIndex { !$0.isSpace } ?? line.startIndex
      let isLocated = context.losses?.usesLocations == true
      let location = isLocated ? locations.location(of: start, in: text.span, after: lines) : InputLocation()
      context.losses?.add(.comment, at: location)
    }
    if let first { return try sender.send(first) }
    try beginArray()
    try sink.endArray()
  }

  /// Sends the beginning of a mapping up to its first key, if the first bytes of an input show it, or null.
  func readFirstKey(_ head: Span<UInt8>) throws(FerryError) {
    guard let key = YAMLDocument.firstKey(of: head) else { return try sink.null() }
    try sink.beginDictionary(count: nil)
    try sink.key(BorrowedText(key.span))
  }

  /// Sends the documents that are complete.
  private func endDocuments(isLast: Bool) throws(FerryError) {
    var start = 0
    while scanned < text.count {
      let rest = text[max(scanned, searched)...]
      guard let feed = rest.firstIndex(where: YAMLDocumentScan.endsLine) ?? (isLast ? text.count : nil) else {
        searched = text.count
        break
      }
      let line = text[scanned..<feed]
      let end = min(feed + 1, text.count)
      switch scan.take(line) {
      case .before:
        try endDocument(from: start, to: scanned)
        start = scanned
      case .after:
        try endDocument(from: start, to: end)
        start = end
      case nil: break
      }
      scanned = end
    }
    drop(start)
  }

  private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    line.first { !$0.isSpace } == UInt8(ascii: "#")
  }

  private func endDocument(at end: Int) throws(FerryError) {
    try endDocument(from: 0, to: end)
    drop(end)
  }

  /// Reads a document. The first of several is sent when the second one has been found.
  private func endDocument(from start: Int, to end: Int) throws(FerryError) {
    let text = text[start..<end]
    defer { lines.finish(text.span) }
    count += 1
    let document: YAMLDocument
    do throws(FerryError) {
      document = try YAMLDocument(Array(text), after: lines, budget: context.budget)
    } catch {
      guard let failed = context.failed else { throw error }
      if let line = lineOfConflict(in: text) {
        throw FerryError(.file(.conflict(error.reason, line: line)), at: error.location)
      }
      if count > 1 { try beginArray() }
      return failed.add(unread: error)
    }
    guard count > 1 else {
      first = document
      return
    }
    try beginArray()
    try send(document)
  }

  /// Returns the line in which a conflict of a merge begins in a document; nil if there is none.
  private func lineOfConflict(in text: ArraySlice<UInt8>) -> Int? {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let index = lines.firstIndex { ConflictMark(Array($0.prefix(ConflictMark.size)).span) == .start }
    return index.flatMap { index in self.lines.end.line.map { $0 + index } }
  }

  /// Begins the array of documents, unless it has begun, with the first document.
  private func beginArray() throws(FerryError) {
    guard !hasBegun else { return }
    hasBegun = true
    if count > 1 { context.documents?.areSeveral = true }
    try sink.beginArray(count: nil)
    if let first { try send(first) }
    first = nil
  }

  /// Sends one of several documents.
  private func send(_ document: YAMLDocument) throws(FerryError) {
    sender.documentIndex = sentCount + (context.failed?.unreadCount ?? 0)
    sentCount += 1
    try sender.send(document)
  }

  /// Drops the text of documents that have been read, whose lines have been counted.
  private func drop(_ length: Int) {
    guard length > 0 else { return }
    text.removeFirst(length)
    scanned -= length
    searched -= length
  }
}
