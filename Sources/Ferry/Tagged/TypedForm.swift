/// An adapter that sends a stream of values in the typed form, without any loss.
///
///     {"a": ["$b"], "$c": set of 1}   ▸   {"$ferry": 1, "$value": {"a": ["$b"], "$$c": {"$set": [1]}}}
///
/// It is followed by `TaggedScalars`, which adds the tags of scalars, and preceded by `TypedPairs` if keys may be values other than strings.
/// Nodes in memory have more information than a stream: `TypedPropertyListWriter` and `TypedArchiveWriter` send those.
final class TypedForm: InterceptingSink {
  private var hasBegun = false

  /// Sends a tag as a key.
  func tag(_ tag: StaticString) throws(FerryError) { try next.key(BorrowedText(tag.description.utf8.span)) }

  /// Begins the outermost dictionary of the document.
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

  /// Begins a dictionary as a list of pairs.
  func beginPairs() throws(FerryError) {
    try willSend()
    try next.beginDictionary(count: 1)
    try tag("$dictionary")
    try next.beginArray(count: nil)
  }

  /// Ends a dictionary as a list of pairs.
  func endPairs() throws(FerryError) {
    try next.endArray()
    try next.endDictionary()
  }

  override func beginKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw FerryError(.cannotHold(.typedstreamObject))
  }
  override func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: "the typed form")))
  }
}
