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

  private let base, ours, theirs: CommentedText
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

  /// Merges three texts. Fails if they are too long for the unit, or the unit is not for them.
  ///
  /// - Parameter lineEnd: The bytes that replace each line feed of the merged text.
  init?(
    base: CommentedText, ours: CommentedText, theirs: CommentedText, by unit: Unit,
    favoring winner: MergeSide, lineEnd: [UInt8] = [UInt8(ascii: "\n")]
  ) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
    (self.winner, keepsBothAdditions) = (winner, unit != .tokensOfOne)
    mergesAdjacentEdits = unit == .keyedLines
    let longest = max(base.bytes.count, ours.bytes.count, theirs.bytes.count)
    switch unit {
    case .elements:
      guard ours.isXML, longest <= Self.longestByElement, let base = ElementContent(base.bytes[...]),
        let ours = ElementContent(ours.bytes[...]),
        let theirs = ElementContent(theirs.bytes[...])
      else { return nil }
      mergeElements(base, ours, theirs)
    case .lines: mergeLines()
    case .keyedLines:
      guard !ours.isXML else { return nil }
      mergeKeyedLines()
      // Other units may find no conflict.
      guard contentConflicts.isEmpty else { return nil }
    case .tokens, .tokensOfOne:
      guard longest <= Self.longestByToken else { return nil }
      merge(base.bytes[...], ours.bytes[...], theirs.bytes[...])
    }
    if hasJoinedComment { return nil }
    bytes = bytes.withLineEnds(lineEnd)
  }

  private mutating func mergeLines() {
    for chunk in Chunk.all(base.lines, ours.lines, theirs.lines) {
      if let merged = chunk.merged ?? commentsOfBoth(chunk) {
        append(merged, of: chunk.ours)
        continue
      }
      mergeByTokens(chunk)
    }
  }

  private mutating func mergeKeyedLines() {
    for chunk in Chunk.all(base.lines, ours.lines, theirs.lines) {
      if let merged = chunk.merged {
        append(merged, of: chunk.ours)
        continue
      }
      let parts = Chunk.all(Array(chunk.base), Array(chunk.ours), Array(chunk.theirs), by: key)
      for (index, part) in parts.enumerated() {
        let additions = part.base.isEmpty ? linesOfBoth(part, isBeforeLine: index + 1 < parts.count) : nil
        if let merged = part.merged ?? additions ?? part.mergedAround ?? part.mergedEdits {
          append(merged, of: part.ours)
        } else {
          mergeByTokens(part)
        }
      }
    }
  }

  /// Returns the part of a line before its value: its text up to a colon or an equals sign, and for other lines, all of it.
  private func key(of line: TextPieces.Piece) -> TextPieces.Piece {
    let text = line.drop(while: \.isSpace)
    let end = text.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? text.startIndex
    let isEntry = !"/#-".utf8.contains { $0 == text.first }
    guard isEntry, let mark = text[..<end].firstIndex(where: { ":=".utf8.contains($0) }) else {
      return text[..<end]
    }
    return text[...mark]
  }

  /// Returns the lines that both sides have added, ours first, and equal comments once. Comments above the line that follows stay there.
  private func linesOfBoth(_ chunk: Chunk, isBeforeLine: Bool) -> Chunk.Pieces? {
    func parts(_ lines: Chunk.Pieces, _ text: CommentedText) -> (others: Chunk.Pieces, above: Chunk.Pieces) {
      let count = isBeforeLine ? lines.reversed().prefix(while: text.isComment).count : 0
      return (lines.dropLast(count), lines.suffix(count))
    }
    let known = Set(chunk.ours)
    let others = chunk.theirs.filter { !known.contains($0) || !theirs.isComment($0) }[...]
    let (first, second) = (parts(chunk.ours, ours), parts(others, theirs))
    let lines = [first.others, second.others, first.above, second.above].filter { !$0.isEmpty }
    guard lines.dropLast().allSatisfy({ $0.last?.last == UInt8(ascii: "\n") }) else { return nil }
    return Array(lines.joined())[...]
  }

  /// Merges the lines of a chunk token by token, unless a comment would become a part of another.
  private mutating func mergeByTokens(_ chunk: Chunk) {
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
  private static func part(of text: CommentedText, _ lines: Chunk.Pieces) -> TextPieces.Piece {
    guard let first = lines.first, let last = lines.last else { return [] }
    return text.bytes[first.startIndex..<last.endIndex]
  }

  /// Returns the lines that both sides have added if those of one side are comments: equal comments once, and comments
  /// next to the line that follows them. Nil for other lines.
  private func commentsOfBoth(_ chunk: Chunk) -> Chunk.Pieces? {
    guard chunk.base.isEmpty, !chunk.ours.isEmpty, !chunk.theirs.isEmpty else { return nil }
    let areOursComments = chunk.ours.allSatisfy(ours.isComment)
    let areTheirsComments = chunk.theirs.allSatisfy(theirs.isComment)
    guard areOursComments || areTheirsComments else { return nil }
    let known = Set(chunk.ours)
    let others = chunk.theirs.filter { !known.contains($0) || !theirs.isComment($0) }
    let areOursFirst = areTheirsComments || others.count < chunk.theirs.count
    let (first, last) = areOursFirst ? (chunk.ours, others[...]) : (others[...], chunk.ours)
    guard last.isEmpty || first.last?.last == UInt8(ascii: "\n") else { return nil }
    return first + last
  }

  /// Merges three versions of a part of the text, token by token.
  mutating func merge(_ base: TextPieces.Piece, _ ours: TextPieces.Piece, _ theirs: TextPieces.Piece) {
    guard max(base.count, ours.count, theirs.count) <= Self.longestByToken else {
      return append(Chunk(base: [base], ours: [ours], theirs: [theirs]))
    }
    let chunks = Chunk.all(
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
  private func mergedChanges(of chunk: Chunk) -> Chunk.Pieces? {
    let merged =
      chunk.mergedAround ?? (keepsBothAdditions ? additions(of: chunk) : nil)
      ?? (mergesAdjacentEdits ? chunk.mergedEdits : nil)
    guard let merged, !zip(merged, merged.dropFirst()).contains(where: joins) else { return nil }
    return merged
  }

  /// Returns the additions of both sides, ours first unless theirs is a comment on the line that ours follows.
  private func additions(of chunk: Chunk) -> Chunk.Pieces? {
    guard chunk.base.isEmpty, let first = chunk.ours.first, Self.beginsLine(first),
      !(chunk.theirs.first.map(Self.beginsLine) ?? true),
      let piece = chunk.theirs.first(where: { !TextPieces.isSpace($0) }), !ours.isXML,
      theirs.markup(in: [piece]) == [piece]
    else { return chunk.bothAdditions }
    return chunk.theirs + chunk.ours
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
  private mutating func append(_ chunk: Chunk) {
    let side = chunk.sideWithMoreThanLayout
    let isOfContent = side == nil && losesMarkup(in: chunk)
    let space = chunk.ours.prefix(while: TextPieces.isSpace).joined()
    let lines = isOfContent ? space.count { $0 == UInt8(ascii: "\n") } : 0
    conflicts.append(
      TextConflict(
        line: line + lines, base: Self.text(chunk.base), ours: Self.text(chunk.ours),
        theirs: Self.text(chunk.theirs), isOfContent: isOfContent))
    append((side ?? winner) == .theirs ? chunk.theirs : chunk.ours, of: chunk.ours)
  }

  /// Returns true if the pieces of a side lack a comment, a processing instruction, a declaration or a reference to an
  /// entity of the other.
  private func losesMarkup(in chunk: Chunk) -> Bool {
    let (mine, others) = (ours.markup(in: chunk.ours), theirs.markup(in: chunk.theirs))
    let kept = KeptMarkup(base: base.markup(in: chunk.base), ours: mine, theirs: others)
    return !kept.missing(in: mine).isEmpty || !kept.missing(in: others).isEmpty
  }

  /// Returns pieces as text, without white space around them unless they are white space.
  private static func text(_ pieces: Chunk.Pieces) -> String {
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

/// The pieces of three versions between two pieces that all versions share.
private struct Chunk {
  typealias Pieces = ArraySlice<TextPieces.Piece>

  let base, ours, theirs: Pieces

  /// Returns the chunks of three texts in order. A piece that all texts share is a chunk of its own.
  ///
  /// - Parameter key: Returns the part of a piece that is equal in all versions of one piece.
  static func all(
    _ base: [TextPieces.Piece], _ ours: [TextPieces.Piece], _ theirs: [TextPieces.Piece],
    by key: (TextPieces.Piece) -> TextPieces.Piece = { $0 }
  ) -> [Chunk] {
    var numbers: [TextPieces.Piece: Int] = [:]
    func symbols(_ pieces: [TextPieces.Piece]) -> [Int] {
      pieces.map { piece in
        let key = key(piece)
        let number = numbers[key] ?? numbers.count
        numbers[key] = number
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
      chunks.append(Chunk(base: base[index...index], ours: ours[o...o], theirs: theirs[t...t]))
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
