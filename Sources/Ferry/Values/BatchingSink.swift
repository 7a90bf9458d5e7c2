/// An adapter that collects single events and sends them in batches, for a sink that prefers batches.
///
/// The events since the last `flush` have not reached the next sink, and neither have its errors for them.
final class BatchingSink: InterceptingSink {
  private var sender: EventSender

  /// Creates an adapter, or returns nil if the next sink does not prefer batches.
  init?(before next: any ValueSink) {
    guard next.forBatches != nil else { return nil }
    sender = EventSender(to: next, isPrompt: false)
    super.init(to: next)
  }

  /// Sends the collected events. An error gets the path in the value that ends with them.
  func flush() throws(FerryError) {
    var failed = 0
    try sender.flush(Span(), failedAt: &failed, isWhole: true)
  }

  /// Removes the collected events.
  func removeAll() { sender.removeAll() }

  /// Sends the collected events before an event that no batch can contain.
  override func willSend() throws(FerryError) {
    var failed = 0
    try sender.flush(Span(), failedAt: &failed)
  }

  override func null() throws(FerryError) { try sender.null(at: 0) }
  override func boolean(_ value: Bool) throws(FerryError) { try sender.boolean(value, at: 0) }
  override func integer(_ value: Int128) throws(FerryError) { try sender.integer(value, at: 0) }
  override func real(_ value: Double) throws(FerryError) {
    // Not every format of a sink that takes batches has NaN and infinities.
    guard value.isFinite else { return try super.real(value) }
    try sender.real(value, at: 0)
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    try sender.text(.number, text, from: nil, at: 0)
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    try sender.text(.string, text, from: nil, at: 0)
  }
  override func key(_ text: BorrowedText) throws(FerryError) { try sender.text(.key, text, from: nil, at: 0) }
  override func beginArray(count: Int?) throws(FerryError) { try sender.beginArray(at: 0) }
  override func endArray() throws(FerryError) { try sender.endArray(at: 0) }
  override func beginDictionary(count: Int?) throws(FerryError) {
    try sender.beginDictionary(count: count, at: 0)
  }
  override func endDictionary() throws(FerryError) { try sender.endDictionary(at: 0) }
}
