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
    /// Lines of formats other than XML; lines with the same key are versions of one line, and are merged by tokens.
    case keyedLines
    /// Lines as with `keyedLines`, of which those that both sides add at one position are added once.
    case sharedLines
    /// Tokens: tags, names, strings, white space.
    case tokens
    /// Tokens; if both sides add tokens at the same position, only those of the favored side.
    case tokensOfOne
  }

  /// The merged text.
  private(set) var bytes: [UInt8] = []
  /// The parts in which one side was chosen: the favored one, unless the other has all changes except layout.
  private(set) var conflicts: [TextConflict] = []
  /// The comments and others in `contentConflicts`.
  private(set) var markupInConflicts: Set<TextPieces.Piece> = []
  /// The conflicts in which a comment, a processing instruction or a declaration is left out.
  var contentConflicts: [TextConflict] { conflicts.filter(\.isOfContent) }

  let base, ours, theirs: CommentedText
  private let keepsBothAdditions: Bool
  /// True if changes of both sides are merged also if nothing that both kept is between them.
  private let mergesAdjacentEdits: Bool
  private let winner: MergeSide
  /// The current line of our version.
  private var line = 1
  /// True if the merged text ends in a comment that lasts until the end of its line.
  private var isInComment = false
  /// True if something follows such a comment on its line, and so has become a part of it.
  private var hasJoinedComment = false

  /// The maximum size of a text that is merged by tokens, in bytes. A larger text is merged only by lines.
  private static let longestByToken = 1 << 22
  /// The maximum size of a text that is merged by elements, in bytes. The items take much more memory.
  private static let longestByElement = 1 << 20

  /// Returns the merges of texts by each unit that suits them.
  static func all(
    _ texts: Versions<CommentedText>, favoring winner: MergeSide, lineEnd: [UInt8] = [UInt8(ascii: "\n")]
  ) -> some Sequence<TextMerge> {
    Unit.allCases.lazy.compactMap { TextMerge(texts, by: $0, favoring: winner, lineEnd: lineEnd) }
  }

  /// Merges three texts. Fails if they are too long for the unit, or the unit is not for them.
  ///
  /// - Parameter lineEnd: The bytes that replace each line feed of the merged text.
  init?(
    _ texts: Versions<CommentedText>, by unit: Unit, favoring winner: MergeSide,
    lineEnd: [UInt8] = [UInt8(ascii: "\n")]
  ) {
    (base, ours, theirs) = (texts.base, texts.ours, texts.theirs)
    (self.winner, keepsBothAdditions) = (winner, unit != .tokensOfOne)
    mergesAdjacentEdits = unit == .keyedLines || unit == .sharedLines
    let longest = max(base.bytes.count, ours.bytes.count, theirs.bytes.count)
    switch unit {
    case .elements:
      guard ours.isXML, longest <= Self.longestByElement,
        let contents = texts.mapAll({ ElementContent($0.bytes[...]) })
      else { return nil }
      mergeElements(contents.base, contents.ours, contents.theirs)
    case .lines: mergeLines()
    case .keyedLines, .sharedLines:
      guard !ours.isXML else { return nil }
      mergeKeyedLines(sharesLines: unit == .sharedLines)
      // Other units may find no conflict.
      guard contentConflicts.isEmpty else { return nil }
    case .tokens, .tokensOfOne:
      guard longest <= Self.longestByToken else { return nil }
      merge(base.bytes[...], ours.bytes[...], theirs.bytes[...])
    }
    if hasJoinedComment { return nil }
    bytes = bytes.withLineEnds(lineEnd)
  }

  /// Merges the lines of a chunk token by token, unless a comment would become a part of another.
  mutating func mergeByTokens(_ chunk: TextChunk) {
    let before = (
      byteCount: bytes.count, conflictCount: conflicts.count, line: line, isInComment: isInComment
    )
    merge(
      Self.part(of: base, chunk.base), Self.part(of: ours, chunk.ours), Self.part(of: theirs, chunk.theirs))
    guard hasJoinedComment else { return }
    bytes.removeSubrange(before.byteCount...)
    conflicts.removeSubrange(before.conflictCount...)
    (line, isInComment, hasJoinedComment) = (before.line, before.isInComment, false)
    append(chunk)
  }

  /// Returns the part of a text that consists of some of its lines.
  private static func part(of text: CommentedText, _ lines: TextChunk.Pieces) -> TextPieces.Piece {
    guard let first = lines.first, let last = lines.last else { return [] }
    return text.bytes[first.startIndex..<last.endIndex]
  }

  /// Merges three versions of a part of the text, token by token.
  mutating func merge(_ base: TextPieces.Piece, _ ours: TextPieces.Piece, _ theirs: TextPieces.Piece) {
    guard max(base.count, ours.count, theirs.count) <= Self.longestByToken else {
      return append(TextChunk(base: [base], ours: [ours], theirs: [theirs]))
    }
    let chunks = TextChunk.all(
      self.base.tokens(of: base), self.ours.tokens(of: ours), self.theirs.tokens(of: theirs))
    for chunk in chunks {
      if let merged = chunk.merged ?? mergedChanges(of: chunk) {
        append(merged, of: chunk.ours)
      } else {
        append(chunk)
      }
    }
  }

  /// Returns the changes that both sides made in a chunk if these can stand side by side.
  private func mergedChanges(of chunk: TextChunk) -> TextChunk.Pieces? {
    let merged =
      chunk.mergedAround ?? (keepsBothAdditions ? additions(of: chunk) : nil)
      ?? (mergesAdjacentEdits ? chunk.mergedEdits : nil)
    guard let merged = merged.map(withCommasBeforeComments),
      !zip(merged, merged.dropFirst()).contains(where: joins)
    else { return nil }
    return merged
  }

  /// Returns the additions of both sides, ours first unless theirs is a comment on the line that ours follows. A comma with which ours begins
  /// is on that line.
  private func additions(of chunk: TextChunk) -> TextChunk.Pieces? {
    let comma = chunk.ours.prefix { $0.elementsEqual(Self.comma) }.prefix(1)
    guard chunk.base.isEmpty, let first = chunk.ours.dropFirst(comma.count).first, Self.beginsLine(first),
      !(chunk.theirs.first.map(Self.beginsLine) ?? true),
      let piece = chunk.theirs.first(where: { !TextPieces.isSpace($0) }), !ours.isXML,
      theirs.markup(in: [piece]) == [piece]
    else { return chunk.bothAdditions }
    return comma + chunk.theirs + chunk.ours.dropFirst(comma.count)
  }

  private static let comma = [UInt8(ascii: ",")]

  /// Returns pieces in which no comma follows a comment that ends with its line: it comes before the comments, after the value.
  ///
  ///     b: 2 // one , c: 3    →    b: 2, // one c: 3
  private func withCommasBeforeComments(_ pieces: TextChunk.Pieces) -> TextChunk.Pieces {
    guard !ours.isXML, pieces.contains(where: { $0.elementsEqual(Self.comma) }) else { return pieces }
    var moved: [TextPieces.Piece] = []
    for piece in pieces {
      guard piece.elementsEqual(Self.comma), let last = moved.last, lastsUntilLineEnd(last) else {
        moved.append(piece)
        continue
      }
      let value = moved.lastIndex { piece in
        !TextPieces.isSpace(piece) && ![ours, theirs, base].contains { $0.markup(in: [piece]) == [piece] }
      }
      moved.insert(piece, at: value.map { $0 + 1 } ?? 0)
    }
    return moved[...]
  }

  /// Returns true for a comment that ends with its line.
  private func lastsUntilLineEnd(_ piece: TextPieces.Piece) -> Bool {
    guard !ours.isXML, piece.starts(with: "//".utf8) || piece.first == UInt8(ascii: "#") else {
      return false
    }
    // The piece is of one of the texts. In another one, its range has other bytes, or the same comment.
    return [ours, theirs, base].contains { $0.markup(in: [piece]) == [piece] }
  }

  /// Returns true if a piece would become a part of the comment before it.
  private func joins(_ comment: TextPieces.Piece, _ piece: TextPieces.Piece) -> Bool {
    lastsUntilLineEnd(comment) && !Self.beginsLine(piece)
  }

  private static func beginsLine(_ piece: TextPieces.Piece) -> Bool {
    piece.first == UInt8(ascii: "\n") || piece.first == UInt8(ascii: "\r")
  }

  /// Appends one side's pieces of a chunk, and records the conflict.
  private mutating func append(_ chunk: TextChunk) {
    let side = chunk.sideWithMoreThanLayout
    let isOfContent = side == nil && losesMarkup(in: chunk)
    let space = chunk.ours.prefix(while: TextPieces.isSpace).joined()
    let lines = isOfContent ? space.count { $0 == UInt8(ascii: "\n") } : 0
    conflicts.append(
      TextConflict(
        line: line + lines, base: Self.text(chunk.base), ours: Self.text(chunk.ours),
        theirs: Self.text(chunk.theirs), isOfContent: isOfContent))
    if isOfContent {
      markupInConflicts.formUnion(ours.markup(in: chunk.ours) + theirs.markup(in: chunk.theirs))
    }
    append((side ?? winner) == .theirs ? chunk.theirs : chunk.ours, of: chunk.ours)
  }

  /// Returns true if the pieces of a side lack a comment, a processing instruction, a declaration or a reference to an
  /// entity of the other.
  private func losesMarkup(in chunk: TextChunk) -> Bool {
    let (mine, others) = (ours.markup(in: chunk.ours), theirs.markup(in: chunk.theirs))
    let kept = KeptMarkup(Versions(base: base.markup(in: chunk.base), ours: mine, theirs: others))
    return !kept.missing(in: mine).isEmpty || !kept.missing(in: others).isEmpty
  }

  /// Returns pieces as text, without white space around them unless they are white space.
  private static func text(_ pieces: TextChunk.Pieces) -> String {
    let text = Array(pieces.joined())
    let content = text.drop(while: \.isSpace)
    let end = content.lastIndex { !$0.isSpace }
    return String(decoding: end.map { content[...$0] } ?? text[...], as: UTF8.self)
  }

  /// Appends pieces of the merged text, with the pieces of our version that they replace.
  mutating func append(
    _ pieces: ArraySlice<TextPieces.Piece>, of ours: ArraySlice<TextPieces.Piece>
  ) {
    for piece in pieces where !piece.isEmpty {
      if isInComment, !Self.beginsLine(piece) { hasJoinedComment = true }
      isInComment = lastsUntilLineEnd(piece)
      bytes += piece
    }
    for piece in ours { line += piece.count { $0 == UInt8(ascii: "\n") } }
  }

  /// Removes the end of the merged text.
  mutating func removeBytes(from offset: Int) { bytes.removeSubrange(offset...) }
}
