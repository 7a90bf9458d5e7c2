/// A tracker of the path in a stream of events. It costs a copy of each key.
struct PathTracker {
  private struct Level {
    var isList: Bool
    /// The index of the current or next element.
    var index = 0
    /// The offset of the current key's bytes.
    var keyStart: Int
    /// True if there is a current key, even an empty one.
    var hasKey = false
  }

  private var levels: [Level] = []
  private var keys: [UInt8] = []

  /// Begins an array or set.
  mutating func beginList() { levels.append(Level(isList: true, keyStart: keys.count)) }

  /// Begins a dictionary.
  mutating func beginDictionary() { levels.append(Level(isList: false, keyStart: keys.count)) }

  /// Ends the innermost collection, which is itself a value of the enclosing one.
  mutating func end() {
    if let level = levels.popLast() { keys.removeLast(keys.count - level.keyStart) }
    finishValue()
  }

  /// Sets the key of a dictionary's next value.
  mutating func key(_ text: Span<UInt8>) {
    guard let level = levels.last else { return }
    levels[levels.count - 1].hasKey = true
    keys.removeLast(keys.count - level.keyStart)
    keys.append(copying: text)
  }

  /// Ends a value.
  mutating func finishValue() {
    guard !levels.isEmpty, levels[levels.count - 1].isList else { return }
    levels[levels.count - 1].index += 1
  }

  /// The path of the current or next value.
  var path: ValuePath {
    var steps: [ValuePath.Step] = []
    for (index, level) in levels.enumerated() {
      let keyEnd = index + 1 < levels.count ? levels[index + 1].keyStart : keys.count
      if level.isList {
        steps.append(.index(level.index))
      } else if level.hasKey {
        steps.append(.key(String(decoding: keys[level.keyStart..<keyEnd], as: UTF8.self)))
      }
    }
    return ValuePath(steps)
  }

  /// The path as a JSON Pointer (RFC 6901) in a fragment: `#/people/3`.
  var pointer: String {
    path.steps.reduce(into: "#") { pointer, step in
      switch step {
      case .index(let index): pointer += "/\(index)"
      case .slice, .element, .end: break
      case .key(let key):
        pointer += "/" + String(key.flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : "\($0)" })
      }
    }
  }
}
