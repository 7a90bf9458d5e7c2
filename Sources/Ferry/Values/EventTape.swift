/// Events recorded one after the other, to be looked at in any order and sent on.
///
/// A tape is a tree without nodes: each event is one entry, and a begin knows where its end is, so that a value inside is
/// skipped in one step. `{"a": [1, 2], "b": "c"}` is
///
///     0 beginDictionary → 8   1 key a   2 beginArray → 5   3 integer 1   4 integer 2   5 endArray
///                             6 key b   7 string c         8 endDictionary
///
/// Text and data lie in one array of bytes. Nothing is allocated for an event, and a tape that is emptied keeps its room.
final class EventTape: ValueSink {
  enum Kind: UInt8 {
    case null, boolean, integer, real, single, number, string, data, date, uid, reference
    case key, beginKey, endKey
    case beginArray, endArray, beginSet, endSet, beginDictionary, endDictionary, beginObject, endObject
  }

  private struct Entry {
    var kind: Kind
    /// Of text: whether it is ASCII, and whether it has surrogates.
    var isASCII = false
    var hasSurrogates = false
    /// A scalar's bits; where text and data begin; the identity plus one of an object.
    var payload: UInt64 = 0
    /// The upper half of an integer; the length of text and data; where a begin's end is; an object's class.
    var extra: Int = 0

    /// Where text or data is.
    var range: Range<Int> { Int(payload)..<Int(payload) + extra }

    var integer: Int128 { Int128(extra) << 64 | Int128(payload) }

    /// The text, in the tape's bytes.
    @_lifetime(copy bytes)
    func text(in bytes: Span<UInt8>) -> Text {
      Text(checked: bytes.extracting(range), isASCII: isASCII, hasSurrogates: hasSurrogates)
    }
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private var classes: [ObjectClass] = []
  /// For an object's begin, its class's index; kept apart because the begin needs its end as well.
  private var classOfObject: [Int: Int] = [:]
  private var open: [Int] = []

  /// How many events there are; a valid place to stop, not to look.
  var count: Int { entries.count }
  /// Whether every begin has its end.
  var isBalanced: Bool { open.isEmpty }

  /// Forgets everything but the room it took.
  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    classes.removeAll(keepingCapacity: true)
    classOfObject.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
  }

  // MARK: Recording

  private func add(_ kind: Kind, _ payload: UInt64 = 0, _ extra: Int = 0) {
    entries.append(Entry(kind: kind, payload: payload, extra: extra))
  }

  private func add(_ kind: Kind, _ text: borrowing Text) {
    entries.append(
      Entry(
        kind: kind, isASCII: text.isASCII, hasSurrogates: text.hasSurrogates, payload: UInt64(bytes.count),
        extra: text.utf8.count))
    bytes.append(copying: text.utf8)
  }

  private func begin(_ kind: Kind, _ payload: UInt64 = 0) {
    open.append(entries.count)
    add(kind, payload)
  }

  private func end(_ kind: Kind, of beginning: Kind) throws(Failure) {
    guard let start = open.popLast(), entries[start].kind == beginning else {
      throw Failure(.cannotHold(.misplaced("the end of a collection")))
    }
    entries[start].extra = entries.count
    add(kind)
  }

  func null() throws(Failure) { add(.null) }
  func boolean(_ value: Bool) throws(Failure) { add(.boolean, value ? 1 : 0) }
  func integer(_ value: Int128) throws(Failure) {
    add(.integer, UInt64(truncatingIfNeeded: value), Int(truncatingIfNeeded: value >> 64))
  }
  func real(_ value: Double) throws(Failure) { add(.real, value.bitPattern) }
  func single(_ value: Float) throws(Failure) { add(.single, UInt64(value.bitPattern)) }
  func number(_ text: Text) throws(Failure) { add(.number, text) }
  func string(_ text: Text) throws(Failure) { add(.string, text) }
  func data(_ bytes: Span<UInt8>) throws(Failure) {
    add(.data, UInt64(self.bytes.count), bytes.count)
    self.bytes.append(copying: bytes)
  }
  func date(_ secondsSince2001: Double) throws(Failure) { add(.date, secondsSince2001.bitPattern) }
  func uid(_ number: UInt64) throws(Failure) { add(.uid, number) }
  func reference(_ identity: Int) throws(Failure) { add(.reference, UInt64(bitPattern: Int64(identity))) }
  func key(_ text: Text) throws(Failure) { add(.key, text) }
  func beginKey() throws(Failure) { begin(.beginKey) }
  func endKey() throws(Failure) { try end(.endKey, of: .beginKey) }
  func beginArray(count: Int?) throws(Failure) { begin(.beginArray) }
  func endArray() throws(Failure) { try end(.endArray, of: .beginArray) }
  func beginSet(count: Int?) throws(Failure) { begin(.beginSet) }
  func endSet() throws(Failure) { try end(.endSet, of: .beginSet) }
  func beginDictionary(count: Int?) throws(Failure) { begin(.beginDictionary) }
  func endDictionary() throws(Failure) { try end(.endDictionary, of: .beginDictionary) }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    let index = classes.lastIndex { $0 === type } ?? classes.count
    if index == classes.count { classes.append(type) }
    classOfObject[entries.count] = index
    begin(.beginObject, identity.map { UInt64(bitPattern: Int64($0)) &+ 1 } ?? 0)
  }
  func endObject() throws(Failure) { try end(.endObject, of: .beginObject) }
  func finish() throws(Failure) {}

  // MARK: Looking

  /// What is recorded at a place.
  func kind(at index: Int) -> Kind { entries[index].kind }

  /// The place behind the value, or key, that begins at a place.
  func next(after index: Int) -> Int {
    switch entries[index].kind {
    case .beginArray, .beginSet, .beginDictionary, .beginObject, .beginKey: entries[index].extra + 1
    default: index + 1
    }
  }

  func boolean(at index: Int) -> Bool { entries[index].payload != 0 }
  func integer(at index: Int) -> Int128 {
    entries[index].integer
  }
  /// The number of a real or date.
  func real(at index: Int) -> Double { Double(bitPattern: entries[index].payload) }
  func single(at index: Int) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: entries[index].payload))
  }
  func uid(at index: Int) -> UInt64 { entries[index].payload }
  /// The identity that a reference names.
  func reference(at index: Int) -> Int { Int(truncatingIfNeeded: entries[index].payload) }
  /// An object's own identity.
  func identity(at index: Int) -> Int? {
    entries[index].payload == 0 ? nil : Int(truncatingIfNeeded: entries[index].payload &- 1)
  }
  /// The identities of all objects.
  var identities: [Int] {
    entries.indices.compactMap { entries[$0].kind == .beginObject ? identity(at: $0) : nil }
  }
  /// An object's class.
  func type(at index: Int) -> ObjectClass { classes[classOfObject[index] ?? 0] }

  /// The text of a string, number or key.
  func withText<R>(at index: Int, _ body: (Text) throws(Failure) -> R) throws(Failure) -> R {
    let bytes = bytes
    return try body(entries[index].text(in: bytes.span))
  }

  /// The bytes of a data value.
  func withData<R>(at index: Int, _ body: (Span<UInt8>) throws(Failure) -> R) throws(Failure) -> R {
    let bytes = bytes
    return try body(bytes.span.extracting(entries[index].range))
  }

  /// A copy of the text of a string, number or key.
  func string(at index: Int) -> String {
    let bytes = bytes
    return String(entries[index].text(in: bytes.span))
  }

  // MARK: Comparing

  /// Whether the values that begin at two places are the same, event by event.
  func equalValues(at a: Int, _ b: Int) -> Bool {
    let count = next(after: a) - a
    guard next(after: b) - b == count else { return false }
    let bytes = bytes
    for offset in 0..<count {
      guard areEqual(a + offset, b + offset, offset: b - a, bytes.span) else { return false }
    }
    return true
  }

  private func areEqual(_ a: Int, _ b: Int, offset: Int, _ bytes: Span<UInt8>) -> Bool {
    let (first, second) = (entries[a], entries[b])
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .string, .key, .number, .data:
      return bytes.extracting(first.range).equals(bytes.extracting(second.range))
    case .beginObject:
      return type(at: a) == type(at: b) && first.payload == second.payload
        && first.extra + offset == second.extra
    case .beginArray, .beginSet, .beginDictionary, .beginKey: return first.extra + offset == second.extra
    default: return first.payload == second.payload && first.extra == second.extra
    }
  }

  /// A number that is the same for equal values.
  func digest(ofValueAt index: Int) -> Int {
    var hasher = Hasher()
    let bytes = bytes
    let all = bytes.span
    for place in index..<next(after: index) {
      let entry = entries[place]
      hasher.combine(entry.kind)
      switch entry.kind {
      case .string, .key, .number, .data: for byte in entry.range { hasher.combine(all[byte]) }
      case .beginArray, .beginSet, .beginDictionary, .beginKey, .beginObject: break
      default: hasher.combine(entry.payload)
      }
    }
    return hasher.finalize()
  }

  // MARK: Sending on

  /// Sends everything.
  func replay(into sink: any ValueSink) throws(Failure) { try replay(0..<count, into: sink) }

  /// Sends the value, or the key, that begins at a place.
  func replay(valueAt index: Int, into sink: any ValueSink) throws(Failure) {
    try replay(index..<next(after: index), into: sink)
  }

  /// Sends the one event at a place.
  func replay(eventAt index: Int, into sink: any ValueSink) throws(Failure) {
    try replay(index..<index + 1, into: sink)
  }

  /// The arrays are taken out once, so that no event pays for looking into the object.
  private func replay(_ range: Range<Int>, into sink: any ValueSink) throws(Failure) {
    let (entries, bytes) = (entries, bytes)
    let all = bytes.span
    for index in range {
      let entry = entries[index]
      switch entry.kind {
      case .null: try sink.null()
      case .boolean: try sink.boolean(entry.payload != 0)
      case .integer: try sink.integer(entry.integer)
      case .real: try sink.real(Double(bitPattern: entry.payload))
      case .single: try sink.single(Float(bitPattern: UInt32(truncatingIfNeeded: entry.payload)))
      case .date: try sink.date(Double(bitPattern: entry.payload))
      case .uid: try sink.uid(entry.payload)
      case .reference: try sink.reference(Int(truncatingIfNeeded: entry.payload))
      case .number: try sink.number(entry.text(in: all))
      case .string: try sink.string(entry.text(in: all))
      case .key: try sink.key(entry.text(in: all))
      case .data: try sink.data(all.extracting(entry.range))
      case .beginKey: try sink.beginKey()
      case .endKey: try sink.endKey()
      case .beginArray: try sink.beginArray(count: nil)
      case .endArray: try sink.endArray()
      case .beginSet: try sink.beginSet(count: nil)
      case .endSet: try sink.endSet()
      case .beginDictionary: try sink.beginDictionary(count: nil)
      case .endDictionary: try sink.endDictionary()
      case .beginObject: try sink.beginObject(type(at: index), identity: identity(at: index))
      case .endObject: try sink.endObject()
      }
    }
  }
}
