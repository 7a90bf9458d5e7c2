/// A buffer of events that can be read in any order and replayed.
///
/// A tape is a tree stored as a list, with one entry for each event. The entry that begins a collection
/// contains the index of its end, so that a nested value is skipped in one step. For
/// `{"a": [1, 2], "b": "c"}`:
///
///     0 beginDictionary → 8   1 key a   2 beginArray → 5   3 integer 1   4 integer 2   5 endArray
///                             6 key b   7 string c         8 endDictionary
///
/// Texts and data are concatenated in one array of bytes. No event needs a separate allocation, and an
/// emptied tape keeps its memory. `TapeSink` is the sink that writes to a tape.
struct EventTape {
  enum Kind: UInt8 {
    case null, boolean, integer, real, single, number, string, data, date, uid, reference
    case key, beginKey, endKey
    case beginArray, endArray, beginSet, endSet, beginDictionary, endDictionary, beginObject, endObject
  }

  /// An object of a class.
  private struct Object {
    let type: ObjectClass
    let identity: Int?
    /// The index of the object's end.
    var end = 0
  }

  private var entries: [Entry] = []
  /// The payloads that do not fit in an entry: a number of 64 bits, the halves of an integer, or the offset and the length of a text.
  private var words: [UInt64] = []
  /// The source locations of the events, if the tape has a locator.
  private var locations = RecordedLocations()
  private var bytes: [UInt8] = []
  private var objects: [Object] = []
  private var open: [Int] = []
  /// The locator of the reader, or nil if source locations are not stored.
  private let locator: SourceLocator?
  /// True if there is a reference to an object.
  private(set) var hasReferences = false

  init(locator: SourceLocator? = nil) { self.locator = locator }

  /// The number of events.
  var count: Int { entries.count }
  /// The index after the last event.
  var end: TapeIndex { TapeIndex(count) }
  /// The approximate cost of the events, as compared with a budget.
  var weight: Int { bytes.count + Budget.valueCost * entries.count }
  /// True if there is an object of a class.
  var hasObjects: Bool { !objects.isEmpty }
  /// True if no collection or object is open.
  var isBalanced: Bool { open.isEmpty }

  /// Removes all events but keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    locations.removeAll()
    bytes.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    hasReferences = false
  }

  // MARK: Recording

  /// Appends an event that neither begins nor ends a collection.
  @inline(__always)
  mutating func add(_ kind: Kind, _ payload: UInt64 = 0) {
    guard payload >> Entry.payloadBits != 0 else { return append(Entry(kind, payload)) }
    append(Entry(kind, UInt64(words.count), isInWords: true))
    words.append(payload)
  }

  /// Appends an integer.
  @inline(__always)
  mutating func add(integer value: Int128) {
    if let value = Int64(exactly: value), Entry.signed(value) == value {
      return append(Entry(.integer, UInt64(bitPattern: value)))
    }
    add(.integer, words: UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64))
  }

  @inline(__always)
  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    if let locator { locations.append(locator.location) }
  }

  private mutating func add(_ kind: Kind, words first: UInt64, _ second: UInt64) {
    append(Entry(kind, UInt64(words.count), isInWords: true))
    words.append(first)
    words.append(second)
  }

  @inline(__always)
  mutating func add(_ kind: Kind, _ text: borrowing BorrowedText) {
    append(
      Entry(
        entry(kind, length: text.utf8.count), isASCII: text.isASCII, hasSurrogates: text.hasSurrogates))
    bytes.append(copying: text.utf8)
  }

  mutating func add(data: Span<UInt8>) {
    append(entry(.data, length: data.count))
    bytes.append(copying: data)
  }

  /// Returns the entry for the bytes that follow.
  @inline(__always)
  private mutating func entry(_ kind: Kind, length: Int) -> Entry {
    if let payload = Entry.payload(offset: bytes.count, length: length) { return Entry(kind, payload) }
    words.append(UInt64(bytes.count))
    words.append(UInt64(length))
    return Entry(kind, UInt64(words.count - 2), isInWords: true)
  }

  /// Appends the events of a batch.
  mutating func append(_ events: borrowing EventBatch) throws(EventFailure) {
    for index in 0..<events.count {
      do throws(FerryError) { try append(events, index) } catch {
        throw EventFailure(error: error, index: index)
      }
    }
  }

  @inline(__always)
  private mutating func append(_ events: borrowing EventBatch, _ index: Int) throws(FerryError) {
    switch events.kind(index) {
    case .null: add(.null)
    case .boolean: add(.boolean, events.boolean(index) ? 1 : 0)
    case .integer: add(integer: events.integer(index))
    case .real: add(.real, events.real(index).bitPattern)
    case .number: add(.number, events.text(index))
    case .string: add(.string, events.text(index))
    case .key: add(.key, events.text(index))
    case .beginArray: begin(.beginArray)
    case .endArray: try end(.endArray, of: .beginArray)
    case .beginDictionary: begin(.beginDictionary)
    case .endDictionary: try end(.endDictionary, of: .beginDictionary)
    }
  }

  mutating func add(reference identity: Int) {
    hasReferences = true
    add(.reference, UInt64(bitPattern: Int64(identity)))
  }

  mutating func begin(_ kind: Kind) {
    open.append(entries.count)
    add(kind)
  }

  mutating func beginObject(_ type: ObjectClass, identity: Int?) {
    open.append(entries.count)
    append(Entry(.beginObject, UInt64(objects.count)))
    objects.append(Object(type: type, identity: identity))
  }

  /// Appends the end of a collection or object. After an error, the tape is as before.
  mutating func end(_ kind: Kind, of beginning: Kind) throws(FerryError) {
    guard let start = open.last, entries[start].kind == beginning else {
      throw FerryError(.cannotHold(.misplaced("the end of a collection")))
    }
    open.removeLast()
    if beginning == .beginObject {
      objects[entries[start].index].end = entries.count
    } else {
      entries[start] = Entry(beginning, UInt64(entries.count))
    }
    add(kind)
  }

  // MARK: Reading

  /// Returns the kind of the event at a tape index.
  func kind(at index: TapeIndex) -> Kind { entries[index.index].kind }

  /// Returns the source location of the event at a tape index. It is empty if the tape has no locator.
  func location(at index: TapeIndex) -> InputLocation { locations[index.index] }

  /// Returns the index after the value or key that begins at a tape index.
  func next(after index: TapeIndex) -> TapeIndex {
    let entry = entries[index.index]
    return switch entry.kind {
    case .beginArray, .beginSet, .beginDictionary, .beginKey: TapeIndex(entry.index + 1)
    case .beginObject: TapeIndex(objects[entry.index].end + 1)
    default: index + 1
    }
  }

  /// Returns the payload of a scalar, unless it is an integer or a text.
  @inline(__always)
  private func bits(of entry: Entry) -> UInt64 { entry.isInWords ? words[entry.index] : entry.payload }

  @inline(__always)
  private func integer(of entry: Entry) -> Int128 {
    guard entry.isInWords else { return Int128(entry.signedPayload) }
    return Int128(Int64(bitPattern: words[entry.index + 1])) << 64 | Int128(words[entry.index])
  }

  /// Returns the byte range of a text or data.
  @inline(__always)
  private func range(of entry: Entry) -> Range<Int> {
    guard entry.isInWords else { return entry.range }
    let start = Int(words[entry.index])
    return start..<start + Int(words[entry.index + 1])
  }

  /// Returns the text of an event, borrowed from the bytes of the tape.
  @_lifetime(copy bytes)
  @inline(__always)
  private func text(of entry: Entry, in bytes: Span<UInt8>) -> BorrowedText {
    BorrowedText(
      checked: bytes.extracting(range(of: entry)), isASCII: entry.isASCII, hasSurrogates: entry.hasSurrogates)
  }

  func boolean(at index: TapeIndex) -> Bool { entries[index.index].payload != 0 }
  func integer(at index: TapeIndex) -> Int128 { integer(of: entries[index.index]) }
  /// Returns the number of a real or the seconds of a date.
  func real(at index: TapeIndex) -> Double { Double(bitPattern: bits(of: entries[index.index])) }
  func single(at index: TapeIndex) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: entries[index.index].payload))
  }
  func uid(at index: TapeIndex) -> UInt64 { bits(of: entries[index.index]) }
  /// Returns the identity that a reference refers to.
  func reference(at index: TapeIndex) -> Int { Int(truncatingIfNeeded: bits(of: entries[index.index])) }
  /// Returns the identity of an object, or nil if it has none.
  func identity(at index: TapeIndex) -> Int? { objects[entries[index.index].index].identity }
  /// Returns the class of an object.
  func type(at index: TapeIndex) -> ObjectClass { objects[entries[index.index].index].type }

  /// Returns the text of a string, number or key.
  @_lifetime(borrow self)
  func text(at index: TapeIndex) -> BorrowedText { text(of: entries[index.index], in: bytes.span) }

  /// Returns the bytes of a data value.
  @_lifetime(borrow self)
  func data(at index: TapeIndex) -> Span<UInt8> {
    bytes.span.extracting(range(of: entries[index.index]))
  }

  /// Returns a copy of the text of a string, number or key.
  func string(at index: TapeIndex) -> String { String(text(at: index)) }

  // MARK: Comparing

  /// Returns true if the values at two tape indices are equal, event by event.
  func equalValues(at a: TapeIndex, _ b: TapeIndex) -> Bool {
    let count = a.distance(to: next(after: a))
    guard b.distance(to: next(after: b)) == count else { return false }
    for offset in 0..<count {
      guard areEqual(a.index + offset, b.index + offset, offset: a.distance(to: b), bytes.span) else {
        return false
      }
    }
    return true
  }

  /// Returns true if the texts at two tape indices are equal.
  func areEqualTexts(at a: TapeIndex, _ b: TapeIndex) -> Bool {
    let (bytes, first, second) = (bytes.span, entries[a.index], entries[b.index])
    return first.isASCII == second.isASCII
      && bytes.extracting(range(of: first)).equals(bytes.extracting(range(of: second)))
  }

  private func areEqual(_ a: Int, _ b: Int, offset: Int, _ bytes: Span<UInt8>) -> Bool {
    let (first, second) = (entries[a], entries[b])
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .string, .key, .number, .data:
      return bytes.extracting(range(of: first)).equals(bytes.extracting(range(of: second)))
    case .beginObject:
      let (one, other) = (objects[first.index], objects[second.index])
      return one.type == other.type && one.identity == other.identity && one.end + offset == other.end
    case .beginArray, .beginSet, .beginDictionary, .beginKey: return first.index + offset == second.index
    case .integer: return integer(of: first) == integer(of: second)
    default: return bits(of: first) == bits(of: second)
    }
  }

  /// Returns a hash of the value at a tape index.
  func digest(ofValueAt index: TapeIndex) -> Int {
    var hasher = Hasher()
    let all = bytes.span
    for entryIndex in index.index..<next(after: index).index {
      let entry = entries[entryIndex]
      hasher.combine(entry.kind)
      switch entry.kind {
      case .string, .key, .number, .data: for byte in range(of: entry) { hasher.combine(all[byte]) }
      case .beginArray, .beginSet, .beginDictionary, .beginKey, .beginObject: break
      case .integer: hasher.combine(integer(of: entry))
      default: hasher.combine(bits(of: entry))
      }
    }
    return hasher.finalize()
  }

  // MARK: Replaying

  /// Sends all events to a sink.
  func replay(into sink: any ValueSink) throws(FerryError) { try replay(0..<count, into: sink) }

  /// Sends the value or key at a tape index to a sink.
  func replay(valueAt index: TapeIndex, into sink: any ValueSink) throws(FerryError) {
    try replay(index.index..<next(after: index).index, into: sink)
  }

  /// Returns the value or key at a tape index.
  func value(at index: TapeIndex) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try replay(valueAt: index, into: builder)
    return try builder.result()
  }

  /// Sends the value or key at a tape index to a sink, and its source locations to a locator.
  func replay(valueAt index: TapeIndex, into sink: any ValueSink, locatedBy locator: SourceLocator?)
    throws(FerryError)
  {
    guard let locator, locations.count > 0 else { return try replay(valueAt: index, into: sink) }
    for event in index..<next(after: index) {
      locator.move(toRecorded: location(at: event))
      try replay(eventAt: event, into: sink)
    }
  }

  /// Sends the event at a tape index to a sink.
  func replay(eventAt index: TapeIndex, into sink: any ValueSink) throws(FerryError) {
    try replay(index.index..<index.index + 1, into: sink)
  }

  /// Sends the value at a tape index to a sink. If the sink refuses a part of the value, the error gets the path of the part in the value.
  func replayWithPaths(valueAt index: TapeIndex, into sink: any ValueSink) throws(FerryError) {
    var event = index.index
    do throws(FerryError) { try replay(from: &event, to: next(after: index).index, into: sink) } catch {
      throw error.placed(path: path(to: TapeIndex(event), in: index))
    }
  }

  private func replay(_ range: Range<Int>, into sink: any ValueSink) throws(FerryError) {
    var event = range.lowerBound
    try replay(from: &event, to: range.upperBound, into: sink)
  }

  /// Sends the events up to an index to a sink. After an error, `index` is that of the event that the sink has refused.
  private func replay(from index: inout Int, to end: Int, into sink: any ValueSink) throws(FerryError) {
    let all = bytes.span
    while index < end {
      let entry = entries[index]
      switch entry.kind {
      case .null: try sink.null()
      case .boolean: try sink.boolean(entry.payload != 0)
      case .integer: try sink.integer(integer(of: entry))
      case .real: try sink.real(Double(bitPattern: bits(of: entry)))
      case .single: try sink.single(Float(bitPattern: UInt32(truncatingIfNeeded: entry.payload)))
      case .date: try sink.date(Double(bitPattern: bits(of: entry)))
      case .uid: try sink.uid(bits(of: entry))
      case .reference: try sink.reference(Int(truncatingIfNeeded: bits(of: entry)))
      case .number: try sink.number(text(of: entry, in: all))
      case .string: try sink.string(text(of: entry, in: all))
      case .key: try sink.key(text(of: entry, in: all))
      case .data: try sink.data(all.extracting(range(of: entry)))
      case .beginKey: try sink.beginKey()
      case .endKey: try sink.endKey()
      case .beginArray: try sink.beginArray(count: nil)
      case .endArray: try sink.endArray()
      case .beginSet: try sink.beginSet(count: nil)
      case .endSet: try sink.endSet()
      case .beginDictionary: try sink.beginDictionary(count: nil)
      case .endDictionary: try sink.endDictionary()
      case .beginObject:
        try sink.beginObject(type(at: TapeIndex(index)), identity: identity(at: TapeIndex(index)))
      case .endObject: try sink.endObject()
      }
      index += 1
    }
  }
}
