/// A sink that records its events on a tape.
final class TapeRecorder: ValueSink {
  /// The recorded events. The tape is a struct, so that an event is one access to the recorder's state.
  private(set) var tape: EventTape

  /// Creates a recorder. With the locator of a reader it records the source location of each event.
  init(locator: SourceLocator? = nil) { tape = EventTape(locator: locator) }

  /// Removes all events, and keeps the memory.
  func removeAll() { tape.removeAll() }

  func null() throws(Failure) { tape.add(.null) }
  func boolean(_ value: Bool) throws(Failure) { tape.add(.boolean, value ? 1 : 0) }
  func integer(_ value: Int128) throws(Failure) {
    tape.add(.integer, UInt64(truncatingIfNeeded: value), Int(truncatingIfNeeded: value >> 64))
  }
  func real(_ value: Double) throws(Failure) { tape.add(.real, value.bitPattern) }
  func single(_ value: Float) throws(Failure) { tape.add(.single, UInt64(value.bitPattern)) }
  func number(_ text: Text) throws(Failure) { tape.add(.number, text) }
  func string(_ text: Text) throws(Failure) { tape.add(.string, text) }
  func data(_ bytes: Span<UInt8>) throws(Failure) { tape.add(data: bytes) }
  func date(_ secondsSince2001: Double) throws(Failure) { tape.add(.date, secondsSince2001.bitPattern) }
  func uid(_ number: UInt64) throws(Failure) { tape.add(.uid, number) }
  func reference(_ identity: Int) throws(Failure) {
    tape.add(.reference, UInt64(bitPattern: Int64(identity)))
  }
  func key(_ text: Text) throws(Failure) { tape.add(.key, text) }
  func beginKey() throws(Failure) { tape.begin(.beginKey) }
  func endKey() throws(Failure) { try tape.end(.endKey, of: .beginKey) }
  func beginArray(count: Int?) throws(Failure) { tape.begin(.beginArray) }
  func endArray() throws(Failure) { try tape.end(.endArray, of: .beginArray) }
  func beginSet(count: Int?) throws(Failure) { tape.begin(.beginSet) }
  func endSet() throws(Failure) { try tape.end(.endSet, of: .beginSet) }
  func beginDictionary(count: Int?) throws(Failure) { tape.begin(.beginDictionary) }
  func endDictionary() throws(Failure) { try tape.end(.endDictionary, of: .beginDictionary) }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    tape.beginObject(type, identity: identity)
  }
  func endObject() throws(Failure) { try tape.end(.endObject, of: .beginObject) }
  func finish() throws(Failure) {}
}
