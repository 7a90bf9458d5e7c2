extension Value {
  /// JSON with the keys in one order and numbers in one notation, so that equal JSON is an equal value.
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
