import Ferry

extension Value {
  /// Returns the part for a key of a dictionary or an index of an array; nil if it does not exist.
  func part(_ key: String) -> Value? {
    switch self {
    case .dictionary(let entries): entries[key]
    case .array(let elements): Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  /// Returns the part at the end of a way through dictionaries and arrays; nil if it does not exist.
  func part(at keys: some Sequence<String>) -> Value? {
    var value = self
    for key in keys {
      guard let part = value.part(key) else { return nil }
      value = part
    }
    return value
  }

  /// Changes the part at the end of a way, which must exist.
  mutating func change<Failure: Error>(
    at keys: ArraySlice<String>, _ body: (inout Value) throws(Failure) -> Void
  ) throws(Failure) {
    guard let key = keys.first else { return try body(&self) }
    let whole = self
    // The collection has one owner while it changes, so that it is not copied.
    self = .null
    switch consume whole {
    case .dictionary(var entries):
      defer { self = .dictionary(entries) }
      guard var part = entries[key] else { return }
      entries[key] = .null
      defer { entries[key] = part }
      try part.change(at: keys.dropFirst(), body)
    case .array(var elements):
      defer { self = .array(elements) }
      guard let index = Int(key), elements.indices.contains(index) else { return }
      try elements[index].change(at: keys.dropFirst(), body)
    case let other: self = other
    }
  }

  /// Removes the part at the end of a way, which must exist.
  mutating func removePart(at keys: [String]) {
    guard let last = keys.last else { return }
    change(at: keys.dropLast()) { parent in
      switch parent {
      case .dictionary(var entries):
        entries[last] = nil
        parent = .dictionary(entries)
      case .array(var elements):
        if let index = Int(last) { elements.remove(at: index) }
        parent = .array(elements)
      default: break
      }
    }
  }

  /// Returns the way to the first part, in depth, for which a function returns a description, with the description.
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
