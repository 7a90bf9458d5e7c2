/// An adapter that sends the typed form of a stream of values: every kind keeps its tag, and nothing is lost.
///
///     {"a": ["$b"], "$c": set of 1}   ▸   {"$ferry": 1, "$value": {"a": ["$b"], "$$c": {"$set": [1]}}}
///
/// `TaggedScalars` follows it and handles the scalars. Property lists and archives whose nodes are in memory
/// have more information than a stream: see `TypedPropertyList` and `TypedArchive`.
final class TypedForm: InterceptingSink {
  private var hasBegun = false

  /// Sends a tag, as a key.
  func tag(_ tag: StaticString) throws(FerryError) { try next.key(BorrowedText(tag.description.utf8.span)) }

  /// Begins the outermost dictionary.
  func begin() throws(FerryError) {
    hasBegun = true
    try next.beginDictionary(count: nil)
    try tag("$ferry")
    try next.integer(Int128(TypedNotation.version))
  }

  override func willSend() throws(FerryError) {
    guard !hasBegun else { return }
    try begin()
    try tag("$value")
  }

  override func finish() throws(FerryError) {
    try next.endDictionary()
    try next.finish()
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    try TypedNotation.withKey(text) { key throws(FerryError) in try next.key(key) }
  }

  override func beginSet(count: Int?) throws(FerryError) {
    try willSend()
    try next.beginDictionary(count: 1)
    try tag("$set")
    try next.beginArray(count: count)
  }

  override func endSet() throws(FerryError) {
    try next.endArray()
    try next.endDictionary()
  }

  override func beginKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object of a typedstream (--form plain shows it)")
  }
  override func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: "the typed form")))
  }
}
