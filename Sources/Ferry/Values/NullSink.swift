/// A sink that ignores all events, for checking whether an input is well-formed.
package final class NullSink: ValueSink {
  package init() {}

  package func null() {}
  package func boolean(_ value: Bool) {}
  package func integer(_ value: Int128) {}
  package func real(_ value: Double) {}
  package func single(_ value: Float) {}
  package func number(_ text: BorrowedText) {}
  package func string(_ text: BorrowedText) {}
  package func data(_ bytes: Span<UInt8>) {}
  package func date(_ secondsSince2001: Double) {}
  package func uid(_ number: UInt64) {}
  package func beginArray(count: Int?) {}
  package func endArray() {}
  package func beginSet(count: Int?) {}
  package func endSet() {}
  package func beginDictionary(count: Int?) {}
  package func key(_ text: BorrowedText) {}
  package func beginKey() {}
  package func endKey() {}
  package func endDictionary() {}
  package func beginObject(_ type: ObjectClass, identity: Int?) {}
  package func endObject() {}
  package func reference(_ identity: Int) {}
  package func finish() {}
}
