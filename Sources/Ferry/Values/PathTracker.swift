/// A tracker of the current path in a stream of events. It copies each key.
struct PathTracker {
  private struct Level {
    var isList: Bool
    /// The index of the current or next element.
    var index = 0
    /// The offset of the current key's bytes.
    var keyStart: Int
    /// True if there is a current key, which may be empty.
    var hasKey = false
    /// The step of the current key or index in `ObjectPointers`, if it was added there.
    var step: Int?
  }

  private var levels: [Level] = []
  private var keys: [UInt8] = []

  /// Begins an array or set.
  mutating func beginList() { levels.append(Level(isList: true, keyStart: keys.count)) }

  /// Begins a dictionary.
  mutating func beginDictionary() { levels.append(Level(isList: false, keyStart: keys.count)) }

  /// Ends the innermost collection, which is a value of the enclosing collection.
  mutating func end() {
    if let level = levels.popLast() { keys.removeLast(keys.count - level.keyStart) }
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

  /// Ends a value.
  mutating func finishValue() {
    guard !levels.isEmpty, levels[levels.count - 1].isList else { return }
    levels[levels.count - 1].index += 1
    levels[levels.count - 1].step = nil
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
        steps.append(.key(String(decoding: key(at: index), as: UTF8.self)))
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
