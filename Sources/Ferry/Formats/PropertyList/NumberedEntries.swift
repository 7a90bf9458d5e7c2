/// The entries of a collection that stores each element as an entry of its own object: `NS.object.0`,
/// `NS.object.1` …, and for a dictionary also `NS.key.0` … The entries may be in any order. The lists
/// contain, for each element, the index of its entry.
struct NumberedEntries {
  private(set) var elements: [Int] = []
  private(set) var keys: [Int] = []

  /// Creates the entries with these indices.
  init(elements: [Int], keys: [Int] = []) { (self.elements, self.keys) = (elements, keys) }

  /// Finds the entries of an object. Fails if it has entries other than these and `$class`, or if a number is
  /// missing.
  init?(of node: NodeID, count: Int, in nodes: any PropertyListNodes, isDictionary: Bool) throws(FerryError) {
    let size = isDictionary ? (count - 1) / 2 : count - 1
    guard size >= 0, !isDictionary || count % 2 == 1 else { return nil }
    var elements = [Int?](repeating: nil, count: size)
    var keys = [Int?](repeating: nil, count: isDictionary ? size : 0)
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      if try nodes.isString(key, "$class") { continue }
      if let number = try nodes.number(after: "NS.object.", key), number < elements.count {
        elements[number] = index
      } else if let number = try nodes.number(after: "NS.key.", key), number < keys.count {
        keys[number] = index
      } else {
        return nil
      }
    }
    self.elements = elements.compactMap { $0 }
    self.keys = keys.compactMap { $0 }
    guard self.elements.count == size, self.keys.count == keys.count else { return nil }
  }

  /// Adds an element after all others, and its key. Their new entries begin at an index, the key first.
  mutating func append(at entry: Int, hasKey: Bool) {
    if hasKey { keys.append(entry) }
    elements.append(hasKey ? entry + 1 : entry)
  }

  /// Removes the last element, and its key. The entries after these have lower indices then.
  mutating func removeLast() {
    let removed = [elements.popLast(), keys.popLast()].compactMap { $0 }
    for entry in removed.sorted(by: >) {
      for index in elements.indices where elements[index] > entry { elements[index] -= 1 }
      for index in keys.indices where keys[index] > entry { keys[index] -= 1 }
    }
  }
}

extension PropertyListNodes {
  func numberedEntries(
    of node: NodeID, count: Int, isDictionary: Bool
  ) throws(FerryError) -> NumberedEntries? {
    try NumberedEntries(of: node, count: count, in: self, isDictionary: isDictionary)
  }

  /// Returns the decimal number after a prefix, or nil if the node is not such a string.
  func number(after prefix: StaticString, _ node: NodeID) throws(FerryError) -> Int? {
    guard try kind(of: node) == .string else { return nil }
    return try withText(of: node) { text throws(FerryError) in
      guard text.utf8.starts(with: prefix), text.utf8.count < prefix.utf8CodeUnitCount + 10 else {
        return nil
      }
      return Int(text.utf8.extracting(prefix.utf8CodeUnitCount..<text.utf8.count).decodedString)
    }
  }
}
