/// The source location of the event that a reader is sending. It is for sinks that buffer events, or that
/// continue after an error.
///
/// An error that a sink throws immediately gets its location from the reader, so most conversions need no
/// locator.
final class SourceLocator {
  /// True if readers also pass the locations of values inside records, so that an error in a record is located at its value.
  let locatesValues: Bool
  /// True if a reader of XML without a schema passes the locations of elements.
  let locatesElements: Bool
  /// The source location of the current event. It is empty before the first event.
  private(set) var location = InputLocation()
  private var locations = ChunkLocations()

  init(locatesValues: Bool = false, locatesElements: Bool = false) {
    (self.locatesValues, self.locatesElements) = (locatesValues, locatesElements)
  }

  /// Sets the location of the next events.
  func move(to location: InputLocation) { self.location = location }

  /// Sets the location of the next events to an offset in a chunk. If offsets increase, each byte is counted
  /// once.
  ///
  /// - Parameter lines: A counter that has counted all preceding chunks.
  func move(to offset: Int, in chunk: Span<UInt8>, after lines: borrowing LineCounter) {
    move(to: locations.location(of: offset, in: chunk, after: lines))
  }

  /// Sets the location to that of a buffered event.
  func move(toRecorded location: InputLocation) { self.location = location }
}
