/// A filter that reports dictionaries which look like the references of an archive, as an XML property list and
/// the raw form in JSON write them. They become references when they are read back:
///
///     {"CF$UID": 4}
final class ReferenceLookalikes: BatchForwardingSink {
  private static let name: StaticString = "CF$UID"

  private enum Step { case nothing, begun, key, number }

  private let losses: LossReport
  private let path: () -> ValuePath
  private var step = Step.nothing

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - losses: Receives a loss for each such dictionary.
  ///   - path: Returns the path of the current value.
  init(to next: any ValueSink, losses: LossReport, path: @escaping () -> ValuePath) {
    (self.losses, self.path) = (losses, path)
    super.init(to: next)
  }

  override func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard events.count > 0, step == .nothing || step == .begun, !events.hasKey(Self.name)
    else { return try receiveSingly(events) }
    step = events.kind(events.count - 1) == .beginDictionary ? .begun : .nothing
    try super.receive(events)
  }

  override func willSend() { step = .nothing }

  override func beginDictionary(count: Int?) throws(FerryError) {
    try super.beginDictionary(count: count)
    step = .begun
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    let isName = step == .begun && text.equals(Self.name)
    try super.key(text)
    if isName { step = .key }
  }

  override func integer(_ value: Int128) throws(FerryError) {
    let isNumber = step == .key && UInt64(exactly: value) != nil
    try super.integer(value)
    if isNumber { step = .number }
  }

  override func endDictionary() throws(FerryError) {
    if step == .number { losses.add(.referenceLookalike, path: path()) }
    try super.endDictionary()
  }
}
