/// The pieces of three versions between two pieces that all versions share.
struct TextChunk {
  typealias Pieces = ArraySlice<TextPieces.Piece>

  let base, ours, theirs: Pieces

  /// Returns the chunks of three texts in order. A piece that all texts share is a chunk of its own.
  ///
  /// - Parameter key: Returns the part of a piece that is equal in all versions of one piece.
  static func all(
    _ base: [TextPieces.Piece], _ ours: [TextPieces.Piece], _ theirs: [TextPieces.Piece],
    by key: (TextPieces.Piece) -> TextPieces.Piece = { $0 }
  ) -> [TextChunk] {
    var symbols = Symbols<TextPieces.Piece>()
    let old = symbols.of(base.map(key))
    let toOurs = SequenceAlignment(old, symbols.of(ours.map(key))).matches
    let toTheirs = SequenceAlignment(old, symbols.of(theirs.map(key))).matches
    var chunks: [TextChunk] = []
    var next = (base: 0, ours: 0, theirs: 0)
    for index in 0...base.count {
      let (o, t) = index < base.count ? (toOurs[index], toTheirs[index]) : (ours.count, theirs.count)
      guard o >= 0, t >= 0 else { continue }
      chunks.append(
        TextChunk(base: base[next.base..<index], ours: ours[next.ours..<o], theirs: theirs[next.theirs..<t]))
      guard index < base.count else { break }
      chunks.append(TextChunk(base: base[index...index], ours: ours[o...o], theirs: theirs[t...t]))
      next = (index + 1, o + 1, t + 1)
    }
    return chunks
  }

  /// The side with changes other than white space; nil if both sides have such changes, or none has.
  var sideWithMoreThanLayout: MergeSide? {
    func content(_ pieces: Pieces) -> [TextPieces.Piece] { pieces.filter { !TextPieces.isSpace($0) } }
    let old = content(base)
    switch (content(ours) == old, content(theirs) == old) {
    case (true, false): return .theirs
    case (false, true): return .ours
    default: return nil
    }
  }

  /// The pieces of the only side with changes, or of both if they are equal; nil otherwise.
  var merged: Pieces? {
    if ours == theirs || base == theirs { return ours }
    return base == ours ? theirs : nil
  }

  /// The pieces if one side changed those of the base and the other side only added pieces before or after
  /// them: the changed pieces between the additions. Nil otherwise.
  var mergedAround: Pieces? {
    guard !base.isEmpty else { return nil }
    for (frame, core) in [(ours, theirs), (theirs, ours)] where frame.count > base.count {
      if frame.suffix(base.count) == base { return frame.dropLast(base.count) + core }
      if frame.prefix(base.count) == base { return core + frame.dropFirst(base.count) }
    }
    return nil
  }

  /// The pieces of the base that both sides kept, with the additions of both. Nil if both removed the same piece, or added different
  /// pieces at one position.
  ///
  ///     base a b c    ours a x b    theirs d b c    →    d x b
  var mergedEdits: Pieces? {
    let (mine, others) = (Edits(Array(base), Array(ours)), Edits(Array(base), Array(theirs)))
    var merged: [TextPieces.Piece] = []
    for index in 0...base.count {
      let (first, second) = (mine.added[index], others.added[index])
      guard first.isEmpty || second.isEmpty || first == second else { return nil }
      merged += first.isEmpty ? second : first
      guard index < base.count else { break }
      guard mine.keeps[index] || others.keeps[index] else { return nil }
      if mine.keeps[index], others.keeps[index] { merged.append(base[base.startIndex + index]) }
    }
    return merged[...]
  }

  /// The changes of a side.
  private struct Edits {
    /// For each piece of the base, true if the side kept it.
    var keeps: [Bool]
    /// The pieces that the side added before each piece of the base, and at the end.
    var added: [[TextPieces.Piece]]

    init(_ base: [TextPieces.Piece], _ side: [TextPieces.Piece]) {
      keeps = base.map { _ in false }
      added = [[TextPieces.Piece]](repeating: [], count: base.count + 1)
      var last = 0
      for chunk in all(base, side, side) {
        let isKept = chunk.base == chunk.ours
        if !isKept { added[last] += chunk.ours }
        for _ in chunk.base {
          keeps[last] = isKept
          last += 1
        }
      }
    }
  }

  /// The additions of both sides at the same position, ours first, with the white space of one side after the
  /// other side's addition. Nil if the base has pieces here.
  var bothAdditions: Pieces? {
    guard base.isEmpty else { return nil }
    switch (ours.allSatisfy(TextPieces.isSpace), theirs.allSatisfy(TextPieces.isSpace)) {
    case (true, true): return nil
    case (true, false): return theirs + ours
    default: return ours + theirs
    }
  }
}
