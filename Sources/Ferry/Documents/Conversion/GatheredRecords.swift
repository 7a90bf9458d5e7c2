/// A sink that buffers each record on a tape and passes the tape to `send`. Events outside of records are
/// forwarded directly.
///
/// The records are the elements of the outermost array or set, or the outermost value itself. A record is a
/// dictionary or an object of the record's class.
class GatheredRecords: BufferingSink {
  let record: RecordType
  private let tapeSink = TapeSink()
  /// The number of open collections around the records.
  private var depth = 0
  private var isInCollection = false
  private var index = 0

  init(of record: RecordType, to next: any ValueSink) {
    self.record = record
    super.init(to: next)
  }

  /// Forwards a complete record. Subclasses override it to change the record.
  func send(_ tape: EventTape) throws(FerryError) { try tape.replay(into: next) }

  /// Returns the path of a field in the current record.
  func path(of field: String) -> ValuePath {
    ValuePath(isInCollection ? [.index(index), .key(field)] : [.key(field)])
  }

  /// Returns the tape index of a record's dictionary, or nil if the record is not a dictionary.
  static func dictionary(of tape: EventTape) -> TapeIndex? {
    let start: TapeIndex = tape.kind(at: .start) == .beginObject ? .start + 1 : .start
    return tape.kind(at: start) == .beginDictionary ? start : nil
  }

  /// Sends a record whose entries are sent by a function.
  func send(
    _ tape: EventTape, at dictionary: TapeIndex,
    _ sendEntry: (_ key: TapeIndex, _ value: TapeIndex) throws(FerryError) -> Void
  ) throws(FerryError) {
    let isObject = dictionary > .start
    if isObject { try next.beginObject(tape.type(at: .start), identity: tape.identity(at: .start)) }
    try next.beginDictionary(count: nil)
    for (key, value) in tape.entries(of: dictionary) { try sendEntry(key, value) }
    try next.endDictionary()
    if isObject { try next.endObject() }
  }

  /// Returns the field with the key at a tape index.
  func field(at key: TapeIndex, of tape: EventTape, _ dialect: RecordDialect) -> Int? {
    guard tape.kind(at: key) == .key else { return nil }
    return record.match(tape.text(at: key).utf8, usesArchiveKeys: dialect.usesArchiveKeys)?.field
  }

  private var isAtRecord: Bool { held == nil && depth == (isInCollection ? 1 : 0) }

  private func recordMayHaveEnded() throws(FerryError) {
    guard held != nil, tapeSink.tape.isBalanced else { return }
    held = nil
    try send(tapeSink.tape)
    tapeSink.removeAll()
    index += 1
  }

  private func collectionBegins() {
    guard held == nil else { return }
    if depth == 0 { isInCollection = true }
    depth += 1
  }

  private func collectionEnded() { if held == nil { depth -= 1 } }

  override func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    if isAtRecord, record.accepts(className: type.name) { held = tapeSink }
    try super.beginObject(type, identity: identity)
  }

  override func endObject() throws(FerryError) {
    try super.endObject()
    try recordMayHaveEnded()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if isAtRecord { held = tapeSink }
    try super.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    try super.endDictionary()
    try recordMayHaveEnded()
  }

  override func beginArray(count: Int?) throws(FerryError) {
    collectionBegins()
    try super.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    try super.endArray()
    collectionEnded()
  }

  override func beginSet(count: Int?) throws(FerryError) {
    collectionBegins()
    try super.beginSet(count: count)
  }

  override func endSet() throws(FerryError) {
    try super.endSet()
    collectionEnded()
  }
}
