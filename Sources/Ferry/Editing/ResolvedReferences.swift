/// A comparison of JSON in which each reference by path means the value at the path.
///
///     [{"of": {"n": 1}}, {"of": {"$ref": "#/0/of"}}]     is     [{"of": {"n": 1}}, {"of": {"n": 1}}]
struct ResolvedReferences {
  /// The JSON in which the paths of each side begin.
  private let documents: (first: Value, second: Value)
  /// The most values in the targets of references.
  private var left = 1 << 16
  private static let depth = 256
  /// The pairs of places to which references have led. A pair that is compared already is the same, as far as this
  /// comparison is concerned.
  private var pairs: Set<Pair> = []

  /// A value, and its place: in the JSON that is compared, or in the document.
  private struct Side {
    var value: Value
    var isInDocument = false
    var steps: [ValuePath.Step] = []

    func part(_ value: Value, _ step: ValuePath.Step) -> Side {
      Side(value: value, isInDocument: isInDocument, steps: steps + [step])
    }

    var place: Place { Place(isInDocument: isInDocument, steps: steps) }
  }

  private struct Place: Hashable {
    var isInDocument: Bool
    var steps: [ValuePath.Step]
  }

  private struct Pair: Hashable {
    var first: Place
    var second: Place
  }

  private init(_ first: Value, _ second: Value) { documents = (first, second) }

  /// Returns true if JSON has the same values as other JSON, whose references may begin in another document. The order
  /// of keys does not matter, because an archiver orders them. Returns false if a reference names an object by its
  /// number or has no target, unless the JSON is equal.
  static func areSame(_ json: Value, in document: Value, _ other: Value, in otherDocument: Value) -> Bool {
    if json == other { return true }
    var comparison = ResolvedReferences(document, otherDocument)
    return comparison.areSame(Side(value: json), Side(value: other), depth: 0)
  }

  private mutating func areSame(_ first: Side, _ second: Side, depth: Int) -> Bool {
    guard depth < Self.depth, let a = resolved(first, in: documents.first),
      let b = resolved(second, in: documents.second)
    else { return false }
    if a.isReference || b.isReference {
      left -= 1
      guard left > 0 else { return false }
      guard pairs.insert(Pair(first: a.side.place, second: b.side.place)).inserted else { return true }
    }
    switch (a.side.value, b.side.value) {
    case (.array(let elements), .array(let others)):
      guard elements.count == others.count else { return false }
      for (index, (element, other)) in zip(elements, others).enumerated() {
        let step = ValuePath.Step.index(index)
        guard areSame(a.side.part(element, step), b.side.part(other, step), depth: depth + 1) else {
          return false
        }
      }
      return true
    case (.dictionary(let entries), .dictionary(let others)):
      guard entries.count == others.count else { return false }
      for (key, entry) in entries {
        guard case .string(let name) = key, let other = others[key],
          areSame(a.side.part(entry, .key(name)), b.side.part(other, .key(name)), depth: depth + 1)
        else { return false }
      }
      return true
    case (let value, let other): return value.sameInJSON == other.sameInJSON
    }
  }

  /// Returns the value that a reference means, or the value itself. Returns nil if a reference has no target.
  private func resolved(_ side: Side, in document: Value) -> (side: Side, isReference: Bool)? {
    var (side, hops) = (side, 0)
    while let pointer = side.value.pointer {
      hops += 1
      guard hops < Self.depth, let target = Self.target(of: pointer.string, in: document) else { return nil }
      side = target
    }
    return (side, hops > 0)
  }

  private static func target(of pointer: String, in document: Value) -> Side? {
    guard let path = try? ValuePath(parsing: pointer) else { return nil }
    var target = Side(value: document, isInDocument: true)
    for step in path.steps {
      switch (target.value, step) {
      case (.dictionary(let entries), .key(let key)):
        guard let value = entries[key] else { return nil }
        target = target.part(value, step)
      case (.array(let elements), .key(let key)):
        guard let index = Int(key), elements.indices.contains(index) else { return nil }
        target = target.part(elements[index], .index(index))
      case (.array(let elements), .index(let index)) where elements.indices.contains(index):
        target = target.part(elements[index], step)
      default: return nil
      }
    }
    return target
  }
}
