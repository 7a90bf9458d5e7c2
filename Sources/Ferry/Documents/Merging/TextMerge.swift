/// A part of a text that both sides have changed differently, although the values agree.
///
///     3: ours "<!-- one -->", theirs "<!-- two -->", base nothing
public struct TextConflict: Hashable, Sendable {
  /// The line in our version, counted from 1.
  public let line: Int
  /// The text of each version.
  public let base, ours, theirs: String
  /// True if a version has a comment, a processing instruction or a declaration in this part, rather than
  /// only layout.
  let isOfContent: Bool
}

extension TextConflict: CustomStringConvertible {
  /// The line, and the text of each version.
  public var description: String {
    func words(_ text: String) -> String { text.isEmpty ? "nothing" : quotedForMessage(text) }
    return "\(line): ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
  }
}

/// A three-way merge of texts. It does not interpret them: the caller parses the result to check it.
///
///     base <r><a/></r>    ours <r><!--x--><a/></r>    theirs <r><a/><b/></r>    →    <r><!--x--><a/><b/></r>
struct TextMerge {
  /// The size of the pieces in which texts are compared.
  enum Unit: CaseIterable {
    /// Lines; within lines that both sides have changed, tokens.
    case lines
    /// Tokens: tags, names, strings, white space.
    case tokens
    /// Tokens; if both sides add tokens at the same position, only those of the favored side.
    case tokensOfOne
  }

  /// The merged text.
  private(set) var bytes: [UInt8] = []
  /// The conflicts, in which the result has the favored side's text.
  private(set) var conflicts: [TextConflict] = []

  private let isXML: Bool
  private let keepsBothAdditions: Bool
  private let winner: MergeSide
  /// The current line of our version.
  private var line = 1

  /// The maximum size of a text that is merged by tokens, in bytes. A larger text is merged only by lines.
  private static let longestByToken = 1 << 22

  /// Merges three texts. Fails if they are too long for the unit.
  init?(
    base: [UInt8], ours: [UInt8], theirs: [UInt8], by unit: Unit, isXML: Bool, favoring winner: MergeSide
  ) {
    (self.isXML, self.winner, keepsBothAdditions) = (isXML, winner, unit != .tokensOfOne)
    guard unit == .lines else {
      guard max(base.count, ours.count, theirs.count) <= Self.longestByToken else { return nil }
      mergeTokens(base[...], ours[...], theirs[...])
      return
    }
    func lines(_ text: [UInt8]) -> [TextPieces.Piece] { TextPieces.lines(of: text[...]) }
    for chunk in Chunk.all(lines(base), lines(ours), lines(theirs)) {
      if let merged = chunk.merged {
        append(merged, of: chunk.ours)
      } else {
        mergeTokens(
          Array(chunk.base.joined())[...], Array(chunk.ours.joined())[...], Array(chunk.theirs.joined())[...])
      }
    }
  }

  private mutating func mergeTokens(
    _ base: ArraySlice<UInt8>, _ ours: ArraySlice<UInt8>, _ theirs: ArraySlice<UInt8>
  ) {
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

  /// Appends the favored side's pieces of a chunk, and adds the conflict.
  private mutating func append(_ chunk: Chunk) {
    conflicts.append(conflict(of: chunk))
    append(winner == .theirs ? chunk.theirs : chunk.ours, of: chunk.ours)
  }

  private func conflict(of chunk: Chunk) -> TextConflict {
    func text(_ pieces: ArraySlice<TextPieces.Piece>) -> String {
      String(decoding: pieces.joined(), as: UTF8.self)
    }
    let pieces = [chunk.base, chunk.ours, chunk.theirs].joined()
    return TextConflict(
      line: line, base: text(chunk.base), ours: text(chunk.ours), theirs: text(chunk.theirs),
      isOfContent: isXML && pieces.contains(where: TextPieces.isMarkupWithoutValue))
  }

  private mutating func append(
    _ pieces: ArraySlice<TextPieces.Piece>, of ours: ArraySlice<TextPieces.Piece>
  ) {
    for piece in pieces { bytes += piece }
    for piece in ours { line += piece.count { $0 == UInt8(ascii: "\n") } }
  }
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

  /// The pieces of the only side that differs from the base, or of both sides if they are equal; nil if the
  /// sides differ.
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
