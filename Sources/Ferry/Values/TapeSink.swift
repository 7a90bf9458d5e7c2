/// A sink that stores its events on a tape.
final class TapeSink: ValueSink {
  /// The events so far. The tape is a struct, so that each event needs a single access to the sink's
  /// state.
  private(set) var tape: EventTape

  /// Creates a sink. With the locator of a reader, it stores the source location of each event.
  init(locator: SourceLocator? = nil) { tape = EventTape(locator: locator) }

  /// Creates a sink that appends to a tape.
  fileprivate init(appendingTo tape: consuming EventTape) { self.tape = tape }

  /// Removes all events but keeps the memory.
  func removeAll() { tape.removeAll() }

  /// Calls a function with the tape, which is not copied.
  func withTape<R>(_ body: (inout EventTape) throws(FerryError) -> R) throws(FerryError) -> R {
    try body(&tape)
  }

  /// Stores the events of a batch.
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try tape.append(events) }

  func null() throws(FerryError) { tape.add(.null) }
  func boolean(_ value: Bool) throws(FerryError) { tape.add(.boolean, value ? 1 : 0) }
  func integer(_ value: Int128) throws(FerryError) { tape.add(integer: value) }
  func real(_ value: Double) throws(FerryError) { tape.add(.real, value.bitPattern) }
  func single(_ value: Float) throws(FerryError) { tape.add(.single, UInt64(value.bitPattern)) }
  func number(_ text: BorrowedText) throws(FerryError) { tape.add(.number, text) }
  func string(_ text: BorrowedText) throws(FerryError) { tape.add(.string, text) }
  func data(_ bytes: Span<UInt8>) throws(FerryError) { tape.add(data: bytes) }
  func date(_ secondsSince2001: Double) throws(FerryError) { tape.add(.date, secondsSince2001.bitPattern) }
  func uid(_ number: UInt64) throws(FerryError) { tape.add(.uid, number) }
  func reference(_ identity: Int) throws(FerryError) { tape.add(reference: identity) }
  func key(_ text: BorrowedText) throws(FerryError) { tape.add(.key, text) }
  func beginKey() throws(FerryError) { tape.begin(.beginKey) }
  func endKey() throws(FerryError) { try tape.end(.endKey, of: .beginKey) }
  func beginArray(count: Int?) throws(FerryError) { tape.begin(.beginArray) }
  func endArray() throws(FerryError) { try tape.end(.endArray, of: .beginArray) }
  func beginSet(count: Int?) throws(FerryError) { tape.begin(.beginSet) }
  func endSet() throws(FerryError) { try tape.end(.endSet, of: .beginSet) }
  func beginDictionary(count: Int?) throws(FerryError) { tape.begin(.beginDictionary) }
  func endDictionary() throws(FerryError) { try tape.end(.endDictionary, of: .beginDictionary) }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    tape.beginObject(type, identity: identity)
  }
  func endObject() throws(FerryError) { try tape.end(.endObject, of: .beginObject) }
  func finish() throws(FerryError) {}
}

extension EventTape {
  /// Appends the events that a function sends.
  mutating func record(_ send: (any ValueSink) throws(FerryError) -> Void) throws(FerryError) {
    var tape = EventTape()
    swap(&tape, &self)
    let sink = TapeSink(appendingTo: tape)
    tape = EventTape()
    defer { sink.exchange(&self) }
    try send(sink)
  }
}

extension TapeSink {
  /// Exchanges the tape with another one.
  fileprivate func exchange(_ other: inout EventTape) { swap(&tape, &other) }
}
