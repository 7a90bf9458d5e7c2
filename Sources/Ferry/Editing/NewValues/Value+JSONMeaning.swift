extension Value {
  /// The path of a reference, `{"$ref": "#/people/3"}`, or nil for other values.
  var pointer: ExactString? {
    guard case .dictionary(let entries) = self, entries.count == 1 else { return nil }
    return (entries["$ref"]?.stringValue).map { ExactString($0) }
  }

  /// The paths of the references in a value.
  var pointers: Set<ExactString> {
    var pointers: Set<ExactString> = []
    var waiting = [self]
    while let value = waiting.popLast() {
      if let pointer = value.pointer { pointers.insert(pointer) } else { waiting += value.parts }
    }
    return pointers
  }

  /// True for an array, a set or a dictionary that is not empty.
  var isFilledCollection: Bool {
    switch self {
    case .array(let elements), .set(let elements): !elements.isEmpty
    case .dictionary(let entries): !entries.isEmpty
    default: false
    }
  }

  /// JSON with the keys in one order and numbers in one notation, to compare what it means.
  var sameInJSON: Value {
    switch self {
    case .number(let text): return (try? Double(exactNotation: text)).map { .real($0) } ?? self
    case .dictionary(let entries):
      let sorted = entries.sorted {
        ($0.key.stringValue ?? "").utf8.lexicographicallyPrecedes(($1.key.stringValue ?? "").utf8)
      }
      var same = KeyedValues()
      for (key, value) in sorted { same[key] = value.sameInJSON }
      return .dictionary(same)
    default: return mappingParts(\.sameInJSON)
    }
  }
}
