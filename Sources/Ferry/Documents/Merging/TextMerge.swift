/// A three-way merge of texts. It does not interpret them: the caller parses the result to check it.
///
///     base <r><a/></r>    ours <r><!--x--><a/></r>    theirs <r><a/><b/></r>    →    <r><!--x--><a/><b/></r>
struct TextMerge {
  /// The size of the pieces in which texts are compared.
  enum Unit: CaseIterable {
    /// Elements of XML; within elements that both sides have changed, the items of their content.
    case elements
    /// Lines; within lines that both sides have changed, tokens.
    case lines
    /// Tokens: tags, names, strings, white space.
    case tokens
    /// Tokens; if both sides add tokens at the same position, only those of the favored side.
    case tokensOfOne
  }

  /// The merged text.
  private(set) var bytes: [UInt8] = []
  /// The parts in which one side was chosen: the favored one, unless the other has all changes except layout.
  private(set) var conflicts: [TextConflict] = []
  /// The conflicts in which a comment, a processing instruction or a declaration is left out.
  var contentConflicts: [TextConflict] { conflicts.filter(\.isOfContent) }

  private let isXML: Bool
  private let keepsBothAdditions: Bool
  private let winner: MergeSide
  /// The current line of our version.
  private var line = 1

  /// The maximum size of a text that is merged by tokens, in bytes. A larger text is merged only by lines.
  private static let longestByToken = 1 << 22
  /// The maximum size of a text that is merged by elements, in bytes. The items take much more memory.
  private static let longestByElement = 1 << 20

  /// Merges three texts. Fails if they are too long for the unit.
  ///
  /// - Parameter lineEnd: The bytes that replace each line feed of the merged text.
  init?(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], by unit: Unit, isXML: Bool, favoring winner: MergeSide,
    lineEnd: [UInt8] = [UInt8(ascii: "\n")]
  ) {
    (self.isXML, self.winner, keepsBothAdditions) = (isXML, winner, unit != .tokensOfOne)
    let longest = max(base.count, ours.count, theirs.count)
    switch unit {
    case .elements:
      guard isXML, longest <= Self.longestByElement, let base = ElementContent(base[...]),
        let ours = ElementContent(ours[...]),
        let theirs = ElementContent(theirs[...])
      else { return nil }
      mergeElements(base, ours, theirs)
    case .lines: mergeLines(base, ours, theirs)
    case .tokens, .tokensOfOne:
      guard longest <= Self.longestByToken else { return nil }
      merge(base[...], ours[...], theirs[...])
    }
    bytes = bytes.withLineEnds(lineEnd)
  }

  private mutating func mergeLines(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) {
    func lines(_ text: [UInt8]) -> [TextPieces.Piece] { TextPieces.lines(of: text[...]) }
    for chunk in Chunk.all(lines(base), lines(ours), lines(theirs)) {
      if let merged = chunk.merged {
        append(merged, of: chunk.ours)
      } else {
        merge(
          Array(chunk.base.joined())[...], Array(chunk.ours.joined())[...], Array(chunk.theirs.joined())[...])
      }
    }
  }

  /// Merges three versions of a part of the text, token by token.
  mutating func merge(_ base: TextPieces.Piece, _ ours: TextPieces.Piece, _ theirs: TextPieces.Piece) {
    guard max(base.count, ours.count, theirs.count) <= Self.longestByToken else {
      return append(Chunk(base: [base], ours: [ours], theirs: [theirs]))
    }
    let isXML = isXML
    func tokens(_ text: ArraySlice<UInt8>) -> [TextPieces.Piece] { TextPieces.tokens(of: text, isXML: isXML) }
    for chunk in Chunk.all(tokens(base), tokens(ours), tokens(theirs)) {
      if let merged = chunk.merged ?? chunk.mergedAround ?? (keepsBothAdditions ? chunk.bothAdditions : nil) {
        append(merged, of: chunk.ours)
      } else {
        append(chunk)
      }
    }
  }

  /// Appends one side's pieces of a chunk, and records the conflict.
  private mutating func append(_ chunk: Chunk) {
    let side = chunk.sideWithMoreThanLayout
    conflicts.append(
      TextConflict(
        line: line, base: Self.text(chunk.base), ours: Self.text(chunk.ours), theirs: Self.text(chunk.theirs),
        isOfContent: isXML && side == nil && chunk.losesMarkup))
    append((side ?? winner) == .theirs ? chunk.theirs : chunk.ours, of: chunk.ours)
  }

  private static func text(_ pieces: ArraySlice<TextPieces.Piece>) -> String {
    String(decoding: pieces.joined(), as: UTF8.self)
  }

  /// Appends pieces of the merged text, with the pieces of our version that they replace.
  mutating func append(
    _ pieces: ArraySlice<TextPieces.Piece>, of ours: ArraySlice<TextPieces.Piece>
  ) {
    for piece in pieces { bytes += piece }
    for piece in ours { line += piece.count { $0 == UInt8(ascii: "\n") } }
  }

  /// Removes the end of the merged text.
  mutating func removeBytes(from offset: Int) { bytes.removeSubrange(offset...) }
}

/// The pieces of three versions between two pieces that all versions share.
private struct Chunk {
  typealias Pieces = ArraySlice<TextPieces.Piece>

  let base, ours, theirs: Pieces

  /// Returns the chunks of three texts in order. A piece that all texts share is a chunk of its own.
  static func all(
    _ base: [TextPieces.Piece], _ ours: [TextPieces.Piece], _ theirs: [TextPieces.Piece]
  ) -> [Chunk] {
    var numbers: [TextPieces.Piece: Int] = [:]
    func symbols(_ pieces: [TextPieces.Piece]) -> [Int] {
      pieces.map { piece in
        let number = numbers[piece] ?? numbers.count
        numbers[piece] = number
        return number
      }
    }
    let old = symbols(base)
    let toOurs = SequenceAlignment(old, symbols(ours)).matches
    let toTheirs = SequenceAlignment(old, symbols(theirs)).matches
    var chunks: [Chunk] = []
    var next = (base: 0, ours: 0, theirs: 0)
    for index in 0...base.count {
      let (o, t) = index < base.count ? (toOurs[index], toTheirs[index]) : (ours.count, theirs.count)
      guard o >= 0, t >= 0 else { continue }
      chunks.append(
        Chunk(base: base[next.base..<index], ours: ours[next.ours..<o], theirs: theirs[next.theirs..<t]))
      guard index < base.count else { break }
      let piece = base[index...index]
      chunks.append(Chunk(base: piece, ours: piece, theirs: piece))
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

  /// True if the pieces of a side lack a comment, a processing instruction, a declaration or a reference to an entity of
  /// the other.
  var losesMarkup: Bool {
    func markup(_ pieces: Pieces) -> [TextPieces.Piece] {
      pieces.flatMap { TextPieces.isMarkupWithoutValue($0) ? [$0] : TextPieces.entityReferences(in: $0) }
    }
    let (ours, theirs) = (markup(ours), markup(theirs))
    let kept = KeptMarkup(base: markup(base), ours: ours, theirs: theirs)
    return !kept.missing(in: ours).isEmpty || !kept.missing(in: theirs).isEmpty
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
