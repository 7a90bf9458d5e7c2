/// JSON in which each reference by path is replaced by the value that it refers to.
///
///     [{"of": {"n": 1}}, {"of": {"$ref": "#/0/of"}}]     →     [{"of": {"n": 1}}, {"of": {"n": 1}}]
struct ResolvedReferences {
  /// The JSON in which the paths begin.
  private let document: Value
  /// The most values in the targets of references. A cycle of references exceeds it, or the depth.
  private var left = 1 << 16
  private static let depth = 256

  private init(in document: Value) { self.document = document }

  /// Returns true if JSON has the same values as other JSON, whose references may begin in another document. The order
  /// of keys does not matter, because an archiver orders them. Returns false if a reference is in a cycle, names an
  /// object by its number or has no target.
  static func areSame(_ json: Value, in document: Value, _ other: Value, in otherDocument: Value) -> Bool {
    if json == other { return true }
    var (first, second) = (ResolvedReferences(in: document), ResolvedReferences(in: otherDocument))
    guard let value = first.value(json, depth: 0, isTarget: false) else { return false }
    return value == second.value(other, depth: 0, isTarget: false)
  }

  private mutating func value(_ json: Value, depth: Int, isTarget: Bool) -> Value? {
    if isTarget { left -= 1 }
    guard left > 0, depth < Self.depth else { return nil }
    switch json {
    case .array(let elements):
      var values: [Value] = []
      for element in elements {
        guard let value = value(element, depth: depth + 1, isTarget: isTarget) else { return nil }
        values.append(value)
      }
      return .array(values)
    case .dictionary(let entries):
      if entries.count == 1, case .string(let pointer)? = entries["$ref"] {
        guard let target = target(of: pointer) else { return nil }
        return value(target, depth: depth + 1, isTarget: true)
      }
      var values: [(name: String, value: Value)] = []
      for (key, entry) in entries {
        guard case .string(let name) = key, let value = value(entry, depth: depth + 1, isTarget: isTarget)
        else { return nil }
        values.append((name, value))
      }
      values.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      var sorted = KeyedValues()
      for (name, value) in values { sorted[.string(name)] = value }
      return .dictionary(sorted)
    default: return json.sameInJSON
    }
  }

  private func target(of pointer: String) -> Value? {
    guard let path = try? ValuePath(parsing: pointer) else { return nil }
    var target = document
    for step in path.steps {
      switch (target, step) {
      case (.dictionary(let entries), .key(let key)):
        guard let value = entries[key] else { return nil }
        target = value
      case (.array(let elements), .key(let key)):
        guard let index = Int(key), elements.indices.contains(index) else { return nil }
        target = elements[index]
      case (.array(let elements), .index(let index)) where elements.indices.contains(index):
        target = elements[index]
      default: return nil
      }
    }
    return target
  }
}
