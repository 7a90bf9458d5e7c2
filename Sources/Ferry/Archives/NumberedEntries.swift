/// The entries of a collection whose elements are entries of its own object: `NS.object.0`, `NS.object.1` …,
/// and for a dictionary `NS.key.0` … too. They may be in any order; this lists their indices in the object by
/// number.
struct NumberedEntries {
  private(set) var elements: [Int] = []
  private(set) var keys: [Int] = []

  /// Finds the entries of an object; nil if it has other entries than `$class`, or if a number is missing.
  init?(of node: Int, count: Int, in nodes: any PropertyListNodes, isDictionary: Bool) throws(FerryError) {
    let size = isDictionary ? (count - 1) / 2 : count - 1
    guard size >= 0, !isDictionary || count % 2 == 1 else { return nil }
    var elements = [Int?](repeating: nil, count: size)
    var keys = [Int?](repeating: nil, count: isDictionary ? size : 0)
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      if try nodes.isString(key, "$class") { continue }
      if let place = try nodes.number(behind: "NS.object.", key), place < elements.count {
        elements[place] = index
      } else if let place = try nodes.number(behind: "NS.key.", key), place < keys.count {
        keys[place] = index
      } else {
        return nil
      }
    }
    self.elements = elements.compactMap { $0 }
    self.keys = keys.compactMap { $0 }
    guard self.elements.count == size, self.keys.count == keys.count else { return nil }
  }
}

extension PropertyListNodes {
  /// Returns the decimal number after a prefix; nil if the node is no such string.
  func number(behind prefix: StaticString, _ node: Int) throws(FerryError) -> Int? {
    guard try kind(of: node) == .string else { return nil }
    return try withText(of: node) { text throws(FerryError) in
      guard text.utf8.starts(with: prefix), text.utf8.count < prefix.utf8CodeUnitCount + 10 else {
        return nil
      }
      return Int(text.utf8.extracting(prefix.utf8CodeUnitCount..<text.utf8.count).decodedString)
    }
  }
}
