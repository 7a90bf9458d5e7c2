/// A sink that hands on each record that an input has, as soon as it is complete.
///
/// A record is complete when the next event, or `cut`, shows that nothing more belongs to it.
final class RecordCutter: InterceptingSink {
  private let tapeSink: TapeSink
  private let handOn: (Int, EventTape) throws(FerryError) -> Void
  /// The number of records that were handed on.
  private(set) var count = 0

  init(handingOn handOn: @escaping (Int, EventTape) throws(FerryError) -> Void) {
    self.handOn = handOn
    tapeSink = TapeSink()
    super.init(to: tapeSink)
  }

  /// Hands on the last record.
  func cut() throws(FerryError) {
    guard tapeSink.tape.count > 0, tapeSink.tape.isBalanced else { return }
    let tape = tapeSink.tape
    tapeSink.removeAll()
    try handOn(count, tape)
    count += 1
  }

  override func willSend() throws(FerryError) { try cut() }
}
