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

  private struct Entry {
    var kind: Kind
    /// For a text, true if it is ASCII. `hasSurrogates` is true if it contains unpaired surrogates.
    var isASCII = false
    var hasSurrogates = false
    /// The index of the class of an object.
    var type: UInt32 = 0
    /// Depending on the kind: the bits of a scalar, the offset of a text or data, or the identity of an
    /// object plus one.
    var payload: UInt64 = 0
    /// Depending on the kind: the upper half of an integer, the length of a text or data, or the index of the
    /// end.
    var extra: Int = 0

    /// The byte range of a text or data.
    var range: Range<Int> { Int(payload)..<Int(payload) + extra }

    var integer: Int128 { Int128(extra) << 64 | Int128(payload) }

    /// Returns the text, borrowed from the bytes of the tape.
    @_lifetime(copy bytes)
    func text(in bytes: Span<UInt8>) -> BorrowedText {
      BorrowedText(checked: bytes.extracting(range), isASCII: isASCII, hasSurrogates: hasSurrogates)
    }
  }

  /// The source location of an event in compact form.
  private struct Location {
    var line: UInt32
    var column: UInt32
    var byte: Int
    var object: Int

    init(_ location: InputLocation) {
      line = UInt32(clamping: location.line ?? 0)
      column = UInt32(clamping: location.column ?? 0)
      byte = location.byte ?? -1
      object = location.object ?? -1
    }

    var location: InputLocation {
      InputLocation(
        line: line == 0 ? nil : Int(line), column: column == 0 ? nil : Int(column),
        byte: byte < 0 ? nil : byte, object: object < 0 ? nil : object)
    }
  }

  private var entries: [Entry] = []
  /// The source locations of the events, if the tape has a locator.
  private var locations: [Location] = []
  private var bytes: [UInt8] = []
  private var classes: [ObjectClass] = []
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
  var hasObjects: Bool { !classes.isEmpty }
  /// True if no collection or object is open.
  var isBalanced: Bool { open.isEmpty }

  /// Removes all events but keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    locations.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    classes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    hasReferences = false
  }

  // MARK: Recording

  /// Appends an event that neither begins nor ends a collection.
  mutating func add(_ kind: Kind, _ payload: UInt64 = 0, _ extra: Int = 0) {
    append(Entry(kind: kind, payload: payload, extra: extra))
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    if let locator { locations.append(Location(locator.location)) }
  }

  mutating func add(_ kind: Kind, _ text: borrowing BorrowedText) {
    append(
      Entry(
        kind: kind, isASCII: text.isASCII, hasSurrogates: text.hasSurrogates, payload: UInt64(bytes.count),
        extra: text.utf8.count))
    bytes.append(copying: text.utf8)
  }

  mutating func add(data: Span<UInt8>) {
    add(.data, UInt64(bytes.count), data.count)
    bytes.append(copying: data)
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
    case .integer:
      let value = events.integer(index)
      add(.integer, UInt64(truncatingIfNeeded: value), Int(truncatingIfNeeded: value >> 64))
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
    let index = classes.lastIndex { $0 === type } ?? classes.count
    if index == classes.count { classes.append(type) }
    open.append(entries.count)
    append(
      Entry(
        kind: .beginObject, type: UInt32(index),
        payload: identity.map { UInt64(bitPattern: Int64($0)) &+ 1 } ?? 0))
  }

  /// Appends the end of a collection or object. After an error, the tape is as before.
  mutating func end(_ kind: Kind, of beginning: Kind) throws(FerryError) {
    guard let start = open.last, entries[start].kind == beginning else {
      throw FerryError(.cannotHold(.misplaced("the end of a collection")))
    }
    open.removeLast()
    entries[start].extra = entries.count
    add(kind)
  }

  // MARK: Reading

  /// Returns the kind of the event at a tape index.
  func kind(at index: TapeIndex) -> Kind { entries[index.index].kind }

  /// Returns the source location of the event at a tape index. It is empty if the tape has no locator.
  func location(at index: TapeIndex) -> InputLocation {
    locations.indices.contains(index.index) ? locations[index.index].location : InputLocation()
  }

  /// Returns the index after the value or key that begins at a tape index.
  func next(after index: TapeIndex) -> TapeIndex {
    switch entries[index.index].kind {
    case .beginArray, .beginSet, .beginDictionary, .beginObject, .beginKey:
      TapeIndex(entries[index.index].extra + 1)
    default: index + 1
    }
  }

  func boolean(at index: TapeIndex) -> Bool { entries[index.index].payload != 0 }
  func integer(at index: TapeIndex) -> Int128 { entries[index.index].integer }
  /// Returns the number of a real or the seconds of a date.
  func real(at index: TapeIndex) -> Double { Double(bitPattern: entries[index.index].payload) }
  func single(at index: TapeIndex) -> Float {
    Float(bitPattern: UInt32(truncatingIfNeeded: entries[index.index].payload))
  }
  func uid(at index: TapeIndex) -> UInt64 { entries[index.index].payload }
  /// Returns the identity that a reference refers to.
  func reference(at index: TapeIndex) -> Int { Int(truncatingIfNeeded: entries[index.index].payload) }
  /// Returns the identity of an object, or nil if it has none.
  func identity(at index: TapeIndex) -> Int? {
    entries[index.index].payload == 0
      ? nil : Int(truncatingIfNeeded: entries[index.index].payload &- 1)
  }
  /// Returns the class of an object.
  func type(at index: TapeIndex) -> ObjectClass { classes[Int(entries[index.index].type)] }

  /// Returns the text of a string, number or key.
  @_lifetime(borrow self)
  func text(at index: TapeIndex) -> BorrowedText { entries[index.index].text(in: bytes.span) }

  /// Returns the bytes of a data value.
  @_lifetime(borrow self)
  func data(at index: TapeIndex) -> Span<UInt8> { bytes.span.extracting(entries[index.index].range) }

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

  private func areEqual(_ a: Int, _ b: Int, offset: Int, _ bytes: Span<UInt8>) -> Bool {
    let (first, second) = (entries[a], entries[b])
    guard first.kind == second.kind else { return false }
    switch first.kind {
    case .string, .key, .number, .data:
      return bytes.extracting(first.range).equals(bytes.extracting(second.range))
    case .beginObject:
      return classes[Int(first.type)] == classes[Int(second.type)] && first.payload == second.payload
        && first.extra + offset == second.extra
    case .beginArray, .beginSet, .beginDictionary, .beginKey: return first.extra + offset == second.extra
    default: return first.payload == second.payload && first.extra == second.extra
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
      case .string, .key, .number, .data: for byte in entry.range { hasher.combine(all[byte]) }
      case .beginArray, .beginSet, .beginDictionary, .beginKey, .beginObject: break
      default: hasher.combine(entry.payload)
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
    guard let locator, !locations.isEmpty else { return try replay(valueAt: index, into: sink) }
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
      case .beginObject:
        try sink.beginObject(type(at: TapeIndex(index)), identity: identity(at: TapeIndex(index)))
      case .endObject: try sink.endObject()
      }
      index += 1
    }
  }
}
