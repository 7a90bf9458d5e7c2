/// A scan of a text for the conflict of a merge that git has marked around a line.
struct ConflictScan {
  /// The line at which the scan ends, counted from 1.
  private let lastLine: Int
  private var line = 1
  /// The first bytes of the line.
  private var beginning: [UInt8] = []
  /// True if the line has a sign of the syntax of a format.
  private var hasSyntax = false
  /// True if the line before is not empty and has no sign of syntax, as a title that a line of `=` underlines.
  private var followsTitle = false
  /// The line of the mark that begins the current conflict; nil outside of a conflict.
  private var firstLine: Int?

  /// The line of the last mark outside of a conflict, which is left over from one; nil if there is none.
  private var leftOverLine: Int?

  private init(upToLine lastLine: Int) { self.lastLine = lastLine }

  /// Returns the line in which a conflict around a line begins, or the line of a mark at this line or before it that is left over from a
  /// conflict. Returns nil if there is neither.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - head: The first bytes of a text.
  ///   - input: The text in UTF-8. If it cannot be read again, only `head` is scanned.
  static func mark(
    atLine line: Int, in head: FormatHead, of input: any ByteInput
  ) -> (line: Int, isLeftOver: Bool)? {
    var scan = ConflictScan(upToLine: line)
    scan.append(head.bytes.span)
    if !scan.isAtEnd, !head.isWhole, (try? input.rewind()) != nil {
      scan = ConflictScan(upToLine: line)
      // `try?`: the text has another error, which is reported.
      try? input.forEachChunk { chunk throws(FerryError) in scan.append(chunk) }
    }
    scan.endLine()
    if let first = scan.firstLine { return (first, false) }
    guard let last = scan.leftOverLine, last >= line - 1 else { return nil }
    return (last, true)
  }

  /// Returns the line in which the first conflict begins that has all its marks in the first bytes of a text, or nil if there is none.
  static func beginning(ofConflictIn head: FormatHead) -> Int? {
    var (first, isDivided) = (Int?.none, false)
    let lines = head.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      switch ConflictMark(Array(line.prefix(ConflictMark.size)).span) {
      case .start: (first, isDivided) = (index + 1, false)
      case .divider: isDivided = true
      case .end where first != nil && isDivided: return first
      case .end, nil: break
      }
    }
    return nil
  }

  private var isAtEnd: Bool { line > lastLine }

  private mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      if isAtEnd { return }
      if bytes[index] == UInt8(ascii: "\n") {
        endLine()
      } else {
        if beginning.count < ConflictMark.size { beginning.append(bytes[index]) }
        if !hasSyntax { hasSyntax = "{}[]()<>\"',;:=".utf8.contains(bytes[index]) }
      }
    }
  }

  private mutating func endLine() {
    guard !isAtEnd else { return }
    switch ConflictMark(beginning.span) {
    case .start: firstLine = line
    case .divider where firstLine == nil && !followsTitle, .end where firstLine == nil: leftOverLine = line
    case .end where line < lastLine: firstLine = nil
    case .divider, .end, nil: break
    }
    line += 1
    followsTitle = !hasSyntax && beginning.contains { !FormatHead.isSpace($0) }
    hasSyntax = false
    beginning.removeAll(keepingCapacity: true)
  }
}
