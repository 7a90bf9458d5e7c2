/// A scan of a text for the conflict of a merge that git has marked around a line.
struct ConflictScan {
  /// The line at which the scan ends, counted from 1.
  private let lastLine: Int
  private var line = 1
  /// The first bytes of the line.
  private var beginning: [UInt8] = []
  /// The line of the mark that begins the current conflict; nil outside of a conflict.
  private var firstLine: Int?

  private init(upToLine lastLine: Int) { self.lastLine = lastLine }

  /// Returns the line in which a conflict around a line begins, or nil if there is none.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - head: The first bytes of a text.
  ///   - input: The text. If it cannot be read again, only `head` is scanned.
  static func beginning(ofConflictAtLine line: Int, in head: [UInt8], of input: any ByteInput) -> Int? {
    var scan = ConflictScan(upToLine: line)
    scan.append(head.span)
    if !scan.isAtEnd, head.count >= FormatHead.size, (try? input.rewind()) != nil {
      scan = ConflictScan(upToLine: line)
      // `try?`: the text has another error, which is reported.
      try? input.forEachChunk { chunk throws(FerryError) in scan.append(chunk) }
    }
    scan.endLine()
    return scan.firstLine
  }

  private var isAtEnd: Bool { line > lastLine }

  private mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      if isAtEnd { return }
      if bytes[index] == UInt8(ascii: "\n") {
        endLine()
      } else if beginning.count < ConflictMark.size {
        beginning.append(bytes[index])
      }
    }
  }

  private mutating func endLine() {
    guard !isAtEnd else { return }
    switch ConflictMark(beginning.span) {
    case .start: firstLine = line
    case .end where line < lastLine: firstLine = nil
    case .divider, .end, nil: break
    }
    line += 1
    beginning.removeAll(keepingCapacity: true)
  }
}
