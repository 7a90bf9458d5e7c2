/// A forwarding sink with a hook before each event: the base class of adapters that delay events.
class PrecedingSink: ForwardingSink {
  /// Called before an event is forwarded.
  func willSend() throws(Failure) {}

  override func null() throws(Failure) {
    try willSend()
    try next.null()
  }
  override func boolean(_ value: Bool) throws(Failure) {
    try willSend()
    try next.boolean(value)
  }
  override func integer(_ value: Int128) throws(Failure) {
    try willSend()
    try next.integer(value)
  }
  override func real(_ value: Double) throws(Failure) {
    try willSend()
    try next.real(value)
  }
  override func single(_ value: Float) throws(Failure) {
    try willSend()
    try next.single(value)
  }
  override func number(_ text: Text) throws(Failure) {
    try willSend()
    try next.number(text)
  }
  override func string(_ text: Text) throws(Failure) {
    try willSend()
    try next.string(text)
  }
  override func data(_ bytes: Span<UInt8>) throws(Failure) {
    try willSend()
    try next.data(bytes)
  }
  override func date(_ secondsSince2001: Double) throws(Failure) {
    try willSend()
    try next.date(secondsSince2001)
  }
  override func uid(_ number: UInt64) throws(Failure) {
    try willSend()
    try next.uid(number)
  }
  override func beginArray(count: Int?) throws(Failure) {
    try willSend()
    try next.beginArray(count: count)
  }
  override func endArray() throws(Failure) {
    try willSend()
    try next.endArray()
  }
  override func beginSet(count: Int?) throws(Failure) {
    try willSend()
    try next.beginSet(count: count)
  }
  override func endSet() throws(Failure) {
    try willSend()
    try next.endSet()
  }
  override func beginDictionary(count: Int?) throws(Failure) {
    try willSend()
    try next.beginDictionary(count: count)
  }
  override func key(_ text: Text) throws(Failure) {
    try willSend()
    try next.key(text)
  }
  override func beginKey() throws(Failure) {
    try willSend()
    try next.beginKey()
  }
  override func endKey() throws(Failure) {
    try willSend()
    try next.endKey()
  }
  override func endDictionary() throws(Failure) {
    try willSend()
    try next.endDictionary()
  }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    try willSend()
    try next.beginObject(type, identity: identity)
  }
  override func endObject() throws(Failure) {
    try willSend()
    try next.endObject()
  }
  override func reference(_ identity: Int) throws(Failure) {
    try willSend()
    try next.reference(identity)
  }
}
