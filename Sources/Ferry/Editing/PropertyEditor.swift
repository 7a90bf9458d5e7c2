/// An editor that sets, inserts, renames and removes values in a property list, or in the decoded objects of an
/// archive.
struct PropertyEditor {
  let list: EditedPropertyList
  let walker: PathWalker
  /// The editor of the archive, or nil for a property list.
  let archive: ArchiveEditor?

  /// Replaces a value.
  func set(_ value: Value, at location: ValueLocation) throws(FerryError) {
    guard let archive else { return try list.put(list.add(value: value), at: location.trail) }
    try archive.set(value, at: location)
    try archive.finish()
  }

  // MARK: Inserting

  /// Inserts an element before the one at a step or at the end. In a dictionary, adds an entry with a new
  /// key.
  func insert(_ value: Value, _ step: ValuePath.Step, into location: ValueLocation) throws(FerryError) {
    let parts = try walker.parts(of: location)
    switch step {
    case .index, .end:
      guard parts.isList else {
        throw try walker.noStep(step, at: location)
      }
      try insert(value, at: try index(step, in: parts), into: parts, of: location)
    case .key(let key):
      if parts.isList, let index = step.indexInList {
        return try insert(value, .index(index), into: location)
      }
      try insert(value, key: key, into: parts, of: location)
    case .slice: throw FerryError(.path(.severalValues))
    case .filter:
      throw try walker.noStep(step, at: location)
    }
    try archive?.finish()
  }

  /// Returns the index for a new element: the index of the element that it precedes, or the count.
  private func index(_ step: ValuePath.Step, in parts: NodeParts) throws(FerryError) -> Int {
    guard case .index(let index) = step, index != parts.count else { return parts.count }
    return try ValuePath.elementIndex(index, count: parts.count)
  }

  private func insert(
    _ value: Value, at index: Int, into parts: NodeParts, of location: ValueLocation
  ) throws(FerryError) {
    switch parts {
    case .elements(let array, let count):
      guard let archive else { return try list.insert(list.add(value: value), at: index, of: array.trail) }
      if array.trail == archive.objects {
        throw FerryError(.path(.cannotPut("a new object", "objects refer to each other by their numbers")))
      }
      let isObject = try walker.type(of: walker.target(of: location)) != nil
      let holdsReferences = count == 0 ? true : try list.kind(of: list.element(0, of: array.node)).isReference
      try archive.insert(value, at: index, of: array.trail, isInline: !isObject && !holdsReferences)
    case .numbered(let object, let entries):
      try archive?.insertNumbered(
        value, at: index, into: NumberedEntries(elements: entries), of: object.trail)
    case .decodedObject(let location, _):
      if try archive?.hasFixedCount(at: location) == true {
        throw FerryError(.path(.cannotInsert(Self.fixedCount)))
      }
      try archive?.changeList(at: location) { $0.insert(value.scalar, at: index) }
    default: break
    }
  }

  private func insert(
    _ value: Value, key: String, into parts: NodeParts, of location: ValueLocation
  ) throws(FerryError) {
    if try walker.index(of: key, in: parts) != nil { throw FerryError(.path(.exists(key))) }
    switch parts {
    case .entries(let dictionary, let count, let isObject):
      guard let archive else {
        let key = try newKey(key, of: dictionary.node, count)
        return try list.append(list.add(value: key), list.add(value: value), to: dictionary.trail)
      }
      let key = isObject ? key.asArchivedKey : key
      try archive.append(key, archive.field(value, key: key, of: dictionary.node), to: dictionary.trail)
    case .pairs(let keys, let values, let count):
      try archive?.insert(Value(pathText: key), at: count, of: keys.trail, isInline: false)
      try archive?.insert(value, at: count, of: values.trail, isInline: false)
    case .numberedPairs(let object, let keys, let values):
      let entries = NumberedEntries(elements: values, keys: keys)
      try archive?.insertNumbered(
        value, key: Value(pathText: key), at: keys.count, into: entries, of: object.trail)
    case .none, .elements, .numbered, .decodedObject:
      throw try walker.noKeys(key, in: parts, at: location)
    }
  }

  /// Returns the value of a new key, of the type of the keys that a dictionary has. If all keys have been removed, it has the type of
  /// the removed keys.
  private func newKey(
    _ text: String, of dictionary: NodeID, _ count: Int
  ) throws(FerryError) -> Value {
    guard list.capabilities.contains(.objectKeys) else {
      return list.capabilities.contains(.surrogates) ? Value(pathText: text) : .string(text)
    }
    if try list.keyTable(of: dictionary, count: count)?.hasOnlyUniqueStrings == true { return .string(text) }
    let isEmptied = count == 0 && dictionary < list.firstNewNode
    let nodes: any PropertyListNodes = isEmptied ? list.base : list
    guard case .dictionary(let count) = try nodes.kind(of: dictionary) else { return .string(text) }
    return try NewKey.value(of: text, besides: count) { index throws(FerryError) in
      try nodes.builtValue(of: nodes.key(index, of: dictionary))
    }
  }

  /// The reason why a list of components neither gets nor loses an element.
  private static let fixedCount = "the color space determines the number of components"

  // MARK: Ordering

  /// Moves the elements of a list: the element at each index comes from an index.
  func order(_ order: [Int], at location: ValueLocation) throws(FerryError) {
    switch try walker.parts(of: location) {
    case .elements(let array, _): try list.order(order, of: array.trail)
    case .numbered(let object, let entries):
      let nodes = try entries.map { entry throws(FerryError) in try list.value(entry, of: object.node) }
      var moved: [Int: NodeID] = [:]
      for (entry, index) in zip(entries, order) { moved[entry] = nodes[index] }
      try archive?.move(moved, in: object.trail)
    case .decodedObject(let location, _):
      try archive?.changeList(at: location) { list in list = order.map { list[$0] } }
    default: break
    }
    try archive?.finish()
  }

  // MARK: Renaming

  /// Gives all entries with the key at a step another key. They keep their values and their order.
  ///
  /// - Parameter replaces: True to remove the entries that have the other key; otherwise these are an error.
  func rename(
    _ step: ValuePath.Step, to key: String, in location: ValueLocation, replacing replaces: Bool
  ) throws(FerryError) {
    var (location, parts) = (location, try walker.parts(of: location))
    // Throws the error of a missing entry before that of the other key.
    _ = try index(of: step, in: parts, at: location)
    guard !parts.isList else { throw try walker.noKeys(key, in: parts, at: location) }
    if try walker.index(of: key, in: parts) != nil {
      guard replaces else { throw FerryError(.path(.exists(key))) }
      try remove(.key(key), from: location)
      // The value may get the place of the removed one.
      list.carriesTexts = true
      location.node = try list.node(at: location.trail)
      parts = try walker.parts(of: location)
    }
    let index = try index(of: step, in: parts, at: location)
    for entry in try walker.indices(ofKeyAt: index, in: parts) {
      try rename(entry, to: key, in: walker.parts(of: location))
      // The change may copy the collection.
      location.node = try list.node(at: location.trail)
    }
    try archive?.finish()
  }

  private func rename(_ index: Int, to key: String, in parts: NodeParts) throws(FerryError) {
    switch parts {
    case .entries(let dictionary, let count, let isObject):
      if isObject, try list.isString(list.key(index, of: dictionary.node), "$class") {
        throw FerryError(.path(.cannotRemove("an object needs its class")))
      }
      let new: Value =
        if archive != nil {
          .string(isObject ? key.asArchivedKey : key)
        } else {
          try newKey(key, of: dictionary.node, count)
        }
      try list.rename(index, of: dictionary.trail, to: list.add(value: new))
    case .pairs(let keys, _, _):
      guard let archive else { return }
      try archive.move(
        archive.reference(to: Value(pathText: key)), to: keys.trail.appending(.element(index)))
    case .numberedPairs(let object, let keys, _):
      guard let archive else { return }
      try archive.move([keys[index]: archive.reference(to: Value(pathText: key))], in: object.trail)
    case .none, .elements, .numbered, .decodedObject: break
    }
  }

  // MARK: Removing

  /// Removes the element at a step, or all entries with the key at a step: a second one would otherwise become
  /// the value of the key.
  func remove(_ step: ValuePath.Step, from location: ValueLocation) throws(FerryError) {
    let parts = try walker.parts(of: location)
    let index = try index(of: step, in: parts, at: location)
    var location = location
    for entry in try walker.indices(ofKeyAt: index, in: parts).reversed() {
      try remove(entry, from: walker.parts(of: location))
      // A removal may copy the collection.
      location.node = try list.node(at: location.trail)
    }
    try archive?.finish()
  }

  private func remove(_ index: Int, from parts: NodeParts) throws(FerryError) {
    switch parts {
    case .none: break
    case .elements(let array, _):
      if let archive, array.trail == archive.objects {
        throw FerryError(.path(.cannotRemove("other objects refer to this one by its number")))
      }
      try remove(.element(index), of: array.trail)
    case .entries(let dictionary, _, let isObject):
      if isObject, try list.isString(list.key(index, of: dictionary.node), "$class") {
        throw FerryError(.path(.cannotRemove("an object needs its class")))
      }
      try remove(.value(index), of: dictionary.trail)
    case .decodedObject(let location, _):
      if try archive?.hasFixedCount(at: location) == true {
        throw FerryError(.path(.cannotRemove(Self.fixedCount)))
      }
      try archive?.changeList(at: location) { $0.remove(at: index) }
    case .pairs(let keys, let values, _):
      try remove(.element(index), of: keys.trail)
      try remove(.element(index), of: values.trail)
    case .numbered(let object, let entries):
      try archive?.removeNumbered(index, from: NumberedEntries(elements: entries), of: object.trail)
    case .numberedPairs(let object, let keys, let values):
      try archive?.removeNumbered(
        index, from: NumberedEntries(elements: values, keys: keys), of: object.trail)
    }
  }

  /// Returns the index of the element or entry at a step. Throws if there is none that can be removed.
  func index(
    of step: ValuePath.Step, in parts: NodeParts, at location: ValueLocation
  ) throws(FerryError) -> Int {
    switch step {
    case .index, .key:
      if parts.isList, let index = step.indexInList {
        return try ValuePath.elementIndex(index, count: parts.count)
      }
      guard case .key(let key) = step else { throw try walker.noStep(step, at: location) }
      if let index = try walker.index(of: key, in: parts) { return index }
      // If there is no such value, following the step throws the error.
      let isPart = try walker.step(step, from: location) != nil
      let owner = try walker.name(of: location)
      guard isPart else { throw FerryError(.path(.noStep(step.inWords, into: owner))) }
      throw FerryError(.path(.cannotRemove("it is a part of \(owner) (set gives it another value)")))
    case .slice: throw FerryError(.path(.severalValues))
    case .end where parts.isList: throw FerryError(.path(.afterLast))
    default: throw try walker.noStep(step, at: location)
    }
  }

  private func remove(_ child: NodeTrail.Child, of trail: NodeTrail) throws(FerryError) {
    guard let archive else { return try list.remove(child, of: trail) }
    try archive.remove(child, of: trail)
  }
}

extension NodeKind {
  /// True if the node is a reference to an archived object.
  fileprivate var isReference: Bool {
    if case .uid = self { true } else { false }
  }
}
