/// The keys of all open dictionaries, for detecting repeated keys.
///
/// Dictionaries open and close like brackets, so all data is stored on stacks: the bytes of the keys, an
/// entry for each key, and a hash table for each dictionary with more than a few keys. When a dictionary
/// ends, the stacks are truncated to the size that they had at its beginning. Nothing is allocated once the
/// stacks have reached the size that the input needs.
///
/// Records mostly have the keys of the record before them. The keys of the last dictionary at each depth are therefore kept,
/// and a dictionary that begins with the same ones, which are different from each other, has no entries.
///
///     {"a": {"b": 1, "c": …      bytes  a|bc      entries  a|b c      objects  ↑0 ↑1
///
/// The hash is seeded, so no input can provoke collisions.
struct OpenKeys {
  private struct Entry {
    var hash: UInt64
    var bytes: Range<Int>
    /// True if a repetition of the key has been reported.
    var isRepeated = false
  }
  private struct Object {
    var firstByte: Int
    var firstEntry: Int
    var firstSlot: Int
    /// The index of the current entry.
    var current: Int
    /// The number of keys so far if they are those of the last dictionary at this depth, which have no entries; otherwise nil.
    var expected: Int?
  }

  /// The events of a dictionary in a batch that were its expected keys and their values, from its first key on.
  private struct KeyRun {
    let depth: Int
    let events: Range<Int>

    /// Returns the index of the event of this run that has the position of an event in a run that starts at another index.
    @inline(__always)
    func counterpart(of index: Int, from start: Int) -> Int? {
      let counterpart = index &- start &+ events.lowerBound
      return counterpart < events.upperBound ? counterpart : nil
    }
  }

  private var objects: [Object] = []
  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  /// The hash tables, that of the innermost dictionary last. A slot is the index of an entry plus one, or 0.
  /// The size of a table is a power of two, and at least twice the number of its entries.
  private var slots: [Int] = []
  private static let fewKeys = 12
  /// The keys of the last dictionaries: for each depth the range in `shapeKeys`, and for each key the range in `shapeBytes`.
  private var shapes: [Range<Int>] = []
  private var shapeKeys: [Range<Int>] = []
  private var shapeBytes: [UInt8] = []
  /// The largest number of keys, and their size, that are kept of a dictionary that has ended.
  private static let mostShapeKeys = 64
  private static let mostShapeBytes = 4096

  /// Begins a dictionary.
  mutating func open() {
    if shapes.count == objects.count { shapes.append(shapeKeys.count..<shapeKeys.count) }
    objects.append(
      Object(
        firstByte: bytes.count, firstEntry: entries.count, firstSlot: slots.count, current: entries.count,
        expected: 0))
  }

  /// Ends the innermost dictionary.
  mutating func close() {
    guard let object = objects.popLast() else { return }
    guard object.expected == nil else { return }
    keepShape(of: object)
    bytes.removeLast(bytes.count - object.firstByte)
    entries.removeLast(entries.count - object.firstEntry)
    slots.removeLast(slots.count - object.firstSlot)
  }

  /// Adds a key of the innermost dictionary. Returns true if the key is repeated for the first time.
  mutating func insert(_ key: Span<UInt8>) -> Bool {
    guard let last = objects.indices.last else { return false }
    if let expected = objects[last].expected {
      if isKey(expected, ofShape: last, key) {
        objects[last].expected = expected + 1
        return false
      }
      addExpected(expected, ofShape: last)
    }
    return insertEntry(key)
  }

  /// Returns true if a key is the one with a number in a shape.
  private func isKey(_ number: Int, ofShape shape: Int, _ key: Span<UInt8>) -> Bool {
    let index = shapes[shape].lowerBound + number
    return index < shapes[shape].upperBound && shapeBytes.span.extracting(shapeKeys[index]).equals(key)
  }

  /// Adds the first keys of a shape as entries, because another key follows them.
  private mutating func addExpected(_ count: Int, ofShape shape: Int) {
    objects[shape].expected = nil
    let (first, bytes) = (shapes[shape].lowerBound, shapeBytes)
    for key in first..<first + count { _ = insertEntry(bytes.span.extracting(shapeKeys[key])) }
  }

  /// Keeps the keys of the innermost dictionary, which ends. Those at greater depths are forgotten.
  private mutating func keepShape(of object: Object) {
    let depth = objects.count
    let first = shapes[depth].lowerBound
    shapes.removeLast(shapes.count - depth)
    shapeKeys.removeLast(shapeKeys.count - first)
    shapeBytes.removeLast(shapeBytes.count - (shapeKeys.last?.upperBound ?? 0))
    if entries.count - object.firstEntry <= Self.mostShapeKeys,
      bytes.count - object.firstByte <= Self.mostShapeBytes
    {
      let shift = shapeBytes.count - object.firstByte
      shapeBytes.append(contentsOf: bytes[object.firstByte...])
      for entry in entries[object.firstEntry...] {
        shapeKeys.append(entry.bytes.lowerBound + shift..<entry.bytes.upperBound + shift)
      }
    }
    shapes.append(first..<shapeKeys.count)
  }

  private mutating func insertEntry(_ key: Span<UInt8>) -> Bool {
    guard let object = objects.last else { return false }
    let hash = key.hashOfBytes
    let (known, slot) = find(key, hash: hash, in: object)
    if let known {
      objects[objects.count - 1].current = known
      defer { entries[known].isRepeated = true }
      return !entries[known].isRepeated
    }
    objects[objects.count - 1].current = entries.count
    let start = bytes.count
    bytes.append(copying: key)
    entries.append(Entry(hash: hash, bytes: start..<bytes.count))
    if let slot { slots[slot] = entries.count }
    let count = entries.count - object.firstEntry
    if count > Self.fewKeys, count * 2 > slots.count - object.firstSlot {
      rehash(object, slotCount: count * 4)
    }
    return false
  }

  /// Adds the keys of a batch. Returns the indices of those that are repeated for the first time.
  mutating func receive(_ events: borrowing EventBatch) -> [Int] {
    var repeated: [Int] = []
    var earlier: KeyRun?
    var index = 0
    while index < events.count {
      switch events.kind(index) {
      case .key:
        let next = takeExpected(events, from: index, &earlier)
        guard next == index else {
          index = next
          continue
        }
        earlier = nil
        if insert(events.text(index).utf8) { repeated.append(index) }
      case .beginDictionary: open()
      case .endDictionary: close()
      case .null, .boolean, .integer, .real, .number, .string, .beginArray, .endArray: break
      }
      index += 1
    }
    return repeated
  }

  /// Adds the keys of a batch from an index on as long as they are those of the last dictionary at this depth, and have scalars as
  /// values. Returns the index of the next event.
  ///
  /// - Parameter earlier: The last dictionary of the batch whose keys were expected. A key with the bytes of its key needs no comparison.
  private mutating func takeExpected(
    _ events: borrowing EventBatch, from start: Int, _ earlier: inout KeyRun?
  ) -> Int {
    guard let last = objects.indices.last, var expected = objects[last].expected else { return start }
    let isFirst = expected == 0
    let known = isFirst && earlier?.depth == last ? earlier : nil
    let shape = shapes[last]
    let (shapeKeys, shapeBytes) = (shapeKeys, shapeBytes)
    let (keys, bytes) = (shapeKeys.span, shapeBytes.span)
    var index = start
    while index < events.count {
      let kind = events.kind(index)
      if kind == .key {
        let number = shape.lowerBound + expected
        guard number < shape.upperBound else { break }
        let isKnown =
          known?.counterpart(of: index, from: start).map { events.haveSameText(index, $0) } ?? false
        guard isKnown || bytes.extracting(keys[number]).equals(events.text(index).utf8) else { break }
        expected += 1
      } else if !kind.isScalar {
        break
      }
      index += 1
    }
    objects[last].expected = expected
    if isFirst { earlier = KeyRun(depth: last, events: start..<index) }
    return index
  }

  /// Returns the path of the current entry.
  ///
  /// - Parameter containers: The open containers: -1 for a dictionary, or the index of the current element of
  ///   an array.
  func path(in containers: [Int]) -> ValuePath {
    var path = ValuePath()
    var depth = 0
    for container in containers {
      if container >= 0 {
        path.steps.append(.index(container))
      } else {
        if let key = currentKey(at: depth) { path.steps.append(.key(String(escapingSurrogatesOf: key))) }
        depth += 1
      }
    }
    return path
  }

  /// Returns the current key of the dictionary at a depth, or nil if it has no key yet.
  private func currentKey(at depth: Int) -> ArraySlice<UInt8>? {
    guard depth < objects.count else { return nil }
    let object = objects[depth]
    if let expected = object.expected {
      return expected == 0 ? nil : shapeBytes[shapeKeys[shapes[depth].lowerBound + expected - 1]]
    }
    return object.current < entries.count ? bytes[entries[object.current].bytes] : nil
  }

  /// Returns the entry of a key, or the empty slot for it in the hash table.
  private func find(_ key: Span<UInt8>, hash: UInt64, in object: Object) -> (entry: Int?, slot: Int?) {
    let size = slots.count - object.firstSlot
    guard size > 0 else {
      for index in object.firstEntry..<entries.count where isEntry(index, key, hash: hash) {
        return (index, nil)
      }
      return (nil, nil)
    }
    var slot = Int(truncatingIfNeeded: hash) & (size - 1)
    while true {
      let index = slots[object.firstSlot + slot] - 1
      if index < 0 { return (nil, object.firstSlot + slot) }
      if isEntry(index, key, hash: hash) { return (index, nil) }
      slot = (slot + 1) & (size - 1)
    }
  }

  @inline(__always)
  private func isEntry(_ index: Int, _ key: Span<UInt8>, hash: UInt64) -> Bool {
    let entry = entries[index]
    return entry.hash == hash && bytes.span.extracting(entry.bytes).equals(key)
  }

  private mutating func rehash(_ object: Object, slotCount wanted: Int) {
    var size = 32
    while size < wanted { size *= 2 }
    slots.removeLast(slots.count - object.firstSlot)
    slots.append(contentsOf: repeatElement(0, count: size))
    for index in object.firstEntry..<entries.count {
      var slot = Int(truncatingIfNeeded: entries[index].hash) & (size - 1)
      while slots[object.firstSlot + slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[object.firstSlot + slot] = index + 1
    }
  }
}
