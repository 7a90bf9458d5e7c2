/// Changes of values of a text that others copy, such as the value of an anchor in YAML. The change is made at the value in its own place,
/// where the text has it, and then at all of its copies, so that the changed text is read with the changed values.
///
///     a: &x {n: 1}      n of a is 2     a: &x {n: 2}
///     b: *x             ▸               b: *x             its copy of n is 2, too
struct AliasEditor {
  let file: EditableFile
  /// The copies in the text before any changes.
  let copies: TextCopies

  private var list: EditedPropertyList { file.list }

  /// A value in its own place or a copy of it, or the same part of one.
  private struct SharedPart {
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
  func apply(
    _ change: EditableFile.Change, _ last: ValuePath.Step?, at location: ValueLocation,
    _ make: (ValueLocation) throws(FerryError) -> Void
  ) throws(FerryError) {
    list.copies.noteGiven(location.trail)
    // An entry that a merge key adds is one of the dictionary that is merged.
    let location =
      switch change {
      case .remove, .rename: try originalLocation(of: location, around: last)
      case .set, .insert, .setOrInsert: location
      }
    guard let part = try sharedPart(of: location.trail), isShared(part.source), let own = try own(part.source)
    else { return try make(location) }
    let others = try copiedLocations(of: part)
    let changed = try self.location(own.trail, part.rest)
    try make(changed)
    let new = try list.node(at: changed.trail)
    guard case .set = change else {
      list.copies.noteChange(at: changed.trail)
      guard case .key(let name)? = last, case .dictionary = try list.kind(of: new), part.rest.isEmpty else {
        for other in others {
          try make(other)
          list.copies.noteChange(at: other.trail)
        }
        return
      }
      if case .rename(let key, _) = change {
        return try renameEntry(name, to: key, of: part.source, at: others, make)
      }
      if case .remove = change { try uncoverEntry(name, of: part.source) }
      return try updateEntry(name, of: part.source)
    }
    guard new != changed.node else { return }
    list.copies.noteChange(at: changed.trail)
    try putCopies(of: new, at: others, part, own: changed.trail)
    if part.rest.isEmpty, copies.mergers[part.source] != nil {
      try updateAllMergedEntries(of: part.source)
    }
  }

  /// Returns the location in its own place of the collection around a part, for the location of this collection or of a copy.
  func originalLocation(
    of location: ValueLocation, around last: ValuePath.Step?
  ) throws(FerryError) -> ValueLocation {
    guard let part = try sharedPart(of: location.trail), isShared(part.source), let own = try own(part.source)
    else { return location }
    let original = try self.location(own.trail, part.rest)
    // A merged entry is one of the dictionary that is merged.
    guard case .key(let name)? = last, part.rest.isEmpty,
      let index = try indices(of: name, in: original.node).last,
      try file.isMerged(list.key(index, of: original.node)),
      let merged = try mergedEntry(name, of: part.source),
      let own = try self.own(merged.source)
    else { return original }
    return ValueLocation(trail: own.trail, node: own.node)
  }

  // MARK: Places

  private func source(of node: NodeID) -> Int? {
    list.copies.sources[node] ?? (node < list.firstNewNode ? copies.sources[node.index] : nil)
  }

  private func isShared(_ source: Int) -> Bool {
    copies.values[source] != nil || list.copies.values[source] != nil
  }

  /// Returns the shared part at a trail: that of the last value with a source on the trail. Nil if none has one.
  private func sharedPart(of trail: NodeTrail) throws(FerryError) -> SharedPart? {
    var node = list.root
    var part = source(of: node).map { SharedPart(source: $0, rest: trail.children) }
    for (index, child) in trail.children.enumerated() {
      node = try list.node(child, of: node)
      guard let source = source(of: node) else { continue }
      part = SharedPart(source: source, rest: Array(trail.children[(index + 1)...]))
    }
    return part
  }

  /// Returns the value with a source in its own place. Nil if the file does not have the value, as for a dictionary inside a merge key.
  private func own(_ source: Int) throws(FerryError) -> (node: NodeID, trail: NodeTrail)? {
    for node in [list.copies.values[source]?.own, copies.values[source]?.own] {
      if let node, let trail = try trail(to: node) { return (node, trail) }
    }
    return nil
  }

  /// Returns the locations of the copies of a value, or of the same part of them.
  private func copiedLocations(of part: SharedPart) throws(FerryError) -> [ValueLocation] {
    var locations: [ValueLocation] = []
    let source = part.source
    let inText = (copies.values[source]?.copies ?? []).filter { !list.copies.replaced.contains($0) }
    for node in inText + (list.copies.values[source]?.copies ?? []) {
      if let trail = try trail(to: node) { locations.append(try location(trail, part.rest)) }
    }
    return locations
  }

  private func location(_ trail: NodeTrail, _ rest: [NodeTrail.Child]) throws(FerryError) -> ValueLocation {
    let trail = NodeTrail(children: trail.children + rest)
    return ValueLocation(trail: trail, node: try list.node(at: trail))
  }

  /// Returns the trail to a value, or nil if the file does not have it any more, or has it as a key.
  private func trail(to node: NodeID) throws(FerryError) -> NodeTrail? {
    var (node, children) = (node, [NodeTrail.Child]())
    while node != list.root {
      let parent = list.copies.parents[node] ?? (node < list.firstNewNode ? copies.parents[node.index] : nil)
      guard let parent, let child = try file.childIndices.child(node, of: parent, in: list) else {
        return nil
      }
      children.append(child)
      node = parent
    }
    return NodeTrail(children: children.reversed())
  }

  // MARK: Values

  /// Adds a copy of a value. Throws if the copies would fill the memory: a few large values may have many aliases.
  private func copy(of node: NodeID) throws(FerryError) -> NodeID {
    let copy = try list.add(value: list.builtValue(of: node))
    let size = list.base.byteCount
    guard list.byteCount - size <= file.options.budget.allowance(forInputBytes: size) else {
      throw file.options.budget.overAmplification
    }
    return copy
  }

  /// Puts copies of a new value at the locations of the copies of the old one.
  private func putCopies(
    of new: NodeID, at others: [ValueLocation], _ part: SharedPart, own trail: NodeTrail
  ) throws(FerryError) {
    if part.rest.isEmpty, let parent = try parent(of: trail) {
      list.copies.addOwn(new, source: part.source, in: parent)
      file.childIndices.note(trail.children.last, to: new)
    }
    for other in others {
      let copy = try copy(of: new)
      try list.put(copy, at: other.trail)
      list.copies.noteChange(at: other.trail)
      file.childIndices.note(other.trail.children.last, to: copy)
      if part.rest.isEmpty, let parent = try parent(of: other.trail) {
        list.copies.addCopy(copy, source: part.source, in: parent, insteadOf: other.node)
      }
    }
  }

  private func parent(of trail: NodeTrail) throws(FerryError) -> NodeID? {
    trail.children.isEmpty ? nil : try list.node(at: trail.parent)
  }

  // MARK: Entries

  /// Returns the entries of a dictionary; none for other values.
  private func entries(of dictionary: NodeID) throws(FerryError) -> [Entry] {
    var entries: [Entry] = []
    for index in try 0..<count(of: dictionary) {
      let name = try file.walker.text(ofKey: list.key(index, of: dictionary)) ?? ""
      entries.append(try entry(index, of: dictionary, name))
    }
    return entries
  }

  /// Returns the indices of the entries of a dictionary whose keys have a text; none for other values.
  private func indices(of name: String, in dictionary: NodeID) throws(FerryError) -> [Int] {
    let count = try count(of: dictionary)
    if let table = try list.keyTable(of: dictionary, count: count), table.hasOnlyUniqueStrings {
      return table.last(name).map { [$0] } ?? []
    }
    var indices: [Int] = []
    for index in 0..<count where try file.walker.text(ofKey: list.key(index, of: dictionary)).equals(name) {
      indices.append(index)
    }
    return indices
  }

  /// Returns the number of entries of a dictionary; 0 for other values.
  private func count(of dictionary: NodeID) throws(FerryError) -> Int {
    guard case .dictionary(let count) = try list.kind(of: dictionary) else { return 0 }
    return count
  }

  private func entry(_ index: Int, of dictionary: NodeID, _ name: String) throws(FerryError) -> Entry {
    let (key, value) = (try list.key(index, of: dictionary), try list.value(index, of: dictionary))
    return Entry(dictionary: dictionary, name: name, key: key, value: value)
  }

  /// Returns the entries of a dictionary with those that its merge keys add, in the order in which the text is read.
  private func mergedEntries(of source: Int) throws(FerryError) -> [Entry] {
    guard let own = try own(source) else { return [] }
    var (found, known) = ([(position: Int, entry: Entry)](), Set<ExactString>())
    for entry in try entries(of: own.node) where try !file.isMerged(entry.key) {
      known.insert(ExactString(entry.name))
      found.append((entry.key < list.firstNewNode ? copies.positions[entry.key.index] : .max, entry))
    }
    let written = Set(copies.merged[source, default: []].map(\.source))
    for merged in copies.mergeOrder(of: source) {
      guard let other = try mergedDictionary(merged.source) else { continue }
      for entry in try entries(of: other) where try !file.isMerged(entry.key) {
        guard known.insert(ExactString(entry.name)).inserted else { continue }
        // The entries that a merge key writes are between those of the dictionary around it.
        let own = written.contains(merged.source) ? list.copies.listedPositions[entry.key] : nil
        found.append((own ?? merged.position, entry))
      }
    }
    // The order of entries at one position stays.
    return found.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element.entry)
  }

  /// Returns the entry with a name that the merge key of a dictionary adds, and the source of the dictionary that has it in its own place.
  private func mergedEntry(
    _ name: String, of source: Int
  ) throws(FerryError) -> (entry: Entry, source: Int)? {
    for merged in copies.mergeOrder(of: source) {
      guard let dictionary = try mergedDictionary(merged.source) else { continue }
      for index in try indices(of: name, in: dictionary) {
        let entry = try entry(index, of: dictionary, name)
        if try !file.isMerged(entry.key) { return (entry, merged.source) }
      }
    }
    return nil
  }

  /// Returns the value that a merge key adds to a dictionary under a name after the changes so far. Nil if there is none.
  func mergedValue(_ name: String, in dictionary: NodeID) throws(FerryError) -> Value? {
    guard let source = source(of: dictionary), let entry = try mergedEntry(name, of: source)?.entry else {
      return nil
    }
    return try list.builtValue(of: entry.value)
  }

  /// Returns a dictionary that others merge: a value of the file, or a node with the hidden entries of one that is written in a merge key.
  private func mergedDictionary(_ source: Int) throws(FerryError) -> NodeID? {
    if let own = try own(source) { return own.node }
    if let known = list.copies.listed[source] { return known }
    guard let entries = copies.listed[source] else { return nil }
    var (keys, values): ([NodeID], [NodeID]) = ([], [])
    for entry in entries {
      keys.append(try list.add(value: entry.key))
      values.append(try list.add(value: entry.value))
    }
    let dictionary = list.add(.dictionary(keys: keys, values: values))
    list.copies.addListed(dictionary, source: source, keys, values, of: entries)
    return dictionary
  }

  /// Gives a dictionary without its own entry the one that a merge key adds with the same name.
  private func uncoverEntry(_ name: String, of source: Int) throws(FerryError) {
    guard copies.merged[source] != nil, try updateMergedEntry(name, of: source) != nil else { return }
    list.copies.unorderedMergers.insert(source)
  }

  /// Gives the copies of a dictionary, and those that merge it, the entry that it has now, or removes theirs.
  private func updateEntry(_ name: String, of source: Int) throws(FerryError) {
    try updateCopiedEntry(name, of: source)
    try updateMergers(withEntry: name, of: source)
  }

  /// Gives the entry of the copies another key, which that of the dictionary has. They keep their order.
  ///
  /// - Parameter rename: Gives the entry at a location the other key.
  private func renameEntry(
    _ name: String, to key: String, of source: Int, at others: [ValueLocation],
    _ rename: (ValueLocation) throws(FerryError) -> Void
  ) throws(FerryError) {
    for other in others {
      try rename(other)
      list.copies.noteChange(at: other.trail)
    }
    try uncoverEntry(name, of: source)
    for name in [name, key] { try updateMergers(withEntry: name, of: source) }
  }

  /// Gives the dictionaries that merge another one the entry with a name that it has now, or removes theirs.
  private func updateMergers(withEntry name: String, of source: Int) throws(FerryError) {
    try forEachMerger(of: source) { merger throws(FerryError) in
      guard let own = try updateMergedEntry(name, of: merger) else { return false }
      list.copies.noteChange(at: own)
      list.copies.unorderedMergers.insert(merger)
      try updateCopiedEntry(name, of: merger)
      return true
    }
  }

  /// Calls a function with each dictionary that merges another one, and with those that merge these if the function returns true. A dictionary
  /// follows those that it merges.
  private func forEachMerger(of source: Int, _ update: (Int) throws(FerryError) -> Bool) throws(FerryError) {
    var changed: Set<Int> = [source]
    for next in copies.mergerOrder(of: source)
    where copies.merged[next]?.contains(where: { changed.contains($0.source) }) == true {
      if try update(next) { changed.insert(next) }
    }
  }

  private func updateCopiedEntry(_ name: String, of source: Int) throws(FerryError) {
    guard let own = try own(source) else { return }
    let index = try indices(of: name, in: own.node).last
    for other in try copiedLocations(of: SharedPart(source: source, rest: [])) {
      try removeEntries(name, at: other.trail)
      if let index { try appendCopy(of: entry(index, of: own.node, name), to: other.trail) }
      list.copies.noteChange(at: other.trail)
    }
  }

  /// Updates an entry that the merge key of a dictionary adds. Returns the trail to the dictionary, or nil if the entry stays as it is.
  private func updateMergedEntry(_ name: String, of source: Int) throws(FerryError) -> NodeTrail? {
    guard let own = try own(source) else { return nil }
    let old = try indices(of: name, in: own.node).last.map { index throws(FerryError) in
      try entry(index, of: own.node, name)
    }
    if let old, try !file.isMerged(old.key) { return nil }
    let new = try mergedEntry(name, of: source)?.entry
    if let old, let new, isCopy(old.value, of: new.value) { return nil }
    try removeEntries(name, at: own.trail)
    if let new { try appendCopy(of: new, to: own.trail, isMerged: true) }
    return old == nil && new == nil ? nil : own.trail
  }

  /// Returns true if a value is a copy of another one.
  private func isCopy(_ copy: NodeID, of value: NodeID) -> Bool {
    source(of: copy).map { $0 == source(of: value) } ?? false
  }

  /// Gives the dictionaries that merge a new one its entries.
  private func updateAllMergedEntries(of source: Int) throws(FerryError) {
    try forEachMerger(of: source) { merger throws(FerryError) in
      guard let changed = try putMergedEntries(of: merger) else { return false }
      for trail in changed { list.copies.noteChange(at: trail) }
      return true
    }
  }

  /// Puts entries that changes have added by merge keys into the order in which the changed text is read.
  func orderMergedEntries() throws(FerryError) {
    for merger in list.copies.unorderedMergers { _ = try putMergedEntries(of: merger, addingMissing: false) }
    list.copies.unorderedMergers = []
  }

  /// Gives a dictionary and its copies the entries that it merges. Returns the trails to them, or nil if they have all of them in order.
  ///
  /// - Parameter addsMissing: False to leave out the entries that the dictionary lacks. If a change has removed one that the changed text
  ///   would merge, the comparison with this text finds it.
  private func putMergedEntries(
    of source: Int, addingMissing addsMissing: Bool = true
  ) throws(FerryError) -> [NodeTrail]? {
    guard let own = try own(source) else { return nil }
    var wanted = try mergedEntries(of: source)
    if !addsMissing {
      let names = Set(try entries(of: own.node).map { ExactString($0.name) })
      wanted.removeAll { !names.contains(ExactString($0.name)) }
    }
    guard try put(wanted, at: own.trail, areMerged: true) else { return nil }
    let dictionary = try list.node(at: own.trail)
    let others = try copiedLocations(of: SharedPart(source: source, rest: []))
    for other in others { _ = try put(entries(of: dictionary), at: other.trail, areMerged: false) }
    return [own.trail] + others.map(\.trail)
  }

  /// Gives a dictionary exactly the entries of a list, each as itself or as a copy. A copy that the dictionary has stays. Returns false if it
  /// has them all.
  private func put(_ wanted: [Entry], at trail: NodeTrail, areMerged: Bool) throws(FerryError) -> Bool {
    let dictionary = try list.node(at: trail)
    let old = try entries(of: dictionary)
    let known: [ExactString: Entry] = old.reduce(into: [:]) { $0[ExactString($1.name)] = $1 }
    var (new, added) = ([Entry](), [(index: Int, of: Entry)]())
    for entry in wanted {
      if entry.dictionary == dictionary {
        new.append(entry)
      } else if let copy = known[ExactString(entry.name)], isCopy(copy.value, of: entry.value) {
        new.append(copy)
      } else {
        added.append((new.count, entry))
        let (key, value) = (try copy(of: entry.key), try copy(of: entry.value))
        if areMerged { list.copies.mergedKeys.insert(key) }
        new.append(Entry(dictionary: dictionary, name: entry.name, key: key, value: value))
      }
    }
    guard new.map(\.value) != old.map(\.value) else { return false }
    try list.replaceEntries(0..<old.count, of: trail, by: new.map(\.key), new.map(\.value))
    for (index, entry) in added { try noteCopy(new[index].value, of: entry, at: index, in: trail) }
    return true
  }

  private func removeEntries(_ name: String, at trail: NodeTrail) throws(FerryError) {
    for index in try indices(of: name, in: list.node(at: trail)).reversed() {
      try list.remove(.value(index), of: trail)
    }
  }

  /// Adds a copy of an entry at the end of a dictionary, where it keeps the table of the keys valid.
  private func appendCopy(of entry: Entry, to trail: NodeTrail, isMerged: Bool = false) throws(FerryError) {
    let (key, value) = (try copy(of: entry.key), try copy(of: entry.value))
    if isMerged { list.copies.mergedKeys.insert(key) }
    let index = try count(of: list.node(at: trail))
    try list.replaceEntries(index..<index, of: trail, by: [key], [value])
    try noteCopy(value, of: entry, at: index, in: trail)
  }

  /// Notes that the value of a new entry is a copy of that of another one.
  private func noteCopy(
    _ copy: NodeID, of entry: Entry, at index: Int, in trail: NodeTrail
  ) throws(FerryError) {
    // No source of the text is negative.
    let source = self.source(of: entry.value) ?? -1 - entry.value.index
    if source < 0 { list.copies.addOwn(entry.value, source: source, in: entry.dictionary) }
    try list.copies.addCopy(copy, source: source, in: list.node(at: trail), insteadOf: nil)
    file.childIndices.note(.value(index), to: copy)
  }
}
