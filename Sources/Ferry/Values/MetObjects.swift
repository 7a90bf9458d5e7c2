/// A filter that replaces objects with an identity by references, for a value whose objects have been sent
/// before.
final class MetObjects: ForwardingSink {
  /// The nesting depth of objects inside the object that is left out, itself included.
  private var skipped = 0

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    if skipped == 0, let identity {
      try next.reference(identity)
      skipped = 1
    } else if skipped > 0 {
      skipped += 1
    } else {
      try next.beginObject(type, identity: nil)
    }
  }

  override func endObject() throws(Failure) {
    if skipped > 0 { skipped -= 1 } else { try next.endObject() }
  }

  private var isSending: Bool { skipped == 0 }

  override func null() throws(Failure) { if isSending { try next.null() } }
  override func boolean(_ value: Bool) throws(Failure) { if isSending { try next.boolean(value) } }
  override func integer(_ value: Int128) throws(Failure) { if isSending { try next.integer(value) } }
  override func real(_ value: Double) throws(Failure) { if isSending { try next.real(value) } }
  override func single(_ value: Float) throws(Failure) { if isSending { try next.single(value) } }
  override func number(_ text: Text) throws(Failure) { if isSending { try next.number(text) } }
  override func string(_ text: Text) throws(Failure) { if isSending { try next.string(text) } }
  override func data(_ bytes: Span<UInt8>) throws(Failure) { if isSending { try next.data(bytes) } }
  override func date(_ seconds: Double) throws(Failure) { if isSending { try next.date(seconds) } }
  override func uid(_ number: UInt64) throws(Failure) { if isSending { try next.uid(number) } }
  override func reference(_ identity: Int) throws(Failure) { if isSending { try next.reference(identity) } }
  override func key(_ text: Text) throws(Failure) { if isSending { try next.key(text) } }
  override func beginKey() throws(Failure) { if isSending { try next.beginKey() } }
  override func endKey() throws(Failure) { if isSending { try next.endKey() } }
  override func beginArray(count: Int?) throws(Failure) {
    if isSending { try next.beginArray(count: count) }
  }
  override func endArray() throws(Failure) { if isSending { try next.endArray() } }
  override func beginSet(count: Int?) throws(Failure) { if isSending { try next.beginSet(count: count) } }
  override func endSet() throws(Failure) { if isSending { try next.endSet() } }
  override func beginDictionary(count: Int?) throws(Failure) {
    if isSending { try next.beginDictionary(count: count) }
  }
  override func endDictionary() throws(Failure) { if isSending { try next.endDictionary() } }
}
