/// A tape that receives the events of a record, and hands them on when the record is complete.
final class RecordCutter {
  /// Receives the events.
  let sink = TapeSink()
  private let handOn: (Int, EventTape) throws(FerryError) -> Void
  /// The number of records that were handed on.
  private var count = 0

  init(handingOn handOn: @escaping (Int, EventTape) throws(FerryError) -> Void) { self.handOn = handOn }

  /// Hands on the record, which is complete.
  func cut() throws(FerryError) {
    let tape = sink.tape
    sink.removeAll()
    try handOn(count, tape)
    count += 1
  }
}
