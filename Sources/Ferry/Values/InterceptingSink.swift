/// A forwarding sink that calls a method before each event. It is the base class of adapters that delay
/// events.
class InterceptingSink: ForwardingSink {
  /// Called before each event is forwarded.
  func willSend() throws(FerryError) {}

  override func null() throws(FerryError) {
    try willSend()
    try next.null()
  }
  override func boolean(_ value: Bool) throws(FerryError) {
    try willSend()
    try next.boolean(value)
  }
  override func integer(_ value: Int128) throws(FerryError) {
    try willSend()
    try next.integer(value)
  }
  override func real(_ value: Double) throws(FerryError) {
    try willSend()
    try next.real(value)
  }
  override func single(_ value: Float) throws(FerryError) {
    try willSend()
    try next.single(value)
  }
  override func number(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    try next.number(text)
  }
  override func string(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    try next.string(text)
  }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) {
    try willSend()
    try next.data(bytes)
  }
  override func date(_ secondsSince2001: Double) throws(FerryError) {
    try willSend()
    try next.date(secondsSince2001)
  }
  override func uid(_ number: UInt64) throws(FerryError) {
    try willSend()
    try next.uid(number)
  }
  override func beginArray(count: Int?) throws(FerryError) {
    try willSend()
    try next.beginArray(count: count)
  }
  override func endArray() throws(FerryError) {
    try willSend()
    try next.endArray()
  }
  override func beginSet(count: Int?) throws(FerryError) {
    try willSend()
    try next.beginSet(count: count)
  }
  override func endSet() throws(FerryError) {
    try willSend()
    try next.endSet()
  }
  override func beginDictionary(count: Int?) throws(FerryError) {
    try willSend()
    try next.beginDictionary(count: count)
  }
  override func key(_ text: BorrowedText) throws(FerryError) {
    try willSend()
    try next.key(text)
  }
  override func beginKey() throws(FerryError) {
    try willSend()
    try next.beginKey()
  }
  override func endKey() throws(FerryError) {
    try willSend()
    try next.endKey()
  }
  override func endDictionary() throws(FerryError) {
    try willSend()
    try next.endDictionary()
  }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try willSend()
    try next.beginObject(type, identity: identity)
  }
  override func endObject() throws(FerryError) {
    try willSend()
    try next.endObject()
  }
  override func reference(_ identity: Int) throws(FerryError) {
    try willSend()
    try next.reference(identity)
  }
}
