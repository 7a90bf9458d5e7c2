/// Where the elements that are open began.
///
/// A place costs nothing until somebody asks for it: of each open element only the offset of its start tag's
/// end is kept. The tag's `<`, its line and its column are found in the piece of the document that is being
/// read. When a piece is finished, the places of the elements that stay open are found once and kept.
///
///     piece 1   <people>\n  <person><na      people ends at 7, person at 19; <na waits for its end
///     piece 2   me>Ada                       name ends at 24; its < is where piece 1 stopped
struct ElementPlaces {
  private struct Open {
    /// The offset, in the document, of the byte at which the parser stood when it told of the start.
    var tagEnd: Int
    /// What the element began with: `<`, or `&` when it comes out of an entity.
    var mark: UInt8
  }

  private var open: [Open] = []
  /// The places of the first of the open elements, found when their piece was finished.
  private var found: [Position] = []
  /// Where the parser stopped in the pieces before this one: the beginning of what it had not read to the
  /// end.
  private(set) var unread = Position(line: 1, column: 1, byte: 0)
  /// The place of the current piece's first byte, and a later one already counted up to.
  private var pieceStart = Counted()
  private var latest = Counted()
  /// Whether no element has begun in this piece yet.
  private var mayBeFirst = true

  /// A byte whose line is known.
  private struct Counted {
    var byte = 0
    var line = 1
    var column = 1

    /// Counts on to a later byte.
    mutating func advance(to byte: Int, in piece: Span<UInt8>, startingAt start: Int) {
      let bytes = piece.extracting(self.byte - start..<byte - start)
      (line, column) = bytes.end(line: line, column: column, byte: self.byte)
      self.byte = byte
    }

    var position: Position { Position(line: line, column: column, byte: byte) }
  }

  /// How many elements are open.
  var count: Int { open.count }
  /// The offset of the current piece's first byte.
  var start: Int { pieceStart.byte }

  /// An element starts; the parser stands at the end of its tag, or behind the reference to the entity it
  /// comes out of.
  mutating func open(tagEnd: Int, mark: UInt8) { open.append(Open(tagEnd: tagEnd, mark: mark)) }

  /// Whether what ends here began before this piece; asked of each element in turn, it is true of the first
  /// few at most.
  mutating func beganEarlier(ofLast mark: UInt8, before byte: Int, in piece: Span<UInt8>) -> Bool {
    guard mayBeFirst else { return false }
    let end = min(max(byte - start, 0), piece.count)
    mayBeFirst = piece.extracting(0..<end).lastIndex(of: mark) == nil
    return mayBeFirst
  }

  /// The place behind bytes that begin where the parser stopped in the pieces before.
  func position(behind bytes: Span<UInt8>) -> Position {
    let byte = unread.byte ?? 0
    let (line, column) = bytes.end(line: unread.line ?? 1, column: unread.column ?? 1, byte: byte)
    return Position(line: line, column: column, byte: byte + bytes.count)
  }

  /// An element starts at a place that is known already.
  mutating func open(at position: Position) {
    open.append(Open(tagEnd: 0, mark: 0))
    found.append(position)
  }

  /// The element started last ends.
  mutating func close() {
    open.removeLast()
    if found.count > open.count { found.removeLast() }
  }

  /// The place of a byte of the current piece.
  mutating func position(of byte: Int, in piece: Span<UInt8>) -> Position {
    let byte = min(max(byte, start), start + piece.count)
    if byte < latest.byte { latest = pieceStart }
    latest.advance(to: byte, in: piece, startingAt: start)
    return latest.position
  }

  /// Where the innermost open element began; the document's beginning when none is open.
  mutating func innermost(in piece: Span<UInt8>) -> Position {
    open.isEmpty ? Position(line: 1, column: 1, byte: 0) : place(of: open.count - 1, in: piece)
  }

  private mutating func place(of index: Int, in piece: Span<UInt8>) -> Position {
    if index < found.count { return found[index] }
    return position(ofLast: open[index].mark, before: open[index].tagEnd, in: piece)
  }

  /// The place of the last such byte before another; what began before this piece began where the parser
  /// stopped.
  mutating func position(ofLast mark: UInt8, before byte: Int, in piece: Span<UInt8>) -> Position {
    let end = min(max(byte - start, 0), piece.count)
    guard let index = piece.extracting(0..<end).lastIndex(of: mark) else { return unread }
    return position(of: start + index, in: piece)
  }

  /// The parser has taken the whole piece, and stopped at `unread` for want of more.
  mutating func finish(_ piece: Span<UInt8>, unread byte: Int) {
    for index in found.count..<max(open.count, found.count) { found.append(place(of: index, in: piece)) }
    if byte >= start { unread = position(of: byte, in: piece) }
    latest.advance(to: start + piece.count, in: piece, startingAt: start)
    pieceStart = latest
    mayBeFirst = true
  }
}

extension Span<UInt8> {
  /// How often a byte occurs.
  func count(of byte: UInt8) -> Int {
    let pattern = 0x0101_0101_0101_0101 * UInt64(byte)
    var total = 0
    var index = 0
    while index + 8 <= count {
      // A byte of `difference` is 0 where the bytes are equal; its high bit in `rest` is then 0, and nowhere
      // else.
      let difference = littleEndianWord(at: index) ^ pattern
      let rest = ((difference & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7f7f_7f7f_7f7f_7f7f) | difference
      total += (~rest & 0x8080_8080_8080_8080).nonzeroBitCount
      index += 8
    }
    while index < count {
      if self[index] == byte { total += 1 }
      index += 1
    }
    return total
  }

  /// The index of a byte's last occurrence.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count - 1
    while index >= 0, self[index] != byte { index -= 1 }
    return index < 0 ? nil : index
  }
}
