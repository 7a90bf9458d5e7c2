/// An adapter that sends the typed form of a stream of values: every kind keeps its tag, and nothing is lost.
///
///     {"a": ["$b"], "$c": set of 1}   ▸   {"$ferry": 1, "$value": {"a": ["$b"], "$$c": {"$set": [1]}}}
///
/// `TaggedScalars` follows it and handles the scalars. Property lists and archives whose nodes are in memory
/// have more information than a stream: see `TypedPropertyList` and `TypedArchive`.
final class TypedForm: PrecedingSink {
  private var hasBegun = false

  /// Sends a tag, as a key.
  func tag(_ tag: StaticString) throws(Failure) { try next.key(Text(tag.description.utf8.span)) }

  /// Begins the outermost dictionary.
  func begin() throws(Failure) {
    hasBegun = true
    try next.beginDictionary(count: nil)
    try tag("$ferry")
    try next.integer(Int128(TypedNotation.version))
  }

  override func willSend() throws(Failure) {
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

  override func beginKey() throws(Failure) { throw cannotHold("a key that is not a string") }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object of a typedstream (--form plain shows it)")
  }
  override func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }

  private func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: "the typed form")))
  }
}
