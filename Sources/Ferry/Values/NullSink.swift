/// A sink that ignores all events, for checking whether an input is well-formed.
final class NullSink: ValueSink {
  func null() {}
  func boolean(_ value: Bool) {}
  func integer(_ value: Int128) {}
  func real(_ value: Double) {}
  func single(_ value: Float) {}
  func number(_ text: BorrowedText) {}
  func string(_ text: BorrowedText) {}
  func data(_ bytes: Span<UInt8>) {}
  func date(_ secondsSince2001: Double) {}
  func uid(_ number: UInt64) {}
  func beginArray(count: Int?) {}
  func endArray() {}
  func beginSet(count: Int?) {}
  func endSet() {}
  func beginDictionary(count: Int?) {}
  func key(_ text: BorrowedText) {}
  func beginKey() {}
  func endKey() {}
  func endDictionary() {}
  func beginObject(_ type: ObjectClass, identity: Int?) {}
  func endObject() {}
  func reference(_ identity: Int) {}
  func finish() {}
}
