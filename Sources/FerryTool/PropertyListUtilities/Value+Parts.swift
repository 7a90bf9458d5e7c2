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

  /// Changes the entries of a dictionary in place. Does nothing for other values.
  mutating func changeEntries<Failure: Error>(
    _ body: (inout KeyedValues) throws(Failure) -> Void
  ) throws(Failure) {
    guard var entries = takeEntries() else { return }
    defer { self = .dictionary(entries) }
    try body(&entries)
  }

  /// Changes the elements of an array in place. Does nothing for other values.
  mutating func changeElements<Failure: Error>(
    _ body: (inout [Value]) throws(Failure) -> Void
  ) throws(Failure) {
    guard var elements = takeElements() else { return }
    defer { self = .array(elements) }
    try body(&elements)
  }

  // These functions move the contents out, and leave null in their place: contents with two references would be copied. They are not
  // inlined, so that the value's own reference has ended before the change.

  @inline(never) private mutating func takeEntries() -> KeyedValues? {
    guard case .dictionary(let entries) = self else { return nil }
    self = .null
    return entries
  }

  @inline(never) private mutating func takeElements() -> [Value]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
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
