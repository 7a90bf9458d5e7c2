/// The keys in a list of an archive, by their texts. Changes of the list are noted, because reading all keys for each of many changes would
/// take quadratic time.
struct ListedKeys {
  /// The positions of the string keys. A position stays when keys before it are removed.
  private var positions: [ExactString: Int] = [:]
  /// The objects that are the keys by position, with their texts if they are strings; nil for a key to be read.
  private var keys: [(object: NodeID, name: ExactString?)?] = []
  private var entries = RemainingPositions(count: 0)
  /// The positions of keys that have been replaced.
  private var unread: Set<Int> = []
  /// The number of remaining keys.
  private(set) var count = 0
  /// True if two keys are equal.
  private var hasEqualKeys = false

  /// Reads the new keys of the list.
  ///
  /// - Parameters:
  ///   - count: The number of keys in the list, which are at least as many as before.
  ///   - read: Returns the object of the key at an index, and its text if it is a string.
  mutating func update(
    count: Int, _ read: (Int) throws(FerryError) -> (object: NodeID, name: ExactString?)
  ) throws(FerryError) {
    for position in unread { add(try read(entries.count(before: position)), at: position) }
    unread.removeAll()
    while self.count < count {
      let key = try read(self.count)
      entries.append()
      keys.append(nil)
      self.count += 1
      add(key, at: keys.count - 1)
    }
  }

  private mutating func add(_ key: (object: NodeID, name: ExactString?), at position: Int) {
    keys[position] = key
    guard let name = key.name else { return }
    if positions.updateValue(position, forKey: name) != nil { hasEqualKeys = true }
  }

  /// Searches a key.
  func search(_ key: String) -> KeySearch {
    guard !hasEqualKeys else { return .unknown }
    if let position = positions[ExactString(key)] { return .found(entries.count(before: position)) }
    return positions.count == count ? .absent : .unknown
  }

  /// Removes the key at an index, and returns its object if the key was read.
  mutating func remove(at index: Int) -> NodeID? {
    guard index >= 0, index < count else { return nil }
    let position = entries.position(after: index)
    let object = forgetKey(at: position)
    unread.remove(position)
    entries.remove(position)
    count -= 1
    return object
  }

  /// Forgets the key at an index, which will be another one, and returns its object if the key was read.
  mutating func forget(at index: Int) -> NodeID? {
    guard index >= 0, index < count else { return nil }
    let position = entries.position(after: index)
    unread.insert(position)
    return forgetKey(at: position)
  }

  private mutating func forgetKey(at position: Int) -> NodeID? {
    guard let key = keys[position] else { return nil }
    keys[position] = nil
    if let name = key.name { positions[name] = nil }
    return key.object
  }
}
