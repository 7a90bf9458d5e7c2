extension PropertyListNodes {
  /// Returns true if a node is a string with this text.
  func isString(_ node: NodeID, _ string: StaticString) throws(FerryError) -> Bool {
    guard try lengthOfString(node) == string.utf8CodeUnitCount else { return false }
    return try withText(of: node) { text throws(FerryError) in text.equals(string) }
  }

  /// Returns the string at a node, or nil for other nodes.
  func string(_ node: NodeID) throws(FerryError) -> String? {
    guard try kind(of: node) == .string else { return nil }
    return try withText(of: node) { text throws(FerryError) in String(text) }
  }

  /// Returns a copy of a string's bytes.
  func bytes(ofText node: NodeID) throws(FerryError) -> [UInt8] {
    try withText(of: node) { text throws(FerryError) in [UInt8](copying: text.utf8) }
  }

  /// Returns the value of a dictionary's key; nil if the key is missing.
  func value(_ key: StaticString, of node: NodeID) throws(FerryError) -> NodeID? {
    try entry(key, of: node).map { index throws(FerryError) in try value(index, of: node) }
  }

  /// Returns the index of a dictionary's entry with a key, or nil if there is none.
  func entry(_ key: StaticString, of node: NodeID) throws(FerryError) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    if let table = try keyTable(of: node, count: count) { return table.first(key.description) }
    for index in 0..<count where try isString(self.key(index, of: node), key) { return index }
    return nil
  }

  /// Nil: keys are compared one by one.
  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable? { nil }

  /// Unknown: keys are compared one by one.
  func search(
    _ key: String, in keys: KeyList, following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch { .unknown }

  /// True if a node is a set. Few programs can read sets in a property list.
  var hasSet: Bool {
    (0..<nodeCount).contains { index in
      if case .set? = try? kind(of: NodeID(index)) { true } else { false }
    }
  }

  /// True if the outermost dictionary has the key `$archiver` and one of `$objects` and `$top`, with any values.
  var hasArchiveKeys: Bool {
    get throws(FerryError) {
      guard try value("$archiver", of: root) != nil else { return false }
      if try value("$objects", of: root) != nil { return true }
      return try value("$top", of: root) != nil
    }
  }

  /// True if the outermost dictionary has the entries of a keyed archive: a string `$archiver`, an array
  /// `$objects` and a dictionary `$top`.
  var isKeyedArchive: Bool {
    get throws(FerryError) {
      guard let archiver = try value("$archiver", of: root), try kind(of: archiver) == .string,
        let objects = try value("$objects", of: root), case .array = try kind(of: objects),
        let top = try value("$top", of: root), case .dictionary = try kind(of: top)
      else { return false }
      return true
    }
  }
}
