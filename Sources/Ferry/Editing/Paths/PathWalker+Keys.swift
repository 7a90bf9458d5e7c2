// Keys of dictionaries. A path names a key by its text in the plain form: a scalar by its text (an NSURL by
// its URL), any other object by its JSON. A `#` after the text selects the key itself instead of its value.

extension PathWalker {
  /// Returns the index of the entry with a key, or nil if there is none. A string key takes precedence over
  /// other keys with the same text.
  func index(of key: String, in parts: NodeParts) throws(FerryError) -> Int? {
    switch parts {
    case .none, .elements, .numbered, .decodedObject: return nil
    case .entries(let location, let count, let isObject):
      // An archiver adds a `$` to keys that already begin with `$`.
      if isObject, key.begins(with: "$"), let index = try entry("$" + key, of: location.node, count) {
        return index
      }
      return try entry(key, of: location.node, count)
    case .pairs, .numberedPairs: return try pair(key, in: parts)
    }
  }

  /// Returns the indices of all entries with the key of the entry at an index, in order. Returns the index of an
  /// element alone.
  func indices(ofKeyAt index: Int, in parts: NodeParts) throws(FerryError) -> [Int] {
    guard let key = try keyTarget(index, in: parts) else { return [index] }
    let isString = try nodes.kind(of: key) == .string
    if isString, let text = try nodes.pathText(key), case .found(index) = try search(text, in: parts) {
      return [index]
    }
    if isString, let text = try self.text(ofKey: key), case .entries(let location, let count, _) = parts,
      let table = try nodes.keyTable(of: location.node, count: count), table.first(text) == index,
      table.last(text) == index
    {
      return [index]
    }
    // In an archive, other keys are objects, and two of them are two keys.
    let name = try !isString && archive == nil ? self.text(ofKey: key) : nil
    let bytes = isString ? try nodes.bytes(ofText: key) : nil
    var indices: [Int] = []
    for other in 0..<parts.count {
      guard let node = try keyTarget(other, in: parts) else { continue }
      let isSame =
        if let bytes {
          try nodes.isString(node, bytes)
        } else if let name {
          try isOtherKey(node, withText: name)
        } else {
          node == key
        }
      if isSame { indices.append(other) }
    }
    return indices
  }

  /// Returns true for a key that is not a string, and has a text.
  private func isOtherKey(_ node: NodeID, withText text: String) throws(FerryError) -> Bool {
    guard try nodes.kind(of: node) != .string else { return false }
    return try self.text(ofKey: node).equals(text)
  }

  /// Returns the node of an entry's key, following a reference; nil if the parts are elements.
  private func keyTarget(_ index: Int, in parts: NodeParts) throws(FerryError) -> NodeID? {
    guard let node = try parts.key(index, in: nodes) else { return nil }
    return try target(of: node)
  }

  private func entry(_ key: String, of node: NodeID, _ count: Int) throws(FerryError) -> Int? {
    var found: Int?
    if let table = try nodes.keyTable(of: node, count: count) {
      found = lastKeyWins ? table.last(key) : table.first(key)
      if table.hasOnlyUniqueStrings { return found }
    } else {
      for index in 0..<count where try nodes.isText(nodes.key(index, of: node), key) {
        found = index
        if !lastKeyWins { break }
      }
    }
    guard found == nil, nodes.hasCollectionsAsKeys else { return found }
    for index in 0..<count {
      let name = try nodes.key(index, of: node)
      guard try nodes.kind(of: name) != .string, try isText(key, ofKey: name) else { continue }
      found = index
      if !lastKeyWins { break }
    }
    return found
  }

  private func pair(_ key: String, in parts: NodeParts) throws(FerryError) -> Int? {
    switch try search(key, in: parts) {
    case .found(let index): return index
    case .absent: return nil
    case .unknown: break
    }
    let reference = try target(ofKeyReference: key)
    var other: Int?
    for index in 0..<parts.count {
      guard let node = try parts.key(index, in: nodes) else { continue }
      let target = try target(of: node)
      if try nodes.kind(of: target) == .string {
        if try nodes.isText(target, key) { return index }
      } else if other == nil {
        let isWanted = try target == reference ? true : isText(key, ofKey: node)
        if isWanted { other = index }
      }
    }
    return other
  }

  /// Searches a key of a large dictionary in an archive. Comparing all keys for each of many changes would take quadratic time.
  private func search(_ key: String, in parts: NodeParts) throws(FerryError) -> KeySearch {
    let keys: KeyList
    switch parts {
    case .pairs(let list, _, let count): keys = KeyList(list: list.node, count: count)
    case .numberedPairs(let object, let entries, _): keys = KeyList(entries, of: object.node)
    default: return .unknown
    }
    return try nodes.search(key, in: keys) { node throws(FerryError) in try target(of: node) }
  }

  /// Returns true if a key of a dictionary in an archive is nil, which the plain form prints as `$null`.
  private func isNil(_ node: NodeID) throws(FerryError) -> Bool {
    guard archive != nil, case .uid(0) = try nodes.kind(of: node) else { return false }
    return true
  }

  private func isText(_ key: String, ofKey node: NodeID) throws(FerryError) -> Bool {
    if try isNil(node) { return key.equals("$null") }
    // The JSON of an object may be as large as the file, so it is made only if the key looks like JSON.
    let isJSON = key.utf8.first.map { "{[\"".utf8.contains($0) } ?? false
    let location = ValueLocation(trail: NodeTrail(), node: node)
    let text = isJSON ? try text(ofKey: node) : try text(of: location)
    return text.map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }

  /// Returns the node that a key such as `{"$ref":"#/people/3"}` refers to. The plain form prints such a key
  /// for an object that occurred earlier.
  private func target(ofKeyReference key: String) throws(FerryError) -> NodeID? {
    guard archive != nil, key.hasPrefix(#"{"$ref":"#) else { return nil }
    let builder = ValueBuilder()
    guard (try? JSONReader(into: builder, budget: nodes.budget).readAll(key.utf8.span)) != nil,
      case .dictionary(let entries)? = try? builder.result(), entries.count == 1,
      case .string(let pointer)? = entries["$ref"], let path = try? ValuePath(parsing: pointer)
    else { return nil }
    let start = try start(path.steps[...])
    var location = start.location
    for step in path.steps.dropFirst(start.taken) {
      // The key may come from another document, where the pointer has another target or none.
      guard let next = (try? self.step(step, from: location)) ?? nil else { return nil }
      location = next
    }
    return location.inner.isEmpty ? try target(of: location).node : nil
  }

  /// Returns the text of a key in the plain form.
  func text(ofKey node: NodeID) throws(FerryError) -> String? {
    if let text = try nodes.pathText(target(of: node)) { return text }
    if try isNil(node) { return "$null" }
    if let text = try text(of: ValueLocation(trail: NodeTrail(), node: node)) { return text }
    let json = try PlainForm.json { sink throws(FerryError) in
      guard let archive, let decodedForms else {
        return try nodes.replay(node, into: sink, budget: nodes.budget)
      }
      var reader = ArchiveReader(
        archive, into: sink, sharing: .leavesInFull, budget: nodes.budget, catalog: decodedForms.catalog,
        decodedForms: decodedForms.use)
      try reader.read(from: node)
    }
    return String(decoding: json, as: UTF8.self)
  }

  /// Returns the location of a key itself: the path has the key's text followed by `#`.
  func keyObject(_ key: String, in parts: NodeParts) throws(FerryError) -> ValueLocation? {
    guard key.utf8.last == UInt8(ascii: "#"), let text = String(key.utf8.dropLast()),
      let index = try index(of: text, in: parts)
    else { return nil }
    return try parts.keyLocation(index, in: nodes)
  }

  /// Returns the location of an archived key in an object with a decoded form: `NS.objects`, `$class`.
  func archivedField(_ key: String, of target: ValueLocation) throws(FerryError) -> ValueLocation? {
    guard archive != nil, case .dictionary(let count) = try nodes.kind(of: target.node),
      let entry = try entry(key, of: target.node, count)
    else { return nil }
    return try target.child(.value(entry), in: nodes, isField: true)
  }
}

extension PropertyListNodes {
  /// Returns the text of a string as a key in a table of keys, or nil for other nodes.
  func pathKey(_ node: NodeID) throws(FerryError) -> ExactString? {
    try pathText(node).map { ExactString($0) }
  }

  /// Returns the text of a string as a key in a path, or nil for other nodes.
  fileprivate func pathText(_ node: NodeID) throws(FerryError) -> String? {
    guard try kind(of: node) == .string else { return nil }
    return try withText(of: node) { text throws(FerryError) in String(escapingSurrogatesOf: text) }
  }

  /// Returns true if a node is a string with these bytes, also of unpaired surrogates.
  fileprivate func isString(_ node: NodeID, _ bytes: [UInt8]) throws(FerryError) -> Bool {
    guard try kind(of: node) == .string else { return false }
    return try withText(of: node) { text throws(FerryError) in text.utf8.equals(bytes.span) }
  }
}
