/// The source location of the event that a reader sends, for sinks that keep events, or that go on after an
/// error.
///
/// An error that a sink throws at once gets its location from the reader, so most conversions have no locator.
final class SourceLocator {
  /// The source location of the current event; empty before the first.
  private(set) var position = Position()
  /// A counted byte of the current chunk, from which the next location is found.
  private var counted = Position()
  private var countedOffset = 0
  /// The offset of the current chunk in the input.
  private var chunkStart = -1
  /// The number of lines before the input, and of bytes.
  private var linesBefore = 0
  private var bytesBefore = 0

  /// Begins a part of the input that has a reader of its own.
  func beginPart(afterLines lines: Int, bytes: Int) {
    (linesBefore, bytesBefore, chunkStart) = (lines, bytes, -1)
  }

  /// Sets the location of the next events.
  func move(to position: Position) {
    self.position = position
    if linesBefore > 0 { self.position.line? += linesBefore }
    self.position.byte? += bytesBefore
  }

  /// Sets the location of the next events to a byte of a chunk. The bytes of a chunk are counted once, as long
  /// as the offsets grow. `lines` has counted all chunks before.
  func move(to offset: Int, in chunk: Span<UInt8>, after lines: borrowing LineCounter) {
    if lines.chunkStart != chunkStart || offset < countedOffset {
      (chunkStart, counted, countedOffset) = (lines.chunkStart, lines.end, 0)
    }
    let byte = counted.byte ?? 0
    let (line, column) = chunk.extracting(countedOffset..<offset).end(
      line: counted.line ?? 1, column: counted.column ?? 1, byte: byte)
    counted = Position(line: line, column: column, byte: byte + offset - countedOffset)
    countedOffset = offset
    move(to: counted)
  }

  /// Sets the location to that of a recorded event.
  func move(toRecorded position: Position) { self.position = position }
}
