/// A sink that forwards events, or buffers them on a tape. It is the base class of adapters that need a
/// complete value.
class BufferingSink: ForwardingSink {
  /// The tape sink of the buffered events, or nil while events are forwarded.
  var held: TapeSink? { didSet { sink = held ?? next } }

  private var sink: any ValueSink

  override init(to next: any ValueSink) {
    sink = next
    super.init(to: next)
  }

  override func null() throws(FerryError) { try sink.null() }
  override func boolean(_ value: Bool) throws(FerryError) { try sink.boolean(value) }
  override func integer(_ value: Int128) throws(FerryError) { try sink.integer(value) }
  override func real(_ value: Double) throws(FerryError) { try sink.real(value) }
  override func single(_ value: Float) throws(FerryError) { try sink.single(value) }
  override func number(_ text: BorrowedText) throws(FerryError) { try sink.number(text) }
  override func string(_ text: BorrowedText) throws(FerryError) { try sink.string(text) }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) { try sink.data(bytes) }
  override func date(_ secondsSince2001: Double) throws(FerryError) { try sink.date(secondsSince2001) }
  override func uid(_ number: UInt64) throws(FerryError) { try sink.uid(number) }
  override func reference(_ identity: Int) throws(FerryError) { try sink.reference(identity) }
  override func key(_ text: BorrowedText) throws(FerryError) { try sink.key(text) }
  override func beginKey() throws(FerryError) { try sink.beginKey() }
  override func endKey() throws(FerryError) { try sink.endKey() }
  override func beginArray(count: Int?) throws(FerryError) { try sink.beginArray(count: count) }
  override func endArray() throws(FerryError) { try sink.endArray() }
  override func beginSet(count: Int?) throws(FerryError) { try sink.beginSet(count: count) }
  override func endSet() throws(FerryError) { try sink.endSet() }
  override func beginDictionary(count: Int?) throws(FerryError) { try sink.beginDictionary(count: count) }
  override func endDictionary() throws(FerryError) { try sink.endDictionary() }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try sink.beginObject(type, identity: identity)
  }
  override func endObject() throws(FerryError) { try sink.endObject() }
}
