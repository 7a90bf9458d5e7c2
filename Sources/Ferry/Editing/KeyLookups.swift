/// The tables by which keys of large dictionaries in an edited list are looked up. Comparing all keys for each of many changes would take
/// quadratic time.
final class KeyLookups {
  /// A table is made for a dictionary of at least this many entries, after this many lookups.
  private static let (largeDictionary, mostLookups) = (32, 4)
  /// The tables of the keys of dictionaries.
  private var tables: [NodeID: KeyTable] = [:]
  /// The indices of the string keys of dictionaries in an archive, by the lists of the keys. Empty if two keys are equal, or entries have
  /// moved. An index counts only if the key there is still the same: the text of a key is in another object, which may change.
  private var indices: [NodeID: [ExactString: Int]] = [:]
  /// For each dictionary without a table, and each list of keys without indices, the number of keys that were looked up.
  private var counts: [NodeID: Int] = [:]

  /// Returns true if many keys have been looked up in a dictionary or a list of keys. Counts this lookup.
  private func areMany(in node: NodeID) -> Bool {
    counts[node, default: 0] += 1
    return counts[node, default: 0] > Self.mostLookups
  }

  /// Returns a table of the keys of a dictionary, or nil if keys are to be compared one by one.
  func table(of node: NodeID, count: Int, in list: EditedPropertyList) throws(FerryError) -> KeyTable? {
    guard count >= Self.largeDictionary else { return nil }
    if let table = tables[node] { return table }
    guard areMany(in: node) else { return nil }
    let table = try KeyTable(of: node, count: count, in: list)
    tables[node] = table
    return table
  }

  /// Returns the index of a key in the list of the keys of a dictionary in an archive, or nil unless the key is known to occur once.
  ///
  /// - Parameter name: Returns the text of a key that is a string, or nil for another key.
  func index(
    ofKey key: String, inKeys keys: NodeID, count: Int, of list: EditedPropertyList,
    naming name: (NodeID) throws(FerryError) -> String?
  ) throws(FerryError) -> Int? {
    guard count >= Self.largeDictionary else { return nil }
    if indices[keys] == nil {
      guard areMany(in: keys) else { return nil }
      indices[keys] = try Self.indices(ofKeysIn: keys, count: count, of: list, naming: name)
    }
    guard let index = indices[keys]?[ExactString(key)], index < count else { return nil }
    guard try name(list.element(index, of: keys))?.equals(key) == true else {
      indices[keys] = [:]
      return nil
    }
    return index
  }

  /// Returns the indices of the string keys in a list; none if two are equal.
  private static func indices(
    ofKeysIn keys: NodeID, count: Int, of list: EditedPropertyList,
    naming name: (NodeID) throws(FerryError) -> String?
  ) throws(FerryError) -> [ExactString: Int] {
    var indices: [ExactString: Int] = [:]
    indices.reserveCapacity(count)
    for index in 0..<count {
      guard let name = try name(list.element(index, of: keys)) else { continue }
      guard indices.updateValue(index, forKey: ExactString(name)) == nil else { return [:] }
    }
    return indices
  }

  /// Updates the table of a dictionary that gets new keys, because making a new table takes time in proportion to all keys.
  func update(
    _ node: NodeID, _ range: Range<Int>, _ old: [NodeID], by new: [NodeID], in list: EditedPropertyList
  ) {
    var table = tables.removeValue(forKey: node)
    // After an error, the table is dropped; the next reading of the keys throws the error.
    if (try? table?.replace(range, old, by: new, in: list)) == true { tables[node] = table }
  }

  /// Removes the table of a dictionary.
  func removeTable(of node: NodeID) { tables[node] = nil }

  /// Removes all tables.
  func removeAll() {
    tables.removeAll()
    indices.removeAll()
  }
}
