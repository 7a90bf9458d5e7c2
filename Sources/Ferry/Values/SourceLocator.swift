/// The source location of the event that a reader is sending. It is for sinks that buffer events, or that
/// continue after an error.
///
/// An error that a sink throws immediately gets its location from the reader, so most conversions need no
/// locator.
final class SourceLocator {
  /// True if readers also pass the locations of values inside records, so that an error in a record is located at its value.
  let locatesValues: Bool
  /// True if readers also pass the locations of records without a schema.
  let locatesRecords: Bool
  /// The source location of the current event. It is empty before the first event.
  private(set) var location = InputLocation()
  /// The location of a byte in the current chunk, from which the next location is computed.
  private var counted = InputLocation()
  private var countedOffset = 0
  /// The byte offset at which the current chunk begins.
  private var chunkStart = -1

  init(locatesValues: Bool = false, locatesRecords: Bool = false) {
    (self.locatesValues, self.locatesRecords) = (locatesValues, locatesRecords)
  }

  /// Sets the location of the next events.
  func move(to location: InputLocation) { self.location = location }

  /// Sets the location of the next events to an offset in a chunk. If offsets increase, each byte is counted
  /// once.
  ///
  /// - Parameter lines: A counter that has counted all preceding chunks.
  func move(to offset: Int, in chunk: Span<UInt8>, after lines: borrowing LineCounter) {
    if lines.chunkStart != chunkStart || offset < countedOffset {
      (chunkStart, counted, countedOffset) = (lines.chunkStart, lines.end, 0)
    }
    let byte = counted.byte ?? 0
    let (line, column) = chunk.extracting(countedOffset..<offset).end(
      line: counted.line ?? 1, column: counted.column ?? 1, byte: byte)
    counted = InputLocation(line: line, column: column, byte: byte + offset - countedOffset)
    countedOffset = offset
    move(to: counted)
  }

  /// Sets the location to that of a buffered event.
  func move(toRecorded location: InputLocation) { self.location = location }
}
