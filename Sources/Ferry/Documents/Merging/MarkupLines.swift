/// The lines of our version at which comments and processing instructions are, or are missing.
struct MarkupLines {
  private typealias Piece = TextPieces.Piece

  /// The offset of the first occurrence of each piece in a version.
  private let ours, theirs: [TextPieces.Piece: Int]
  private let ourStarts: LineStarts
  private let theirLines: [TextPieces.Piece]
  /// For each line of theirs, the line of ours after the last one up to it that both versions have; 1 if there is none.
  private let linesAfter: [Int]

  init(_ ours: CommentedText, _ theirs: CommentedText) {
    (self.ours, self.theirs) = (Self.offsets(of: ours.markup), Self.offsets(of: theirs.markup))
    ourStarts = LineStarts(of: ours.bytes)
    theirLines = theirs.lines
    let ourLines = ours.lines
    var symbols = Symbols<Piece>()
    let matches = SequenceAlignment(symbols.of(theirLines), symbols.of(ourLines)).matches
    var (line, linesAfter) = (1, [Int]())
    for (their, match) in zip(theirLines, matches) {
      if match >= 0, !TextPieces.isSpace(their) { line = ourStarts.line(at: ourLines[match].endIndex) }
      linesAfter.append(line)
    }
    self.linesAfter = linesAfter
  }

  /// Returns the line of our version, counted from 1, that has a piece of ours, or at which a piece of theirs is missing.
  func line(of piece: TextPieces.Piece) -> Int {
    if let offset = ours[piece] { return ourStarts.line(at: offset) }
    guard let offset = theirs[piece] else { return 1 }
    let next = theirLines.partitioningIndex { $0.endIndex > offset }
    return next > 0 ? linesAfter[next - 1] : 1
  }

  private static func offsets(of markup: [Piece]) -> [Piece: Int] {
    markup.reduce(into: [:]) { if $0[$1] == nil { $0[$1] = $1.startIndex } }
  }
}

/// The offsets of the lines of a text.
struct LineStarts {
  private let starts: [Int]

  init(of text: [UInt8]) {
    starts = [0] + text.indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// Returns the line of an offset, counted from 1.
  func line(at offset: Int) -> Int { starts.partitioningIndex { $0 > offset } }
}
