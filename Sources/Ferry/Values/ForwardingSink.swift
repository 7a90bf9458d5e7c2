/// A sink that forwards every event: the base class of adapters, which override the events that they change.
open class ForwardingSink: ValueSink {
  /// The receiver of the events.
  public let next: any ValueSink

  /// Creates a sink in front of `next`.
  public init(to next: any ValueSink) { self.next = next }

  open func null() throws(Failure) { try next.null() }
  open func boolean(_ value: Bool) throws(Failure) { try next.boolean(value) }
  open func integer(_ value: Int128) throws(Failure) { try next.integer(value) }
  open func real(_ value: Double) throws(Failure) { try next.real(value) }
  open func single(_ value: Float) throws(Failure) { try next.single(value) }
  open func number(_ text: Text) throws(Failure) { try next.number(text) }
  open func string(_ text: Text) throws(Failure) { try next.string(text) }
  open func data(_ bytes: Span<UInt8>) throws(Failure) { try next.data(bytes) }
  open func date(_ secondsSince2001: Double) throws(Failure) { try next.date(secondsSince2001) }
  open func uid(_ number: UInt64) throws(Failure) { try next.uid(number) }
  open func beginArray(count: Int?) throws(Failure) { try next.beginArray(count: count) }
  open func endArray() throws(Failure) { try next.endArray() }
  open func beginSet(count: Int?) throws(Failure) { try next.beginSet(count: count) }
  open func endSet() throws(Failure) { try next.endSet() }
  open func beginDictionary(count: Int?) throws(Failure) { try next.beginDictionary(count: count) }
  open func key(_ text: Text) throws(Failure) { try next.key(text) }
  open func beginKey() throws(Failure) { try next.beginKey() }
  open func endKey() throws(Failure) { try next.endKey() }
  open func endDictionary() throws(Failure) { try next.endDictionary() }
  open func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    try next.beginObject(type, identity: identity)
  }
  open func endObject() throws(Failure) { try next.endObject() }
  open func reference(_ identity: Int) throws(Failure) { try next.reference(identity) }
  open func finish() throws(Failure) { try next.finish() }
}
