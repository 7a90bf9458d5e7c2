/// The comments and processing instructions that a merged text must have: those that a side added, and
/// those of the base that neither side removed.
///
///     base <!--a-->    ours <!--a--><!--b-->    theirs nothing    →    <!--b-->
struct KeptMarkup {
  /// The least number of occurrences of each piece.
  private var counts: [TextPieces.Piece: Int]

  /// Finds the pieces to keep, from the comments and processing instructions of each version.
  init(base: [TextPieces.Piece], ours: [TextPieces.Piece], theirs: [TextPieces.Piece]) {
    let (base, ours, theirs) = (Self.counts(of: base), Self.counts(of: ours), Self.counts(of: theirs))
    counts = [:]
    for piece in Set(ours.keys).union(theirs.keys) {
      let (old, mine, others) = (base[piece, default: 0], ours[piece, default: 0], theirs[piece, default: 0])
      // Both sides may have added the same piece, which is added once.
      counts[piece] = min(mine, others) > old ? max(mine, others) : mine + others - old
    }
  }

  private static func counts(of pieces: [TextPieces.Piece]) -> [TextPieces.Piece: Int] {
    pieces.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Returns the missing pieces of a text with the given comments and processing instructions.
  func missing(in pieces: [TextPieces.Piece]) -> [TextPieces.Piece] {
    let found = Self.counts(of: pieces)
    return counts.flatMap { piece, count in
      [TextPieces.Piece](repeating: piece, count: max(count - found[piece, default: 0], 0))
    }
  }
}
