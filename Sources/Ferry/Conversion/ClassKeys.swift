/// An adapter before the writer of an archive. It counts the dictionaries with a text for the key `$class`, which would be objects in a
/// document in the typed form:
///
///     {"$class": "NSColor", "color": "#FF0000FF"}
final class ClassKeys: BatchForwardingSink {
  private static let name: StaticString = "$class"

  private(set) var count = 0
  /// True if the next event begins the value of the key.
  private var isAtClass = false

  override func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard isAtClass || events.hasKey(Self.name) else { return try super.receive(events) }
    try receiveSingly(events)
  }

  override func willSend() { isAtClass = false }

  override func key(_ text: BorrowedText) throws(FerryError) {
    try super.key(text)
    isAtClass = text.equals(Self.name)
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    if isAtClass { count += 1 }
    try super.string(text)
  }
}
