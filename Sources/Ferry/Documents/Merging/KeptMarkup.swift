/// The comments and processing instructions that a merged text must have: those that a side added, and
/// those of the base that neither side removed. It must lack those that a side removed.
///
///     base <!--a-->    ours <!--a--><!--b-->    theirs nothing    →    <!--b-->
struct KeptMarkup {
  /// The least number of occurrences of each piece.
  private var counts: [TextPieces.Piece: Int]
  /// The greatest number of occurrences of each piece that a side removed.
  private var limits: [TextPieces.Piece: Int] = [:]

  /// Finds the pieces to keep, from the comments and processing instructions of each version.
  init(_ pieces: Versions<[TextPieces.Piece]>) { self.init(counts: pieces.map(Self.counts)) }

  /// Finds the pieces to keep, from the number of each piece in each version.
  init(counts found: Versions<[TextPieces.Piece: Int]>) {
    let (base, ours, theirs) = (found.base, found.ours, found.theirs)
    counts = [:]
    for piece in Set(ours.keys).union(theirs.keys) {
      let (old, mine, others) = (base[piece, default: 0], ours[piece, default: 0], theirs[piece, default: 0])
      // Both sides may have added the same piece, which is added once.
      counts[piece] = min(mine, others) > old ? max(mine, others) : mine + others - old
    }
    for (piece, old) in base {
      let (mine, others) = (ours[piece, default: 0], theirs[piece, default: 0])
      // Both sides may have removed the same one of equal pieces.
      if min(mine, others) < old { limits[piece] = max(mine + others - old, min(mine, others)) }
    }
  }

  static func counts(of pieces: [TextPieces.Piece]) -> [TextPieces.Piece: Int] {
    pieces.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Returns the missing pieces of a text with the given comments and processing instructions.
  func missing(in pieces: [TextPieces.Piece]) -> [TextPieces.Piece] {
    let found = Self.counts(of: pieces)
    return counts.flatMap { piece, count in
      [TextPieces.Piece](repeating: piece, count: max(count - found[piece, default: 0], 0))
    }
  }

  /// Returns the pieces that a text has although a side removed them, from the number of each piece in the text.
  func restored(in found: [TextPieces.Piece: Int]) -> [TextPieces.Piece] {
    limits.flatMap { piece, limit in
      [TextPieces.Piece](repeating: piece, count: max(found[piece, default: 0] - limit, 0))
    }
  }
}
