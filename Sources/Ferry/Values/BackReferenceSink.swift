/// A filter that replaces objects with an identity by references to them. It is used for a value whose
/// objects have already been sent.
final class BackReferenceSink: ForwardingSink {
  /// The nesting depth of objects in the object that is replaced, counting that object.
  private var skipped = 0

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if skipped == 0, let identity {
      try next.reference(identity)
      skipped = 1
    } else if skipped > 0 {
      skipped += 1
    } else {
      try next.beginObject(type, identity: nil)
    }
  }

  override func endObject() throws(FerryError) {
    if skipped > 0 { skipped -= 1 } else { try next.endObject() }
  }

  private var isSending: Bool { skipped == 0 }

  override func null() throws(FerryError) { if isSending { try next.null() } }
  override func boolean(_ value: Bool) throws(FerryError) { if isSending { try next.boolean(value) } }
  override func integer(_ value: Int128) throws(FerryError) { if isSending { try next.integer(value) } }
  override func real(_ value: Double) throws(FerryError) { if isSending { try next.real(value) } }
  override func single(_ value: Float) throws(FerryError) { if isSending { try next.single(value) } }
  override func number(_ text: BorrowedText) throws(FerryError) { if isSending { try next.number(text) } }
  override func string(_ text: BorrowedText) throws(FerryError) { if isSending { try next.string(text) } }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) { if isSending { try next.data(bytes) } }
  override func date(_ seconds: Double) throws(FerryError) { if isSending { try next.date(seconds) } }
  override func uid(_ number: UInt64) throws(FerryError) { if isSending { try next.uid(number) } }
  override func reference(_ identity: Int) throws(FerryError) {
    if isSending { try next.reference(identity) }
  }
  override func key(_ text: BorrowedText) throws(FerryError) { if isSending { try next.key(text) } }
  override func beginKey() throws(FerryError) { if isSending { try next.beginKey() } }
  override func endKey() throws(FerryError) { if isSending { try next.endKey() } }
  override func beginArray(count: Int?) throws(FerryError) {
    if isSending { try next.beginArray(count: count) }
  }
  override func endArray() throws(FerryError) { if isSending { try next.endArray() } }
  override func beginSet(count: Int?) throws(FerryError) { if isSending { try next.beginSet(count: count) } }
  override func endSet() throws(FerryError) { if isSending { try next.endSet() } }
  override func beginDictionary(count: Int?) throws(FerryError) {
    if isSending { try next.beginDictionary(count: count) }
  }
  override func endDictionary() throws(FerryError) { if isSending { try next.endDictionary() } }
}
