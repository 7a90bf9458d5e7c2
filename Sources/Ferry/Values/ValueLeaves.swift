/// The leaves of a value with their paths, in the order of the value: all parts that contain no others.
///
///     let value: Value = ["name": "Ada", "tags": ["math", "poetry"], "born": [:]]
///     for (path, leaf) in value.leaves { print(path, leaf) }
///     // name "Ada"
///     // tags[0] "math"
///     // tags[1] "poetry"
///     // born {}
public struct ValueLeaves: Sequence, Sendable {
  public typealias Element = (path: ValuePath, value: Value)

  fileprivate let root: Value

  public func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator over leaves. Its memory grows with the depth of the value, and not with the number of leaves.
  public struct Iterator: IteratorProtocol {
    /// A collection in which the next leaf is.
    private struct Level {
      let keys: [Value]?
      let values: [Value]
      var next = 0
    }

    private var levels: [Level] = []
    private var steps: [ValuePath.Step] = []
    /// The root before the first leaf.
    private var root: Value?

    fileprivate init(_ root: Value) { self.root = root }

    /// Returns the next leaf, or nil after the last one.
    public mutating func next() -> Element? {
      if let value = root.take(), !enter(value) { return (ValuePath(), value) }
      while let level = levels.last {
        guard level.next < level.values.count else {
          levels.removeLast()
          if !steps.isEmpty { steps.removeLast() }
          continue
        }
        levels[levels.count - 1].next += 1
        let value = level.values[level.next]
        steps.append(level.keys.map { .key(Self.text(of: $0[level.next])) } ?? .index(level.next))
        if enter(value) { continue }
        defer { steps.removeLast() }
        return (ValuePath(steps), value)
      }
      return nil
    }

    /// Begins a collection. Returns false for a leaf.
    private mutating func enter(_ value: Value) -> Bool {
      var content = value
      while case .object(let object) = content { content = object.content }
      switch content {
      case .array(let values), .set(let values):
        guard !values.isEmpty else { return false }
        levels.append(Level(keys: nil, values: values))
      case .dictionary(let entries):
        guard entries.count > 0 else { return false }
        levels.append(Level(keys: entries.keys, values: entries.values))
      default: return false
      }
      return true
    }

    /// Returns the text of a key in a path.
    private static func text(of key: Value) -> String { key.pathText ?? key.plainText ?? key.words }
  }
}

extension Value {
  /// The leaves with their paths: scalars, references, and empty collections. The parts of an object's content have the object's path before
  /// their own, and the elements of a set are numbered in its order.
  ///
  ///     let texts = value.leaves.filter { $0.value.stringValue != nil }.map { $0.path }
  ///
  /// Keys that are not strings, which only archives have, have their texts in paths. A shared object is visited at its first place, and
  /// later ones are references.
  public var leaves: ValueLeaves { ValueLeaves(root: self) }
}
