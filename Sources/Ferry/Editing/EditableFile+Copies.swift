// Changes of values that others of the text copy, such as the value of an anchor in YAML. The change is made at the value in its own place,
// where the text has it, and then at all of its copies, so that the changed text is read with the changed values.

extension EditableFile.Options {
  /// Throws if aliases are to be changed in a file of a format that has none.
  func checkAliases(for format: Format) throws(FerryError) {
    guard changesAliases, !format.description.hasMergeKeys, !format.isArchiveOfFiles else { return }
    throw FerryError(.yaml(.notYAML(format: format.rawValue)))
  }
}

extension EditableFile {
  /// A value in its own place or a copy of it, or the same part of one.
  private struct SharedPlace {
    let source: Int
    /// The steps from the value with the source.
    let rest: [NodeTrail.Child]
  }

  /// An entry of a dictionary.
  private struct Entry {
    let dictionary: NodeID
    let name: String
    let key, value: NodeID
  }

  /// Makes a change at a location. If others copy the value there, makes it at the value in its own place and at all copies.
  ///
  /// - Parameters:
  ///   - last: The step of the part that is inserted or removed; nil to set the whole value.
  ///   - make: Makes the change at a location.
  func withCopies(
    _ change: Change, _ last: ValuePath.Step?, at location: ValueLocation,
    _ make: (ValueLocation) throws(FerryError) -> Void
  ) throws(FerryError) {
    guard let copies = try copiesToChange() else { return try make(location) }
    let location =
      if case .remove = change { try originalLocation(of: location, around: last) } else { location }
    guard let place = try place(of: location.trail, copies), isShared(place.source, copies),
      let own = try own(place.source, copies)
    else { return try make(location) }
    let others = try copiedLocations(of: place, copies)
    let changed = try self.location(own.trail, place.rest)
    let oldNames = try entries(of: changed.node).map(\.name)
    try make(changed)
    let new = try list.node(at: changed.trail)
    guard case .set = change else {
      guard case .key(let name)? = last, case .dictionary = try list.kind(of: new), place.rest.isEmpty else {
        for other in others {
          try make(other)
          list.copies.changeCount += 1
        }
        return
      }
      return try updateEntry(name, of: place.source, copies)
    }
    guard new != changed.node else { return }
    try putCopies(of: new, at: others, place, own: changed.trail)
    guard place.rest.isEmpty, copies.mergers[place.source] != nil else { return }
    let newNames = try entries(of: new).map(\.name)
    for name in newNames + oldNames { try updateMergedEntries(name, of: place.source, copies) }
  }

  /// Returns the location of the collection that has a part in its own place, for a location in a text whose aliases are changed.
  func originalLocation(
    of location: ValueLocation, around last: ValuePath.Step?
  ) throws(FerryError) -> ValueLocation {
    guard let copies = try copiesToChange(), let place = try place(of: location.trail, copies),
      isShared(place.source, copies), let own = try own(place.source, copies)
    else { return location }
    let original = try self.location(own.trail, place.rest)
    // A merged entry is one of the dictionary that is merged.
    guard case .key(let name)? = last, place.rest.isEmpty,
      let entry = try entries(of: original.node).last(where: { $0.name.equals(name) }),
      try isMerged(entry.key),
      let (_, merged) = try mergedEntries(of: place.source, copies).first(where: {
        $0.entry.name.equals(name)
      })
    else { return original }
    return ValueLocation(trail: merged.trail, node: merged.node)
  }

  // MARK: Places

  /// Returns the copies in the text before any changes, if they are changed with the values that they copy.
  private func copiesToChange() throws(FerryError) -> TextCopies? {
    guard options.changesAliases, format.description.hasMergeKeys, archive == nil else { return nil }
    if textCopies == nil { textCopies = try syntaxOfText()?.copies() ?? TextCopies() }
    return textCopies.flatMap { $0.sources.isEmpty ? nil : $0 }
  }

  private func source(of node: NodeID, _ copies: TextCopies) -> Int? {
    list.copies.sources[node] ?? (node < list.firstNewNode ? copies.sources[node.index] : nil)
  }

  private func isShared(_ source: Int, _ copies: TextCopies) -> Bool {
    copies.values[source] != nil || list.copies.values[source] != nil
  }

  /// Returns the place to which a trail leads: that of the last value with a source on the trail. Nil if none has one.
  private func place(of trail: NodeTrail, _ copies: TextCopies) throws(FerryError) -> SharedPlace? {
    var node = list.root
    var place = source(of: node, copies).map { SharedPlace(source: $0, rest: trail.children) }
    for (index, child) in trail.children.enumerated() {
      node = try list.node(child, of: node)
      guard let source = source(of: node, copies) else { continue }
      place = SharedPlace(source: source, rest: Array(trail.children[(index + 1)...]))
    }
    return place
  }

  /// Returns the value with a source in its own place. Nil if the file does not have the value, as for a dictionary inside a merge key.
  private func own(_ source: Int, _ copies: TextCopies) throws(FerryError) -> (
    node: NodeID, trail: NodeTrail
  )? {
    for node in [list.copies.values[source]?.own, copies.values[source]?.own] {
      if let node, let trail = try trail(to: node, copies) { return (node, trail) }
    }
    return nil
  }

  /// Returns the locations of the copies of a value, or of the same part of them.
  private func copiedLocations(
    of place: SharedPlace, _ copies: TextCopies
  ) throws(FerryError) -> [ValueLocation] {
    var locations: [ValueLocation] = []
    let source = place.source
    for node in (copies.values[source]?.copies ?? []) + (list.copies.values[source]?.copies ?? []) {
      if let trail = try trail(to: node, copies) { locations.append(try location(trail, place.rest)) }
    }
    return locations
  }

  private func location(
    _ trail: NodeTrail, _ rest: [NodeTrail.Child]
  ) throws(FerryError) -> ValueLocation {
    let trail = NodeTrail(children: trail.children + rest)
    return ValueLocation(trail: trail, node: try list.node(at: trail))
  }

  /// Returns the trail to a value, or nil if the file does not have it any more, or has it as a key.
  private func trail(to node: NodeID, _ copies: TextCopies) throws(FerryError) -> NodeTrail? {
    var (node, children) = (node, [NodeTrail.Child]())
    while node != list.root {
      let parent = list.copies.parents[node] ?? (node < list.firstNewNode ? copies.parents[node.index] : nil)
      guard let parent, let child = try child(node, of: parent) else { return nil }
      children.append(child)
      node = parent
    }
    return NodeTrail(children: children.reversed())
  }

  private func child(_ node: NodeID, of parent: NodeID) throws(FerryError) -> NodeTrail.Child? {
    switch try list.kind(of: parent) {
    case .array(let count), .set(let count):
      for index in 0..<count where try list.element(index, of: parent) == node { return .element(index) }
    case .dictionary(let count):
      for index in 0..<count where try list.value(index, of: parent) == node { return .value(index) }
    default: break
    }
    return nil
  }

  // MARK: Values

  /// Adds a copy of a value. Throws if the copies would fill the memory: a few large values may have many aliases.
  private func copy(of node: NodeID) throws(FerryError) -> NodeID {
    let builder = ValueBuilder()
    try list.replay(node, into: builder, budget: options.budget)
    let copy = try list.add(value: builder.result())
    let size = list.base.byteCount
    guard list.byteCount - size <= options.budget.allowance(forInputBytes: size) else {
      throw options.budget.overAmplification
    }
    return copy
  }

  /// Puts copies of a new value at the locations of the copies of the old one.
  private func putCopies(
    of new: NodeID, at others: [ValueLocation], _ place: SharedPlace, own trail: NodeTrail
  ) throws(FerryError) {
    if place.rest.isEmpty, let parent = try parent(of: trail) {
      list.copies.addOwn(new, source: place.source, in: parent)
    }
    for other in others {
      let copy = try copy(of: new)
      try list.put(copy, at: other.trail)
      list.copies.changeCount += 1
      if place.rest.isEmpty, let parent = try parent(of: other.trail) {
        list.copies.addCopy(copy, source: place.source, in: parent, insteadOf: other.node)
      }
    }
  }

  private func parent(of trail: NodeTrail) throws(FerryError) -> NodeID? {
    trail.children.isEmpty ? nil : try list.node(at: NodeTrail(children: trail.children.dropLast()))
  }

  // MARK: Entries

  /// Returns the entries of a dictionary; none for other values.
  private func entries(of dictionary: NodeID) throws(FerryError) -> [Entry] {
    guard case .dictionary(let count) = try list.kind(of: dictionary) else { return [] }
    var entries: [Entry] = []
    for index in 0..<count {
      let key = try list.key(index, of: dictionary)
      let name = try walker.text(ofKey: key) ?? ""
      let value = try list.value(index, of: dictionary)
      entries.append(Entry(dictionary: dictionary, name: name, key: key, value: value))
    }
    return entries
  }

  /// Returns the entries that the merge key of a dictionary adds, in their order, each with the dictionary that has it in its own place.
  private func mergedEntries(
    of source: Int, _ copies: TextCopies
  ) throws(FerryError) -> [(entry: Entry, dictionary: (node: NodeID, trail: NodeTrail))] {
    var (found, known) = (
      [(entry: Entry, dictionary: (node: NodeID, trail: NodeTrail))](), Set<ExactString>()
    )
    if let own = try own(source, copies) {
      for entry in try entries(of: own.node) where try !isMerged(entry.key) {
        known.insert(ExactString(entry.name))
      }
    }
    var waiting = Array((copies.merged[source] ?? []).reversed())
    while let next = waiting.popLast() {
      if let merged = try own(next, copies) {
        for entry in try entries(of: merged.node) where try !isMerged(entry.key) {
          if known.insert(ExactString(entry.name)).inserted { found.append((entry, merged)) }
        }
      }
      waiting += (copies.merged[next] ?? []).reversed()
    }
    return found
  }

  /// Gives the copies of a dictionary, and those that merge it, the entry that it has now, or removes theirs.
  private func updateEntry(
    _ name: String, of source: Int, _ copies: TextCopies
  ) throws(FerryError) {
    try updateCopiedEntry(name, of: source, copies)
    try updateMergedEntries(name, of: source, copies)
  }

  private func updateCopiedEntry(
    _ name: String, of source: Int, _ copies: TextCopies
  ) throws(FerryError) {
    guard let own = try own(source, copies) else { return }
    let entries = try entries(of: own.node)
    let index = entries.lastIndex { $0.name.equals(name) }
    for other in try copiedLocations(of: SharedPlace(source: source, rest: []), copies) {
      try removeEntries(name, at: other.trail)
      if let index { try insertCopy(of: entries[index], at: index, into: other.trail, copies) }
      list.copies.changeCount += 1
    }
  }

  /// Updates an entry in the dictionaries that merge another one, and in those that merge them.
  private func updateMergedEntries(
    _ name: String, of source: Int, _ copies: TextCopies
  ) throws(FerryError) {
    // An anchor precedes its aliases in the text, so that a dictionary is updated after those that it merges.
    var waiting = Set(copies.mergers[source] ?? [])
    while let next = waiting.min() {
      waiting.remove(next)
      guard try updateMergedEntry(name, of: next, copies) else { continue }
      list.copies.changeCount += 1
      try updateCopiedEntry(name, of: next, copies)
      waiting.formUnion(copies.mergers[next] ?? [])
    }
  }

  /// Updates an entry that the merge key of a dictionary adds. Returns false if the entry stays as it is.
  private func updateMergedEntry(
    _ name: String, of source: Int, _ copies: TextCopies
  ) throws(FerryError) -> Bool {
    guard let own = try own(source, copies) else { return false }
    let old = try entries(of: own.node).last { $0.name.equals(name) }
    if let old, try !isMerged(old.key) { return false }
    let merged = try mergedEntries(of: source, copies).map { $0.entry }
    let position = merged.firstIndex { $0.name.equals(name) }
    guard let position else {
      try removeEntries(name, at: own.trail)
      return old != nil
    }
    if let old, let source = self.source(of: old.value, copies),
      source == self.source(of: merged[position].value, copies)
    {
      return false
    }
    try removeEntries(name, at: own.trail)
    let index = try index(ofMerged: position, in: merged, of: own.node, source, copies)
    try insertCopy(of: merged[position], at: index, into: own.trail, copies, isMerged: true)
    return true
  }

  /// Returns the index for a merged entry in a dictionary: beside the other merged entries in their order, or in the place of the merge key.
  private func index(
    ofMerged position: Int, in merged: [Entry], of dictionary: NodeID, _ source: Int, _ copies: TextCopies
  ) throws(FerryError) -> Int {
    let entries = try entries(of: dictionary)
    func index(of name: String) -> Int? { entries.lastIndex { $0.name.equals(name) } }
    for other in merged[..<position].reversed() { if let index = index(of: other.name) { return index + 1 } }
    for other in merged[(position + 1)...] { if let index = index(of: other.name) { return index } }
    let mergeKey = copies.mergeKeys[source] ?? 0
    return entries.firstIndex { $0.key >= list.firstNewNode || copies.positions[$0.key.index] > mergeKey }
      ?? entries.count
  }

  private func removeEntries(_ name: String, at trail: NodeTrail) throws(FerryError) {
    let entries = try entries(of: list.node(at: trail))
    for index in entries.indices.reversed() where entries[index].name.equals(name) {
      try list.remove(.value(index), of: trail)
    }
  }

  /// Inserts a copy of an entry into a dictionary.
  private func insertCopy(
    of entry: Entry, at index: Int, into trail: NodeTrail, _ copies: TextCopies, isMerged: Bool = false
  ) throws(FerryError) {
    let (key, value) = (try copy(of: entry.key), try copy(of: entry.value))
    if isMerged { list.copies.mergedKeys.insert(key) }
    try list.replaceEntries(index..<index, of: trail, by: [key], [value])
    let parent = try list.node(at: trail)
    // No source of the text is negative.
    let source = self.source(of: entry.value, copies) ?? -1 - entry.value.index
    if source < 0 { list.copies.addOwn(entry.value, source: source, in: entry.dictionary) }
    list.copies.addCopy(value, source: source, in: parent, insteadOf: nil)
  }
}

extension FerryError {
  /// The error of a change that is made at an anchor and its aliases.
  var ofAllAliases: FerryError {
    guard case .yaml(.sharedValue(let anchor)) = reason else { return self }
    var error = self
    error.reason = .yaml(.notAtAliases(anchor: anchor))
    return error
  }
}
