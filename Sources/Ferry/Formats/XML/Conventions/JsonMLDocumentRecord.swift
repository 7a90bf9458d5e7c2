/// An adapter that sends a document in JsonML as the only element of a list of records. Its own list has the name of the root element, and its
/// attributes. A list of documents is sent as it is.
///
///     ["a", {"b": "1"}]     [["a", {"b": "1"}]]
///     [["a"], ["c"]]        [["a"], ["c"]]
final class JsonMLDocumentRecord: InterceptingSink {
  private enum State {
    case beginning
    /// After the beginning of a list, which is sent with the first element.
    case inList(count: Int?)
    case sending
  }

  private var state = State.beginning
  private var isDocument = false

  override func willSend() throws(FerryError) {
    if case .inList(let count) = state { try next.beginArray(count: count) }
    state = .sending
  }

  override func beginArray(count: Int?) throws(FerryError) {
    guard case .beginning = state else { return try super.beginArray(count: count) }
    state = .inList(count: count)
  }

  override func string(_ text: BorrowedText) throws(FerryError) {
    if case .inList = state {
      isDocument = true
      try next.beginArray(count: 1)
    }
    try super.string(text)
  }

  /// Ends the list of records.
  func complete() throws(FerryError) { if isDocument { try next.endArray() } }
}
