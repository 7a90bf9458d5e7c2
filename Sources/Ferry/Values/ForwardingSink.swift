/// A sink that forwards every event. It is the base class of adapters, which override events that they
/// change.
open class ForwardingSink: ValueSink {
  /// The sink that receives the events.
  public let next: any ValueSink

  /// Creates a sink that forwards to `next`.
  public init(to next: any ValueSink) { self.next = next }

  open func null() throws(FerryError) { try next.null() }
  open func boolean(_ value: Bool) throws(FerryError) { try next.boolean(value) }
  open func integer(_ value: Int128) throws(FerryError) { try next.integer(value) }
  open func real(_ value: Double) throws(FerryError) { try next.real(value) }
  open func single(_ value: Float) throws(FerryError) { try next.single(value) }
  open func number(_ text: BorrowedText) throws(FerryError) { try next.number(text) }
  open func string(_ text: BorrowedText) throws(FerryError) { try next.string(text) }
  open func data(_ bytes: Span<UInt8>) throws(FerryError) { try next.data(bytes) }
  open func date(_ secondsSince2001: Double) throws(FerryError) { try next.date(secondsSince2001) }
  open func uid(_ number: UInt64) throws(FerryError) { try next.uid(number) }
  open func beginArray(count: Int?) throws(FerryError) { try next.beginArray(count: count) }
  open func endArray() throws(FerryError) { try next.endArray() }
  open func beginSet(count: Int?) throws(FerryError) { try next.beginSet(count: count) }
  open func endSet() throws(FerryError) { try next.endSet() }
  open func beginDictionary(count: Int?) throws(FerryError) { try next.beginDictionary(count: count) }
  open func key(_ text: BorrowedText) throws(FerryError) { try next.key(text) }
  open func beginKey() throws(FerryError) { try next.beginKey() }
  open func endKey() throws(FerryError) { try next.endKey() }
  open func endDictionary() throws(FerryError) { try next.endDictionary() }
  open func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try next.beginObject(type, identity: identity)
  }
  open func endObject() throws(FerryError) { try next.endObject() }
  open func reference(_ identity: Int) throws(FerryError) { try next.reference(identity) }
  open func finish() throws(FerryError) { try next.finish() }
}
