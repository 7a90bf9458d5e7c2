/// A filter that reports an outermost dictionary which looks like a document in the typed form. A reader finds it
/// by the rule of `DocumentProbe`, and reads the values with tags inside:
///
///     {"$ferry": 1, "$value": [{"$data": "AQI="}]}
final class TypedLookalikes: BatchForwardingSink {
  private let losses: LossReport
  /// True until the list begins whose first element is the beginning of the text, as in JSON Lines.
  private var mayBeginList: Bool
  /// The nesting depth inside the outermost dictionary, or 0 before it.
  private var depth = 0
  private var isDecided = false

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - listsLines: True if the elements of the outermost list are lines of the text.
  ///   - losses: Receives a loss for the dictionary.
  init(to next: any ValueSink, listsLines: Bool, losses: LossReport) {
    mayBeginList = listsLines
    self.losses = losses
    super.init(to: next)
  }

  override func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard isDecided else { return try receiveSingly(events) }
    try super.receive(events)
  }

  override func willSend() { if depth == 0 { isDecided = true } }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if !isDecided { depth += 1 }
    try next.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    endCollection()
    try next.endDictionary()
  }

  override func beginArray(count: Int?) throws(FerryError) {
    if depth > 0 { beginInnerArray() } else if mayBeginList { mayBeginList = false } else { isDecided = true }
    try next.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    endCollection()
    try next.endArray()
  }

  private func beginInnerArray() { if !isDecided { depth += 1 } }

  private func endCollection() {
    if depth > 0, !isDecided { depth -= 1 }
    if depth == 0 { isDecided = true }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if !isDecided, depth == 1 {
      let key = ExactString(String(text))
      isDecided = DocumentProbe.decidesTyped(key)
      if key == DocumentProbe.mark { losses.add(.typedLookalike) }
    }
    try next.key(text)
  }
}
