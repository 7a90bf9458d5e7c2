/// Knows, at the price of a copied key, where in a value a stream of events is.
struct PathTracker {
  private struct Level {
    var isList: Bool
    /// The element that is being received, or comes next.
    var index = 0
    /// Where the current key's bytes begin.
    var keyStart: Int
    /// Whether there is a current key, be it an empty one.
    var hasKey = false
  }

  private var levels: [Level] = []
  private var keys: [UInt8] = []

  /// An array or set begins.
  mutating func beginList() { levels.append(Level(isList: true, keyStart: keys.count)) }

  /// A dictionary begins.
  mutating func beginDictionary() { levels.append(Level(isList: false, keyStart: keys.count)) }

  /// The collection begun last ends, and is a value of the one around it.
  mutating func end() {
    if let level = levels.popLast() { keys.removeLast(keys.count - level.keyStart) }
    finishValue()
  }

  /// A dictionary's next value has this key.
  mutating func key(_ text: Span<UInt8>) {
    guard let level = levels.last else { return }
    levels[levels.count - 1].hasKey = true
    keys.removeLast(keys.count - level.keyStart)
    keys.append(copying: text)
  }

  /// A scalar has been received.
  mutating func finishValue() {
    guard !levels.isEmpty, levels[levels.count - 1].isList else { return }
    levels[levels.count - 1].index += 1
  }

  /// The place of the value that is being received, or of the one that comes next.
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

  /// The place as a JSON Pointer (RFC 6901) in a fragment: `#/people/3`.
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
