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

    /// Ends a value of the collection.
    @inline(__always)
    mutating func finishValue() {
      guard isList else { return }
      index += 1
      step = nil
    }
  }

  /// The levels that a batch of events leaves unchanged.
  private struct UnchangedLevels {
    /// The number of levels whose keys are unchanged.
    var count: Int
    /// The offset at which their keys end.
    var keyEnd: Int

    /// Notes that the level with an index gets another key, or ends.
    @inline(__always)
    mutating func change(_ index: Int, _ level: Level) {
      if index < count { (count, keyEnd) = (index, level.keyStart) }
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
  mutating func finishValue() {
    if !levels.isEmpty { levels[levels.count - 1].finishValue() }
  }

  /// Tracks the events of a batch, up to an event that was refused.
  ///
  /// Only the keys of the collections that are open at the end are copied.
  mutating func receive(_ events: borrowing EventBatch, failedAt failed: Int?) {
    var levels: [Level] = []
    swap(&levels, &self.levels)
    var unchanged = UnchangedLevels(count: levels.count, keyEnd: keys.count)
    // Most events change the innermost level only, which is kept apart.
    var innermost = levels.popLast()
    for index in 0..<(failed ?? events.count) {
      switch events.kind(index) {
      case .key: Self.setKey(at: index, of: &innermost, levels.count, &unchanged)
      case .beginArray, .beginDictionary:
        if let innermost { levels.append(innermost) }
        innermost = Level(isList: events.kind(index) == .beginArray, keyStart: keys.count)
      case .endArray, .endDictionary:
        guard let ended = innermost else { continue }
        if levels.isEmpty { outermostCount = ended.index }
        unchanged.change(levels.count, ended)
        innermost = levels.popLast()
        innermost?.finishValue()
      case .null, .boolean, .integer, .real, .number, .string: innermost?.finishValue()
      }
    }
    if let failed, events.kind(failed) == .key {
      Self.setKey(at: failed, of: &innermost, levels.count, &unchanged)
    }
    if let innermost { levels.append(innermost) }
    keys.removeLast(keys.count - unchanged.keyEnd)
    for index in levels.indices.dropFirst(unchanged.count) {
      levels[index].keyStart = keys.count
      guard let event = levels[index].keyEvent else { continue }
      keys.append(copying: events.text(event).utf8)
      levels[index].keyEvent = nil
    }
    swap(&levels, &self.levels)
  }

  /// Sets the key of the level with an index to that of an event.
  @inline(__always)
  private static func setKey(
    at event: Int, of level: inout Level?, _ index: Int, _ unchanged: inout UnchangedLevels
  ) {
    guard let old = level else { return }
    level?.hasKey = true
    level?.step = nil
    level?.keyEvent = event
    unchanged.change(index, old)
  }

  /// The key of the current or next value if this is the one for a key in a dictionary.
  var key: String? {
    guard let level = levels.last, level.hasKey else { return nil }
    return Self.name(keys[level.keyStart...])
  }

  /// Returns the text of a key, in which unpaired surrogates have escapes.
  private static func name(_ key: ArraySlice<UInt8>) -> String {
    if let name = String(validating: key, as: UTF8.self) { return name }
    let bytes = Array(key)
    return String(
      escapingSurrogatesOf: BorrowedText(checked: bytes.span, isASCII: false, hasSurrogates: true))
  }

  /// Returns true if the current or next value has a path of keys and indices. Builds no path.
  func isAt(_ path: ValuePath) -> Bool {
    guard levels.count == path.steps.count else { return false }
    return levels.indices.allSatisfy { index in
      switch path.steps[index] {
      case .index(let number): levels[index].isList && levels[index].index == number
      case .key(let name):
        !levels[index].isList && levels[index].hasKey && key(at: index).elementsEqual(name.utf8)
      case .slice, .element, .end: false
      }
    }
  }

  /// The path of the current or next value.
  var path: ValuePath { path(through: levels.count) }

  /// The path of the innermost collection.
  var collectionPath: ValuePath { path(through: max(levels.count - 1, 0)) }

  /// Returns the path of the current or next value at a nesting depth.
  private func path(through depth: Int) -> ValuePath {
    var steps: [ValuePath.Step] = []
    for (index, level) in levels.prefix(depth).enumerated() {
      if level.isList {
        steps.append(.index(level.index))
      } else if level.hasKey {
        steps.append(.key(Self.name(key(at: index))))
      }
    }
    return ValuePath(steps)
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
  ///   - list: Adds an index after a step, and returns the new step.
  ///   - dictionary: Adds a key after a step, and returns the new step.
  mutating func step(
    after root: Int, list: (Int, Int) -> Int, dictionary: (ArraySlice<UInt8>, Int) -> Int
  ) -> Int {
    let known = levels.lastIndex { $0.step != nil }
    var step = known.flatMap { levels[$0].step } ?? root
    for index in (known.map { $0 + 1 } ?? 0)..<levels.count {
      if levels[index].isList {
        step = list(levels[index].index, step)
      } else if levels[index].hasKey {
        step = dictionary(key(at: index), step)
      }
      levels[index].step = step
    }
    return step
  }
}
