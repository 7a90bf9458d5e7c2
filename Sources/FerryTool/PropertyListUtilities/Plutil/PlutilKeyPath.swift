import Ferry

/// A key path of `plutil`: keys and indices, joined by dots. A dot in a key has a backslash.
///
///     modes.0.name        com\.apple\.key
struct PlutilKeyPath {
  let keys: [String]

  init(_ keys: [String]) { self.keys = keys }

  /// Parses a key path. A backslash that precedes no dot is part of the key.
  init(parsing text: String) {
    var keys = [String.UnicodeScalarView()]
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "." {
        keys.append(String.UnicodeScalarView())
      } else if scalar == "\\", rest.first == "." {
        keys[keys.count - 1].append(rest.removeFirst())
      } else {
        keys[keys.count - 1].append(scalar)
      }
    }
    self.keys = keys.map { String($0) }
  }

  /// True if there is a key between all dots.
  private var isComplete: Bool { !keys.contains { $0.isEmpty } }

  // MARK: Values

  /// Returns the value at the path; nil if there is none.
  func value(in root: Value) -> Value? { isComplete ? root.part(at: keys) : nil }

  /// Removes the value at the path.
  func remove(from root: inout Value) throws(PlutilError) {
    guard value(in: root) != nil else {
      throw PlutilError("No value to remove at key path \(self)")
    }
    root.removePart(at: keys)
  }

  /// The ways to put a value at a path.
  enum Insertion {
    /// As a new entry, or as an element before the one at the index.
    case inserting
    /// As a new entry, or as the last element of the array at the path.
    case appending
    /// Instead of the value at the path, if there is one.
    case replacing
  }

  /// Puts a value at the path.
  func put(_ value: Value, _ insertion: Insertion, into root: inout Value) throws(PlutilError) {
    try checkParents(in: root)
    try root.change(at: keys.dropLast()) { parent throws(PlutilError) in
      switch parent {
      case .dictionary:
        try parent.changeEntries { entries throws(PlutilError) in try put(value, insertion, into: &entries) }
      case .array:
        try parent.changeElements { elements throws(PlutilError) in try put(value, insertion, into: &elements)
        }
      default: throw PlutilError("Unable to insert value at key path \(self)")
      }
    }
  }

  /// Throws if a value on the way to the last key does not exist.
  private func checkParents(in root: Value) throws(PlutilError) {
    var value = root
    for key in keys.dropLast() {
      if let part = value[part: key] {
        value = part
        continue
      }
      switch value {
      case .dictionary: throw PlutilError("Key path not found \(self)")
      case .array: throw notAnIndex(key)
      default: throw PlutilError("Unable to insert value at key path \(self)")
      }
    }
  }

  private func notAnIndex(_ key: String) -> PlutilError {
    guard let index = Int(key) else {
      return PlutilError("Unable to index into array with key path \(self)")
    }
    return PlutilError("Index \(index) out of bounds in array at key path \(self)")
  }

  private func put(_ value: Value, _ insertion: Insertion, into entries: inout KeyedValues)
    throws(PlutilError)
  {
    let key = keys.last ?? ""
    switch (insertion, entries[key]) {
    case (.replacing, _), (_, nil): entries[key] = value
    case (.appending, .array(let elements)?): entries[key] = .array(elements + [value])
    case (.appending, _): throw PlutilError("Appending to a non-array at key path \(self)")
    case (.inserting, _): throw PlutilError("Value already exists at key path \(self)")
    }
  }

  private func put(_ value: Value, _ insertion: Insertion, into elements: inout [Value]) throws(PlutilError) {
    let key = keys.last ?? ""
    guard let index = Int(key), (0...elements.count).contains(index) else { throw notAnIndex(key) }
    switch insertion {
    case .appending:
      guard index < elements.count else { throw notAnIndex(key) }
      guard case .array(let inner) = elements[index] else {
        throw PlutilError("Attempt to append value to non-array at key path \(self)")
      }
      elements[index] = .array(inner + [value])
    case .replacing where index < elements.count: elements[index] = value
    case .replacing, .inserting: elements.insert(value, at: index)
    }
  }
}

extension PlutilKeyPath: CustomStringConvertible {
  /// The path with a backslash before each dot in a key.
  var description: String {
    keys.map { $0.replacing(".", by: "\\.") }.joined(separator: ".")
  }
}
