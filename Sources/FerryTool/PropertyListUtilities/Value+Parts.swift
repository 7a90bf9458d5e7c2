import Ferry

extension Value {
  /// Accesses the value for a key of a dictionary, or for an index of an array; nil if it does not exist.
  subscript(part key: String) -> Value? {
    get { isArray ? Int(key).flatMap { self[$0] } : self[key] }
    // A negative index has no element.
    _modify { if isArray { yield &self[Int(key) ?? -1] } else { yield &self[key] } }
  }

  private var isArray: Bool { if case .array = self { true } else { false } }

  /// Returns the part at the end of a path through dictionaries and arrays; nil if it does not exist.
  func part(at keys: some Sequence<String>) -> Value? {
    keys.reduce(self) { value, key in value?[part: key] }
  }

  /// Changes the part at the end of a path, if it exists.
  mutating func change<Failure: Error>(
    at keys: ArraySlice<String>, _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    guard let key = keys.first else { return try body(&self) }
    try self[part: key]?.change(at: keys.dropFirst(), body)
  }

  /// Removes the part at the end of a path, if it exists.
  mutating func removePart(at keys: [String]) {
    guard let last = keys.last else { return }
    change(at: keys.dropLast()) { parent in parent[part: last] = nil }
  }

  /// Returns the path of the first part, in depth, for which a function returns a description, with the description.
  func firstPart(_ describe: (Value) -> String?) -> (keys: [String], description: String)? {
    if let description = describe(self) { return ([], description) }
    var parts: [(String, Value)] = []
    switch self {
    case .dictionary(let entries):
      for (key, value) in entries { parts.append((PropertyListText.key(key) ?? key.words, value)) }
    case .array(let elements), .set(let elements):
      parts = elements.enumerated().map { ("\($0.offset)", $0.element) }
    default: return nil
    }
    for (key, value) in parts {
      if let (keys, description) = value.firstPart(describe) { return ([key] + keys, description) }
    }
    return nil
  }
}
