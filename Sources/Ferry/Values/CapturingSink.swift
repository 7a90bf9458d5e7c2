/// A sink that forwards events, or records them on a tape while a value is held: the base class of adapters
/// that need a whole value at once.
class CapturingSink: ForwardingSink {
  /// The recorder of the held events; nil while events are forwarded.
  var held: TapeRecorder? { didSet { sink = held ?? next } }

  private var sink: any ValueSink

  override init(to next: any ValueSink) {
    sink = next
    super.init(to: next)
  }

  override func null() throws(Failure) { try sink.null() }
  override func boolean(_ value: Bool) throws(Failure) { try sink.boolean(value) }
  override func integer(_ value: Int128) throws(Failure) { try sink.integer(value) }
  override func real(_ value: Double) throws(Failure) { try sink.real(value) }
  override func single(_ value: Float) throws(Failure) { try sink.single(value) }
  override func number(_ text: Text) throws(Failure) { try sink.number(text) }
  override func string(_ text: Text) throws(Failure) { try sink.string(text) }
  override func data(_ bytes: Span<UInt8>) throws(Failure) { try sink.data(bytes) }
  override func date(_ secondsSince2001: Double) throws(Failure) { try sink.date(secondsSince2001) }
  override func uid(_ number: UInt64) throws(Failure) { try sink.uid(number) }
  override func reference(_ identity: Int) throws(Failure) { try sink.reference(identity) }
  override func key(_ text: Text) throws(Failure) { try sink.key(text) }
  override func beginKey() throws(Failure) { try sink.beginKey() }
  override func endKey() throws(Failure) { try sink.endKey() }
  override func beginArray(count: Int?) throws(Failure) { try sink.beginArray(count: count) }
  override func endArray() throws(Failure) { try sink.endArray() }
  override func beginSet(count: Int?) throws(Failure) { try sink.beginSet(count: count) }
  override func endSet() throws(Failure) { try sink.endSet() }
  override func beginDictionary(count: Int?) throws(Failure) { try sink.beginDictionary(count: count) }
  override func endDictionary() throws(Failure) { try sink.endDictionary() }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    try sink.beginObject(type, identity: identity)
  }
  override func endObject() throws(Failure) { try sink.endObject() }
}
