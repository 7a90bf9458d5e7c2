/// The typed form of a value that comes as a stream: every kind keeps its tag, nothing is dropped.
///
///     {"a": ["$b"], "$c": set of 1}   ▸   {"$ferry": 1, "$value": {"a": ["$b"], "$$c": {"$set": [1]}}}
///
/// Stands before `TaggedScalars`, which sees to the scalars. Property lists and archives that are at hand as nodes have
/// more to tell than a stream: see `TypedPropertyList` and `TypedArchive`.
final class TypedForm: ForwardingSink {
  private var hasBegun = false

  /// Sends a tag, as a key.
  func tag(_ tag: StaticString) throws(Failure) { try next.key(Text(tag.description.utf8.span)) }

  /// Begins the dictionary that everything stands in.
  func begin() throws(Failure) {
    hasBegun = true
    try next.beginDictionary(count: nil)
    try tag("$ferry")
    try next.integer(Int128(TypedNotation.version))
  }

  private func willSend() throws(Failure) {
    guard !hasBegun else { return }
    try begin()
    try tag("$value")
  }

  override func finish() throws(Failure) {
    try next.endDictionary()
    try next.finish()
  }

  override func key(_ text: Text) throws(Failure) {
    try TypedNotation.withKey(text) { key throws(Failure) in try next.key(key) }
  }

  override func beginSet(count: Int?) throws(Failure) {
    try willSend()
    try next.beginDictionary(count: 1)
    try tag("$set")
    try next.beginArray(count: count)
  }

  override func endSet() throws(Failure) {
    try next.endArray()
    try next.endDictionary()
  }

  override func beginKey() throws(Failure) { throw cannotHold("a key that is no string") }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object of a typedstream (--form plain shows it)")
  }
  override func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }

  private func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: "the typed form")))
  }

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
  override func beginDictionary(count: Int?) throws(Failure) {
    try willSend()
    try next.beginDictionary(count: count)
  }
}
