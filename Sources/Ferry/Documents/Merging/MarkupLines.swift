/// The lines of our version at which comments and processing instructions are, or are missing.
struct MarkupLines {
  private typealias Piece = TextPieces.Piece

  /// The offset of the first occurrence of each piece in a version.
  private let ours, theirs: [TextPieces.Piece: Int]
  private let ourStarts: LineStarts
  private let theirLines: [TextPieces.Piece]
  /// For each line of theirs, the line of ours after the last one up to it that both versions have once; 1 if there is none.
  private let linesAfter: [Int]

  init(_ ours: CommentedText, _ theirs: CommentedText) {
    (self.ours, self.theirs) = (Self.offsets(of: ours.markup), Self.offsets(of: theirs.markup))
    ourStarts = LineStarts(of: ours.bytes)
    theirLines = theirs.lines
    let (mine, others) = (Self.ends(of: ours.lines), Self.ends(of: theirLines))
    var (line, linesAfter) = (1, [Int]())
    for their in theirLines {
      if !TextPieces.isSpace(their), others[their] ?? nil != nil, let end = mine[their] ?? nil {
        line = ourStarts.line(at: end)
      }
      linesAfter.append(line)
    }
    self.linesAfter = linesAfter
  }

  /// Returns the line of our version, counted from 1, that has a piece of ours, or at which a piece of theirs is missing.
  func line(of piece: TextPieces.Piece) -> (line: Int, isOurs: Bool) {
    if let offset = ours[piece] { return (ourStarts.line(at: offset), true) }
    guard let offset = theirs[piece] else { return (1, false) }
    let next = theirLines.partitioningIndex { $0.endIndex > offset }
    return (next > 0 ? linesAfter[next - 1] : 1, false)
  }

  private static func offsets(of markup: [Piece]) -> [Piece: Int] {
    markup.reduce(into: [:]) { if $0[$1] == nil { $0[$1] = $1.startIndex } }
  }

  /// Returns the end of each line; nil for a line that occurs more than once.
  private static func ends(of lines: [Piece]) -> [Piece: Int?] {
    lines.reduce(into: [:]) { ends, line in
      ends[line] = ends.keys.contains(line) ? .some(nil) : line.endIndex
    }
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
