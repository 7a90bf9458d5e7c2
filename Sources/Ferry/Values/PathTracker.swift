/// A tracker of the current path in a stream of events. It copies each key.
struct PathTracker {
  private struct Level {
    var isList: Bool
    /// True if there is a current key, which may be empty.
    var hasKey = false
    /// The index of the current or next element.
    var index = 0
    /// The offset of the current key's bytes.
    var keyStart: Int
    /// The index in a batch of the current key if its bytes are not copied yet, otherwise nil.
    var keyEvent: Int?
    /// The step of the current key or index in `ObjectPointers`, if it was added there.
    var step: Int?
  }

  /// The changes by the events of a batch, which are found from the last event back, so that the events in collections that end in the batch
  /// need no levels.
  private struct Changes {
    /// The number of collections that began before the batch and end in it.
    var endedCount = 0
    /// The changes of the innermost level, then of the one around it, and so on: the number of values that have finished, which counts in a
    /// list, and the index of the last key, or -1.
    var finishedValues = 0
    var key = -1
    /// The index of the last event that ends a collection in the level, or -1.
    var lastEnd = -1
    /// The levels that begin in the batch and are open at its end, the innermost first.
    var begun: [Level] = []

    /// Notes the events before an index.
    mutating func receive(_ events: borrowing EventBatch, upTo end: Int) {
      var index = end
      while index > 0 {
        index &-= 1
        let kind = events.kind(index)
        switch kind {
        case .endArray, .endDictionary:
          finishedValues &+= 1
          if lastEnd < 0 { lastEnd = index }
          endedCount = 1
          passEnded(events, before: &index)
        case .beginArray, .beginDictionary: begin(isList: kind == .beginArray)
        case .key: if key < 0 { key = index }
        case .null, .boolean, .integer, .real, .number, .string: finishedValues &+= 1
        }
      }
    }

    /// Passes the events of the collections that end, back to the beginning of the outermost one.
    private mutating func passEnded(_ events: borrowing EventBatch, before index: inout Int) {
      while endedCount > 0, index > 0 {
        index &-= 1
        switch events.kind(index) {
        case .endArray, .endDictionary: endedCount &+= 1
        case .beginArray, .beginDictionary: endedCount &-= 1
        case .null, .boolean, .integer, .real, .number, .string, .key: break
        }
      }
    }

    /// Notes the beginning of the level whose changes were found, and continues with the level around it.
    private mutating func begin(isList: Bool) {
      begun.append(
        Level(
          isList: isList, hasKey: key >= 0, index: isList ? finishedValues : 0, keyStart: 0,
          keyEvent: key >= 0 ? key : nil))
      (finishedValues, key, lastEnd) = (0, -1, -1)
    }
  }

  private var levels: [Level] = []
  private var keys: [UInt8] = []
  /// The number of elements in the outermost list that has ended.
  private(set) var outermostCount = 0

  /// Begins an array or set.
  mutating func beginList() { levels.append(Level(isList: true, keyStart: keys.count)) }

  /// Begins a dictionary.
  mutating func beginDictionary() { levels.append(Level(isList: false, keyStart: keys.count)) }

  /// Ends the innermost collection, which is a value of the enclosing collection.
  mutating func end() {
    if let level = levels.popLast() {
      keys.removeLast(keys.count - level.keyStart)
      if levels.isEmpty { outermostCount = level.index }
    }
    finishValue()
  }

  /// Sets the key of the next value in a dictionary.
  mutating func key(_ text: Span<UInt8>) {
    guard let level = levels.last else { return }
    levels[levels.count - 1].hasKey = true
    levels[levels.count - 1].step = nil
    keys.removeLast(keys.count - level.keyStart)
    keys.append(copying: text)
  }

  /// Removes the key of the next value in a dictionary, which then has the path of the dictionary.
  mutating func removeKey() {
    guard let level = levels.last else { return }
    keys.removeLast(keys.count - level.keyStart)
    levels[levels.count - 1].hasKey = false
  }

  /// Ends a value.
  mutating func finishValue() { Self.finishValues(1, &levels) }

  /// Makes the last value the current one again, so that what follows has its path.
  mutating func returnToLastValue() {
    guard !levels.isEmpty, levels[levels.count - 1].isList else { return }
    levels[levels.count - 1].index -= 1
    levels[levels.count - 1].step = nil
  }

  private static func finishValues(_ count: Int, _ levels: inout [Level]) {
    guard count > 0, !levels.isEmpty, levels[levels.count - 1].isList else { return }
    levels[levels.count - 1].index += count
    levels[levels.count - 1].step = nil
  }

  /// Tracks the events of a batch, up to an event that was refused.
  ///
  /// Only the keys of the collections that are open at the end are copied.
  mutating func receive(_ events: borrowing EventBatch, failedAt failed: Int?) {
    var changes = Changes()
    if let failed, events.kind(failed) == .key { changes.key = failed }
    changes.receive(events, upTo: failed ?? events.count)
    let openCount = max(levels.count - changes.endedCount, 0)
    if openCount == 0, changes.lastEnd >= 0 {
      outermostCount = elementCount(ofOutermostEndingAt: changes.lastEnd, events)
    }
    if openCount < levels.count {
      keys.removeLast(keys.count - levels[openCount].keyStart)
      levels.removeLast(levels.count - openCount)
    }
    Self.finishValues(changes.finishedValues, &levels)
    if changes.key >= 0 { key(events.text(changes.key).utf8) }
    for var level in changes.begun.reversed() {
      level.keyStart = keys.count
      if let event = level.keyEvent { keys.append(copying: events.text(event).utf8) }
      level.keyEvent = nil
      levels.append(level)
    }
  }

  /// Returns the number of elements in the outermost list, before the events of a batch change the levels; 0 for a dictionary.
  ///
  /// - Parameter end: The index of the event that ends the list.
  private func elementCount(ofOutermostEndingAt end: Int, _ events: borrowing EventBatch) -> Int {
    var (count, depth) = (0, 0)
    for index in stride(from: end - 1, through: 0, by: -1) {
      switch events.kind(index) {
      case .endArray, .endDictionary:
        if depth == 0 { count += 1 }
        depth += 1
      case .beginArray where depth == 0: return count
      case .beginDictionary where depth == 0: return 0
      case .beginArray, .beginDictionary: depth -= 1
      case .key: break
      case .null, .boolean, .integer, .real, .number, .string: if depth == 0 { count += 1 }
      }
    }
    guard let outermost = levels.first, outermost.isList else { return 0 }
    return outermost.index + count
  }

  /// The number of open collections.
  var depth: Int { levels.count }

  /// The key of the current or next value if this is the one for a key in a dictionary.
  var key: String? {
    guard let level = levels.last, level.hasKey else { return nil }
    return String(escapingSurrogatesOf: keys[level.keyStart...])
  }

  /// Returns true if the current or next value has a path of keys and indices. Builds no path.
  func isAt(_ path: ValuePath) -> Bool {
    guard levels.count == path.steps.count else { return false }
    return levels.indices.allSatisfy { index in
      switch path.steps[index] {
      case .index(let number): levels[index].isList && levels[index].index == number
      case .key(let name):
        !levels[index].isList && levels[index].hasKey && hasKey(name, at: index)
      case .slice, .filter, .end: false
      }
    }
  }

  /// The path of the current or next value.
  var path: ValuePath { path(through: levels.indices) }

  /// The size of the path of the current or next value in bytes.
  var pathBytes: Int { keys.count + levels.count * Self.indexBytes }

  /// The size of an index, or of the syntax around a key, in bytes.
  private static let indexBytes = 8

  /// Returns the path of the current or next value if its text has at most `limit` bytes, and otherwise its beginning and its end, each
  /// up to half of the limit, with the number of steps between them.
  ///
  /// A key that is too long for one of the ends is cut between characters.
  func ends(ofPathUpTo limit: Int) -> (first: ValuePath, omitted: Int, last: ValuePath) {
    if let path = path(upTo: limit) { return (path, 0, ValuePath()) }
    let half = limit / 2
    let start = fitting(levels.indices, upTo: half)
    let end = fitting(levels.indices.dropFirst(start.count).reversed(), upTo: half)
    let omitted = start.count..<(levels.count - end.count)
    let first = path(through: 0..<omitted.lowerBound)
    let last = path(through: omitted.upperBound..<levels.count)
    guard !omitted.isEmpty else { return (first, 0, last) }
    let beginning = cutKey(at: omitted.lowerBound, upTo: start.rest, half: half, isEnd: false)
    let ending = cutKey(at: omitted.upperBound - 1, upTo: end.rest, half: half, isEnd: true)
    let shownCount = beginning.count + ending.count
    return (
      ValuePath(first.steps + beginning),
      // A key of which only one end is shown is omitted.
      omitted.count - (omitted.count == 1 ? shownCount / 2 : shownCount),
      ValuePath(ending + last.steps)
    )
  }

  /// Returns the path of the current or next value; nil if its text has more than `limit` bytes.
  private func path(upTo limit: Int) -> ValuePath? {
    // The text of a level has at least one byte beside that of its key, so that no text of a much longer path is made.
    guard keys.count <= limit, levels.count <= limit else { return nil }
    let path = self.path
    return path.description.utf8.count <= limit ? path : nil
  }

  /// Returns the number of the first levels in an order whose steps together have at most `limit` bytes of text, and the rest of the limit.
  private func fitting(_ indices: some Sequence<Int>, upTo limit: Int) -> (count: Int, rest: Int) {
    var (count, rest) = (0, limit)
    for index in indices {
      let bytes = textBytes(at: index, limit: limit)
      guard bytes <= rest else { break }
      (count, rest) = (count + 1, rest - bytes)
    }
    return (count, rest)
  }

  /// Returns a step with the first or the last characters of a key whose text has more than `half` bytes; none for another step.
  private func cutKey(at index: Int, upTo limit: Int, half: Int, isEnd: Bool) -> [ValuePath.Step] {
    guard textBytes(at: index, limit: half) > half, let part = keyPart(at: index, upTo: limit, isEnd: isEnd)
    else { return [] }
    return [.key(part)]
  }

  /// Returns the size of the text of a step in bytes. It is not exact for a key of more than `limit` bytes.
  private func textBytes(at index: Int, limit: Int) -> Int {
    guard !levels[index].isList else { return String(levels[index].index).utf8.count + 2 }
    guard levels[index].hasKey else { return 0 }
    let key = key(at: index)
    return key.count > limit ? key.count : Self.textBytes(ofKey: String(escapingSurrogatesOf: key))
  }

  private static func textBytes(ofKey key: String) -> Int {
    ValuePath.isPlain(key)
      ? key.utf8.count + 1 : MessageText.quoted(key, limit: .max).utf8.count + 2
  }

  /// Returns the first or the last characters of a key whose text has at most `limit` bytes; nil if there are none.
  private func keyPart(at index: Int, upTo limit: Int, isEnd: Bool) -> String? {
    guard limit > 0, !levels[index].isList else { return nil }
    let key = key(at: index)
    let start = key.prefix(limit + 1)
    let bytes =
      isEnd
      ? key.suffix(limit).drop { $0 & 0xc0 == 0x80 }
      : start[..<(start.lastIndex { $0 & 0xc0 != 0x80 } ?? start.startIndex)]
    var part = String(escapingSurrogatesOf: bytes)[...]
    // The character at the cut may be only a part of one.
    _ = isEnd ? part.popFirst() : part.popLast()
    while !part.isEmpty, Self.textBytes(ofKey: String(part)) > limit {
      let count = part.count - part.count / 16 - 1
      part = isEnd ? part.suffix(count) : part.prefix(count)
    }
    return part.isEmpty ? nil : String(part)
  }

  /// The path of the innermost collection.
  var collectionPath: ValuePath { path(through: levels.indices.dropLast()) }

  /// Returns the steps of the path of the current or next value at some nesting depths.
  private func path(through depths: Range<Int>) -> ValuePath {
    var steps: [ValuePath.Step] = []
    steps.reserveCapacity(depths.count)
    for index in depths {
      let level = levels[index]
      if level.isList {
        steps.append(.index(level.index))
      } else if level.hasKey {
        steps.append(.key(String(escapingSurrogatesOf: key(at: index))))
      }
    }
    return ValuePath(steps)
  }

  private func hasKey(_ name: String, at index: Int) -> Bool {
    let key = key(at: index)
    return key.elementsEqual(name.utf8)
      || key.contains(0xed) && String(escapingSurrogatesOf: key).equals(name)
  }

  private func key(at index: Int) -> ArraySlice<UInt8> {
    let end = index + 1 < levels.count ? levels[index + 1].keyStart : keys.count
    return keys[levels[index].keyStart..<end]
  }

  /// Returns the last step of the current path after adding its new steps to a tree.
  ///
  /// Each key and index is added once, so that the paths to all values in a chain take linear space.
  ///
  /// - Parameters:
  ///   - root: The step before the path.
  ///   - depth: The number of levels that the path goes through; nil for all.
  ///   - list: Adds an index after a step, and returns the new step.
  ///   - dictionary: Adds a key after a step, and returns the new step.
  mutating func step(
    after root: Int, through depth: Int? = nil, list: (Int, Int) -> Int,
    dictionary: (ArraySlice<UInt8>, Int) -> Int
  ) -> Int {
    let depth = depth ?? levels.count
    let known = levels[..<depth].lastIndex { $0.step != nil }
    var step = known.flatMap { levels[$0].step } ?? root
    for index in (known.map { $0 + 1 } ?? 0)..<depth {
      if levels[index].isList {
        step = list(levels[index].index, step)
      } else if levels[index].hasKey {
        step = dictionary(key(at: index), step)
      }
      levels[index].step = step
    }
    return step
  }

  /// Returns the last step of the current path, or of that of the innermost collection, after adding its new steps to a tree.
  mutating func step(after root: Int, ofCollection: Bool, adding add: (ValuePath.Step, Int) -> Int) -> Int {
    step(after: root, through: ofCollection ? max(levels.count - 1, 0) : nil) { index, step in
      add(.index(index), step)
    } dictionary: { key, step in
      add(.key(String(escapingSurrogatesOf: key)), step)
    }
  }
}
