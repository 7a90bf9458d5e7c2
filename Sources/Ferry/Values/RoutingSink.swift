/// A forwarding sink that chooses the receiver of each event. It is the base class of adapters that leave values out, or
/// buffer some of them.
class RoutingSink: ForwardingSink {
  /// The kind of a value that begins.
  enum Kind {
    case null, boolean, number, string, data, date, reference
    case list, set, dictionary, object

    /// The shape of values of the kind.
    var shape: Shape {
      switch self {
      case .null, .boolean, .number, .string, .data, .date, .reference: .scalar
      case .list, .set: .list
      case .dictionary: .dictionary
      case .object: .object
      }
    }

    /// The kind with an article, for messages.
    var words: String {
      switch self {
      case .null: "null"
      case .data: "data"
      case .boolean: "a boolean"
      case .number: "a number"
      case .string: "a string"
      case .date: "a date"
      case .reference: "a reference"
      case .list: "a list"
      case .set: "a set"
      case .dictionary: "a dictionary"
      case .object: "an object"
      }
    }
  }

  /// The shape of a value: a scalar, or a kind of parts.
  enum Shape { case scalar, list, dictionary, object }

  /// Returns the receiver of a scalar, or of the beginning of another value. Nil leaves the event out.
  func receiver(of kind: Kind) throws(FerryError) -> (any ValueSink)? { next }
  /// Returns the receiver of a key, or of the beginning or end of a key that is not a string. Nil leaves the event out.
  func receiverOfKey() -> (any ValueSink)? { next }
  /// Returns the receiver of the end of a collection or an object. Nil leaves the event out.
  func receiverOfEnd() -> (any ValueSink)? { next }
  /// Called after the end of a collection or an object.
  func didEnd() throws(FerryError) {}

  override func null() throws(FerryError) { try receiver(of: .null)?.null() }
  override func boolean(_ value: Bool) throws(FerryError) { try receiver(of: .boolean)?.boolean(value) }
  override func integer(_ value: Int128) throws(FerryError) { try receiver(of: .number)?.integer(value) }
  override func real(_ value: Double) throws(FerryError) { try receiver(of: .number)?.real(value) }
  override func single(_ value: Float) throws(FerryError) { try receiver(of: .number)?.single(value) }
  override func number(_ text: BorrowedText) throws(FerryError) { try receiver(of: .number)?.number(text) }
  override func string(_ text: BorrowedText) throws(FerryError) { try receiver(of: .string)?.string(text) }
  override func data(_ bytes: Span<UInt8>) throws(FerryError) { try receiver(of: .data)?.data(bytes) }
  override func date(_ seconds: Double) throws(FerryError) { try receiver(of: .date)?.date(seconds) }
  override func uid(_ number: UInt64) throws(FerryError) { try receiver(of: .reference)?.uid(number) }
  override func reference(_ identity: Int) throws(FerryError) {
    try receiver(of: .reference)?.reference(identity)
  }

  override func key(_ text: BorrowedText) throws(FerryError) { try receiverOfKey()?.key(text) }
  override func beginKey() throws(FerryError) { try receiverOfKey()?.beginKey() }
  override func endKey() throws(FerryError) { try receiverOfKey()?.endKey() }

  override func beginArray(count: Int?) throws(FerryError) {
    try receiver(of: .list)?.beginArray(count: count)
  }
  override func endArray() throws(FerryError) {
    try receiverOfEnd()?.endArray()
    try didEnd()
  }
  override func beginSet(count: Int?) throws(FerryError) { try receiver(of: .set)?.beginSet(count: count) }
  override func endSet() throws(FerryError) {
    try receiverOfEnd()?.endSet()
    try didEnd()
  }
  override func beginDictionary(count: Int?) throws(FerryError) {
    try receiver(of: .dictionary)?.beginDictionary(count: count)
  }
  override func endDictionary() throws(FerryError) {
    try receiverOfEnd()?.endDictionary()
    try didEnd()
  }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    try receiver(of: .object)?.beginObject(type, identity: identity)
  }
  override func endObject() throws(FerryError) {
    try receiverOfEnd()?.endObject()
    try didEnd()
  }
}
