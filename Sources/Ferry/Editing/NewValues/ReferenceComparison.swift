/// A comparison of JSON in which each reference by path means the value at the path. A reference in JSON that a user has
/// edited means the object at the path in the JSON before; that object may have other contents now.
///
///     [{"of": {"n": 1}}, {"of": {"$ref": "#/0/of"}}]     is     [{"of": {"n": 1}}, {"of": {"n": 1}}]
struct ReferenceComparison {
  /// The JSON in which the paths of references of each side begin. For edited JSON, it is the edited JSON itself, in which
  /// paths are translated, and the JSON before the edit.
  private let first: [Value], second: [Value]
  /// The paths in the edited JSON, by those before the edit. All paths that begin with none of these have not changed.
  private let newPaths: [ValuePath: ValuePath]
  /// The maximum number of values in the targets of references.
  private var left = 1 << 16
  private static let depth = 256
  /// The pairs of locations to which references have led. A pair that is compared already is the same, as far as this
  /// comparison is concerned.
  private var pairs: Set<Pair> = []
  /// The pairs in the order in which they were added.
  private var addedPairs: [Pair] = []

  /// A value, and its location: in the JSON that is compared, or in one of the documents.
  private struct Side {
    var value: Value
    var location = Location()
    /// True if a reference has led here.
    var isTarget = false

    func part(_ value: Value, _ step: ValuePath.Step) -> Side {
      Side(value: value, location: Location(document: location.document, steps: location.steps + [step]))
    }
  }

  private struct Location: Hashable {
    var document: Int?
    var steps: [ValuePath.Step] = []
  }

  private struct Pair: Hashable {
    var first: Location
    var second: Location
  }

  /// Returns true if JSON has the same values as edited JSON, whose references begin in the JSON before the edit. The
  /// order of keys does not matter, because an archiver orders them. Returns false if a reference names an object by its
  /// number or has no target, unless the JSON is equal.
  ///
  /// - Parameter newPaths: The paths in the edited JSON of values that were at other paths before.
  static func areSame(
    _ json: Value, _ edited: Value, before: Value, newPaths: [ValuePath: ValuePath]
  ) -> Bool {
    if json == edited { return true }
    var comparison = ReferenceComparison(first: [json], second: [edited, before], newPaths: newPaths)
    return comparison.areSame(Side(value: json), Side(value: edited), depth: 0)
  }

  private mutating func areSame(_ a: Side, _ b: Side, depth: Int) -> Bool {
    guard depth < Self.depth else { return false }
    for first in resolved(a, in: first) {
      for second in resolved(b, in: second) {
        let known = addedPairs.count
        if haveSameParts(first, second, depth: depth) { return true }
        while addedPairs.count > known { pairs.remove(addedPairs.removeLast()) }
      }
    }
    return false
  }

  private mutating func haveSameParts(_ a: Side, _ b: Side, depth: Int) -> Bool {
    if a.isTarget || b.isTarget {
      left -= 1
      guard left > 0 else { return false }
      let pair = Pair(first: a.location, second: b.location)
      guard pairs.insert(pair).inserted else { return true }
      addedPairs.append(pair)
    }
    switch (a.value, b.value) {
    case (.array(let elements), .array(let others)):
      guard elements.count == others.count else { return false }
      for (index, (element, other)) in zip(elements, others).enumerated() {
        let step = ValuePath.Step.index(index)
        guard areSame(a.part(element, step), b.part(other, step), depth: depth + 1) else { return false }
      }
      return true
    case (.dictionary(let entries), .dictionary(let others)):
      guard entries.count == others.count else { return false }
      for (key, entry) in entries {
        guard case .string(let name) = key, let other = others[key],
          areSame(a.part(entry, .key(name)), b.part(other, .key(name)), depth: depth + 1)
        else { return false }
      }
      return true
    case (let value, let other): return value.sameInJSON == other.sameInJSON
    }
  }

  /// Returns the values that a reference may mean, or the value itself. Returns none if a reference has no target.
  private func resolved(_ side: Side, in documents: [Value]) -> [Side] {
    guard let pointer = side.value.pointer, let path = try? ValuePath(parsing: pointer.string) else {
      return [side]
    }
    let targets = documents.indices.map { index in
      let isEdited = documents.count > 1 && index == 0
      return Self.target(
        of: isEdited ? newPath(of: path) : path,
        in: Side(value: documents[index], location: Location(document: index)))
    }
    return targets.compactMap { $0 }.filter { $0.value.pointer == nil }
  }

  /// Returns the path in the edited JSON of the value that was at a path before.
  private func newPath(of path: ValuePath) -> ValuePath {
    // A pointer has the indices of elements as keys.
    let steps = Self.target(of: path, in: Side(value: second.last ?? .null))?.location.steps ?? path.steps
    for count in steps.indices.reversed() {
      guard let moved = newPaths[ValuePath(Array(steps[...count]))] else { continue }
      return ValuePath(moved.steps + steps[(count + 1)...])
    }
    return ValuePath(steps)
  }

  private static func target(of path: ValuePath, in document: Side) -> Side? {
    var target = document
    for step in path.steps {
      switch (target.value, step) {
      case (.dictionary(let entries), .key(let key)):
        guard let value = entries[key] else { return nil }
        target = target.part(value, step)
      case (.array(let elements), _):
        guard let index = step.indexInList, elements.indices.contains(index) else { return nil }
        target = target.part(elements[index], .index(index))
      default: return nil
      }
    }
    target.isTarget = true
    return target
  }
}
