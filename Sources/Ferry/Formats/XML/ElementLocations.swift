/// The source locations of the open elements, computed on demand.
///
/// For each open element, only the offset after its start tag is stored. The beginning of the tag, and its
/// line and column, are searched for in the current piece of the document when they are requested. At the end
/// of a piece, the locations of elements that stay open are computed and stored.
///
///     piece 1   <people>\n  <person><na      people ends at 7, person at 19; <na is incomplete
///     piece 2   me>Ada                       name ends at 24; it began where piece 1 ended
struct ElementLocations {
  private struct Open {
    /// The offset of the parser's current byte when it reported the start tag.
    var tagEnd: Int
    /// The first byte of the element: `<`, or `&` if the element comes from an entity.
    var mark: UInt8
  }

  private var open: [Open] = []
  /// The locations of the outermost open elements, computed at the end of an earlier piece.
  private var found: [InputLocation] = []
  /// The location at which the parser stopped in earlier pieces, where its incomplete token begins.
  private(set) var unread = InputLocation(line: 1, column: 1, byte: 0)
  /// The location of the first byte of the current piece, and of the last byte up to which lines were
  /// counted.
  private var pieceStart = Counted()
  private var latest = Counted()
  /// True if no element of this piece was searched for yet.
  private var mayBeFirst = true

  /// A byte offset with the number of its line.
  private struct Counted {
    var byte = 0
    var line = 1
    var column = 1

    /// Counts lines up to a later byte offset.
    mutating func advance(to byte: Int, in piece: Span<UInt8>, startingAt start: Int) {
      let bytes = piece.extracting(self.byte - start..<byte - start)
      (line, column) = bytes.end(line: line, column: column, byte: self.byte)
      self.byte = byte
    }

    var location: InputLocation { InputLocation(line: line, column: column, byte: byte) }
  }

  /// Creates the locations of a document at its beginning.
  init() {}

  /// Creates the locations of a document from a location on, where elements are open.
  init(from location: InputLocation, open locations: [InputLocation]) {
    open = locations.map { _ in Open(tagEnd: 0, mark: 0) }
    found = locations
    unread = location
    pieceStart = Counted(byte: location.byte ?? 0, line: location.line ?? 1, column: location.column ?? 1)
    latest = pieceStart
  }

  /// The number of open elements.
  var count: Int { open.count }
  /// The byte offset at which the current piece begins.
  var start: Int { pieceStart.byte }

  /// Opens an element.
  ///
  /// - Parameter tagEnd: The byte offset after its start tag, or after the reference to the entity that
  ///   contains it.
  mutating func open(tagEnd: Int, mark: UInt8) { open.append(Open(tagEnd: tagEnd, mark: mark)) }

  /// Returns true if the element or entity reference that ends before a byte began in an earlier piece. This
  /// is possible only for the first ones in a piece.
  mutating func beganEarlier(ofLast mark: UInt8, before byte: Int, in piece: Span<UInt8>) -> Bool {
    guard mayBeFirst else { return false }
    let end = min(max(byte - start, 0), piece.count)
    mayBeFirst = piece.extracting(0..<end).lastIndex(of: mark) == nil
    return mayBeFirst
  }

  /// Returns the location after bytes that begin at `unread`.
  func location(after bytes: Span<UInt8>) -> InputLocation {
    let byte = unread.byte ?? 0
    let (line, column) = bytes.end(line: unread.line ?? 1, column: unread.column ?? 1, byte: byte)
    return InputLocation(line: line, column: column, byte: byte + bytes.count)
  }

  /// Opens an element whose location is known.
  mutating func open(at location: InputLocation) {
    open.append(Open(tagEnd: 0, mark: 0))
    found.append(location)
  }

  /// Closes the innermost element.
  mutating func close() {
    open.removeLast()
    if found.count > open.count { found.removeLast() }
  }

  /// Returns the location of a byte offset in the current piece.
  mutating func location(of byte: Int, in piece: Span<UInt8>) -> InputLocation {
    let byte = min(max(byte, start), start + piece.count)
    if byte < latest.byte { latest = pieceStart }
    latest.advance(to: byte, in: piece, startingAt: start)
    return latest.location
  }

  /// Returns the location of the innermost open element. If no element is open, returns the beginning of the
  /// document.
  mutating func innermost(in piece: Span<UInt8>) -> InputLocation {
    open.isEmpty ? InputLocation(line: 1, column: 1, byte: 0) : location(ofOpen: open.count - 1, in: piece)
  }

  private mutating func location(ofOpen index: Int, in piece: Span<UInt8>) -> InputLocation {
    if index < found.count { return found[index] }
    return location(ofLast: open[index].mark, before: open[index].tagEnd, in: piece)
  }

  /// Returns the location of the last `mark` before a byte offset. Returns `unread` if the mark is in an
  /// earlier piece.
  mutating func location(ofLast mark: UInt8, before byte: Int, in piece: Span<UInt8>) -> InputLocation {
    let end = min(max(byte - start, 0), piece.count)
    guard let index = piece.extracting(0..<end).lastIndex(of: mark) else { return unread }
    return location(of: start + index, in: piece)
  }

  /// Ends a piece. The parser has consumed it up to `byte`, where an incomplete token begins.
  mutating func finish(_ piece: Span<UInt8>, unread byte: Int) {
    for index in found.count..<max(open.count, found.count) {
      found.append(location(ofOpen: index, in: piece))
    }
    if byte >= start { unread = location(of: byte, in: piece) }
    latest.advance(to: start + piece.count, in: piece, startingAt: start)
    pieceStart = latest
    mayBeFirst = true
  }
}
