/// The tables by which keys of large dictionaries in an edited list are looked up. Comparing all keys for each of many changes would take
/// quadratic time.
final class KeyLookups {
  /// A table is made for a dictionary of at least this many entries, after this many lookups.
  private static let (largeDictionary, mostLookups) = (32, 4)
  /// The tables of the keys of dictionaries.
  private var tables: [NodeID: KeyTable] = [:]
  /// The keys of dictionaries in an archive, by the lists of the keys, or by the objects of which they are numbered entries.
  private var lists: [NodeID: ListedKeys] = [:]
  /// The numbered entries of large objects.
  private var numbered: [NodeID: NumberedEntries] = [:]
  /// The names of the files of an archive of files, with the dictionary of the files.
  private var fileNames: (node: NodeID, names: FileNameTable)?
  /// The number of keys in these lists that each object is.
  private var keyObjects: [NodeID: Int] = [:]
  /// For each dictionary without a table, and each list of unknown keys, the number of keys that were looked up.
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

  /// Returns the names of the files in a dictionary, and of folders, which may have no files.
  func fileNames(
    in node: NodeID, count: Int, _ folders: [String], of list: EditedPropertyList
  ) throws(FerryError) -> FileNameTable {
    if let fileNames, fileNames.node == node { return fileNames.names }
    var names = FileNameTable()
    for folder in folders { names.add("\(folder)/") }
    for index in 0..<count { names.add(try list.name(ofFile: list.key(index, of: node))) }
    fileNames = (node, names)
    return names
  }

  /// Updates the names of the files in a dictionary that gets new keys. After an error, the next reading of the names throws it.
  private func updateFileNames(
    of node: NodeID, _ old: ArraySlice<NodeID>, by new: [NodeID], in list: EditedPropertyList
  ) {
    guard fileNames?.node == node, var names = fileNames?.names else { return }
    // With a single owner, the table is changed in place.
    fileNames = nil
    do throws(FerryError) {
      for key in old { names.remove(try list.name(ofFile: key)) }
      for key in new { names.add(try list.name(ofFile: key)) }
      fileNames = (node, names)
    } catch {}
  }

  /// Returns the numbered entries of an object, or nil if it has others.
  func numberedEntries(
    of node: NodeID, count: Int, isDictionary: Bool, in list: EditedPropertyList
  ) throws(FerryError) -> NumberedEntries? {
    if let known = numbered[node], known.keys.isEmpty != isDictionary { return known }
    let entries = try NumberedEntries(of: node, count: count, in: list, isDictionary: isDictionary)
    if count >= Self.largeDictionary { numbered[node] = entries }
    return entries
  }

  /// Searches a key among the keys of a dictionary in an archive.
  ///
  /// - Parameter target: Returns the object to which a key refers.
  func search(
    _ key: String, in list: KeyList, of nodes: EditedPropertyList,
    following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch {
    let (keys, count) = (list.node, list.count)
    guard count >= Self.largeDictionary else { return .unknown }
    if lists[keys] == nil {
      guard areMany(in: keys) else { return .unknown }
      lists[keys] = ListedKeys()
    }
    if let known = lists[keys], known.count > count { removeLists() }
    // An error leaves no keys that are read in part.
    var known = lists.removeValue(forKey: keys) ?? ListedKeys()
    try known.update(count: count) { index throws(FerryError) in
      let object = try target(list.key(index, in: nodes))
      keyObjects[object, default: 0] += 1
      return (object, try nodes.pathKey(object))
    }
    let found = known.search(key)
    lists[keys] = known
    return found
  }

  /// Notes that an element of a list will be removed.
  func noteRemoval(at index: Int, of node: NodeID, _ old: NodeID) {
    release(lists[node]?.remove(at: index))
    noteChange(of: old)
  }

  /// Notes that elements of a list will be replaced.
  ///
  /// - Parameter old: The elements, by index.
  func noteReplacement(in node: NodeID, _ old: [Int: NodeID]) {
    for (index, child) in old {
      release(lists[node]?.forget(at: index))
      noteChange(of: child)
    }
  }

  /// Notes that values of an object's entries will be replaced. If one of these is a key of a dictionary, all lists are read again.
  func noteReplacement(ofValues entries: some Sequence<Int>, in node: NodeID) {
    guard lists[node] != nil else { return }
    let keys = numbered[node]?.keys
    if entries.contains(where: { keys?.contains($0) ?? true }) { removeLists() }
  }

  /// Notes that an element will be inserted into numbered entries: the elements after it move, and the last one gets new entries.
  ///
  /// - Parameters:
  ///   - new: The keys of the new entries.
  ///   - entry: The index of the first new entry.
  ///   - keys: The nodes of all keys of the object's entries.
  func noteInsertion(
    at index: Int, ofNumbered node: NodeID, adding new: [NodeID], at entry: Int, to keys: [NodeID],
    in list: EditedPropertyList
  ) {
    var known = numbered[node]
    if let known, index < known.elements.count { noteMove(in: node) }
    update(node, entry..<entry, of: keys, by: new, in: list)
    known?.append(at: entry, hasKey: new.count > 1)
    numbered[node] = known
  }

  /// Notes that an element in numbered entries will be removed: the last entries are removed, and the other keys move.
  ///
  /// - Parameters:
  ///   - entries: The indices of the removed entries, the highest first.
  ///   - keys: The nodes of all keys of the object's entries.
  ///   - key: The removed value that is a key, or nil for an element without a key.
  func noteRemoval(
    at index: Int, ofNumbered node: NodeID, removing entries: [Int], of keys: [NodeID], _ key: NodeID?,
    in list: EditedPropertyList
  ) {
    var known = numbered[node]
    for entry in entries { update(node, entry..<entry + 1, of: keys, by: [], in: list) }
    known?.removeLast()
    numbered[node] = known
    if let key { noteRemoval(at: index, of: node, key) }
  }

  /// Notes that a key is removed.
  private func release(_ object: NodeID?) {
    guard let object, let count = keyObjects[object] else { return }
    keyObjects[object] = count > 1 ? count - 1 : nil
  }

  /// Notes that an object is no longer the one with its number. If it is a key, all lists are read again.
  private func noteChange(of object: NodeID) {
    if keyObjects[object] != nil { removeLists() }
  }

  /// True if the keys of a list are known.
  var hasLists: Bool { !lists.isEmpty }

  /// Notes that elements of a list have moved. If they are keys, all lists are read again.
  func noteMove(in node: NodeID) {
    if lists[node] != nil { removeLists() }
  }

  /// Removes the keys of all lists, because objects have other numbers.
  func removeLists() {
    lists.removeAll()
    keyObjects.removeAll()
  }

  /// Updates the table of a dictionary that gets new keys, because making a new table takes time in proportion to all keys.
  ///
  /// - Parameter keys: All keys before the change.
  func update(
    _ node: NodeID, _ range: Range<Int>, of keys: [NodeID], by new: [NodeID], in list: EditedPropertyList
  ) {
    numbered[node] = nil
    updateFileNames(of: node, keys[range], by: new, in: list)
    guard var table = tables.removeValue(forKey: node) else { return }
    // A table takes new keys only at its end, so the keys after the new ones, such as `$class`, are removed and added again.
    let end = new.count > range.count ? keys.count : range.upperBound
    let old = range.lowerBound..<end
    // After an error, the table is dropped; the next reading of the keys throws the error.
    if (try? table.replace(old, Array(keys[old]), by: new + keys[range.upperBound..<end], in: list)) == true {
      tables[node] = table
    }
  }

  /// Removes the table of a dictionary.
  func removeTable(of node: NodeID) {
    tables[node] = nil
    numbered[node] = nil
    fileNames = nil
  }

  /// Removes all tables.
  func removeAll() {
    tables.removeAll()
    numbered.removeAll()
    fileNames = nil
    removeLists()
  }
}
