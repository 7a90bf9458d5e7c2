/// A renaming of classes and keys in one property list, and in the files nested in its data.
struct RenamingPass {
  private let renaming: ArchiveRenaming
  private let classes: [ExactString: String]
  private let nodes: any PropertyListNodes
  private let renamed: RenamedNodes
  /// The number of files around the property list.
  private let nesting: Int
  /// The changes, names and losses so far.
  private(set) var outcome = ArchiveRenaming.Outcome(bytes: [])

  init(_ renaming: ArchiveRenaming, in nodes: any PropertyListNodes, nesting: Int) {
    self.renaming = renaming
    classes = [ExactString: String](exactly: renaming.classes)
    self.nodes = nodes
    renamed = RenamedNodes(nodes)
    self.nesting = nesting
  }

  /// Returns the nodes with their new names, or nil if nothing has changed.
  mutating func run(isArchive: Bool) throws(FerryError) -> EditedPropertyList? {
    if isArchive {
      try rename(in: ArchiveObjects(nodes))
      if !renamed.list.isUnchanged { try renaming.checkObjects(of: nodes, renamed.list) }
    }
    if nesting < renaming.budget.nesting { try renameNested() }
    return renamed.list.isUnchanged ? nil : renamed.list
  }

  private mutating func rename(in archive: ArchiveObjects) throws(FerryError) {
    // The objects of a class share it. A class of a hostile file may have as many superclasses as the file has objects.
    var newKeys: [ObjectIdentifier: NewKeys] = [:]
    var isDone: Set<NodeID> = []
    for number in archive.numbers {
      let node = try archive.node(of: number)
      guard case .dictionary(let count) = try nodes.kind(of: node), isDone.insert(node).inserted else {
        continue
      }
      if try nodes.value("$classname", of: node) != nil {
        do throws(FerryError) {
          try renameClass(node, count: count)
        } catch {
          throw error.placed(path: ValuePath([.key("$objects"), .index(number.index)]))
        }
      } else if !renaming.exactKeys.isEmpty, let type = try archive.type(of: node, count: count) {
        let found = newKeys[ObjectIdentifier(type)] ?? NewKeys(of: type, among: renaming.exactKeys)
        newKeys[ObjectIdentifier(type)] = found
        guard !found.owners.isEmpty else { continue }
        for owner in found.owners { try outcome.names.addKeys(of: node, owner, count: count, nodes) }
        try renameKeys(of: node, count: count, to: found.names)
      }
    }
  }

  private mutating func renameClass(_ node: NodeID, count: Int) throws(FerryError) {
    let name = try nodes.value("$classname", of: node).flatMap { node throws(FerryError) in
      try nodes.string(node)
    }
    var values: [Int: NodeID] = [:]
    for index in 0..<count {
      let (key, value) = (try nodes.key(index, of: node), try nodes.value(index, of: node))
      if let old = try nodes.string(value), try nodes.isString(key, "$classname") {
        outcome.names.classes.insert(old)
        guard let new = classes[old] else { continue }
        guard !new.equals("NSObject") else { throw unfit("an NSObject has no archived keys", at: node) }
        values[index] = renamed.string(new, for: value)
        outcome.changes[.init(keyOf: nil, old: old, new: new, nesting: nesting), default: 0] += 1
      }
      guard case .array(let names) = try nodes.kind(of: value) else { continue }
      if try nodes.isString(key, "$classes") { try checkChain(value, count: names) }
      var elements: [Int: NodeID] = [:]
      for index in 0..<names {
        let element = try nodes.element(index, of: value)
        guard let old = try nodes.string(element) else { continue }
        outcome.names.classes.insert(old)
        guard let new = classes[old] else { continue }
        elements[index] = renamed.string(new, for: element)
        // The class itself, the first of its chain, counts once.
        guard name?.equals(old) != true else { continue }
        outcome.changes[.init(keyOf: nil, old: old, new: new, nesting: nesting), default: 0] += 1
      }
      try renamed.list.replaceChildren(of: value, by: elements)
    }
    try renamed.list.replaceChildren(of: node, by: values)
  }

  /// Throws if two classes in a list of a class and its superclasses get the same name.
  private func checkChain(_ list: NodeID, count: Int) throws(FerryError) {
    var olds: [ExactString: String] = [:]
    for index in 0..<count {
      guard let old = try nodes.string(nodes.element(index, of: list)) else { continue }
      let new = classes[old] ?? old
      if let other = olds.updateValue(old, forKey: ExactString(new)), !other.equals(old) {
        throw unfit("\(MessageText.name(new)) would be its own superclass", at: list)
      }
    }
  }

  private func unfit(_ why: String, at node: NodeID) -> FerryError {
    FerryError(.archive(.unfitName(why)), at: nodes.location(of: node))
  }

  /// A new archived key, with the class whose key it is.
  private struct NewKey {
    let name: String
    let owner: String
  }

  /// The new keys of the objects of a class: its own, and those of its superclasses.
  private struct NewKeys {
    /// The class and those of its superclasses that have new keys.
    var owners: [String] = []
    /// The new keys by the old ones.
    var names: [ExactString: NewKey] = [:]

    init(of type: ObjectClass, among keys: [ExactString: [ExactString: String]]) {
      var visited: Set<ExactString> = []
      // A class without a list of superclasses has at least its own name.
      for owner in [type.name] + type.chain {
        guard let own = keys[owner], visited.insert(ExactString(owner)).inserted else { continue }
        owners.append(owner)
        // The new name that a class gives a key replaces that of its superclass.
        for (old, new) in own where names[old] == nil { names[old] = NewKey(name: new, owner: owner) }
      }
    }
  }

  private mutating func renameKeys(
    of node: NodeID, count: Int, to names: [ExactString: NewKey]
  ) throws(FerryError) {
    var renamedKeys: [Int: NodeID] = [:]
    var (present, taken): (Set<ExactString>, Set<ExactString>) = ([], [])
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      guard let old = try nodes.string(key) else { continue }
      let new = names[old]
      let name = new?.name ?? old
      if !present.insert(name).inserted, new != nil || taken.contains(old) {
        throw FerryError(
          .archive(.badEvents("the object already has a key \(MessageText.quoted(name))")),
          at: nodes.location(of: node))
      }
      guard let new else { continue }
      taken.insert(name)
      renamedKeys[index] = renamed.string(name, for: key)
      outcome.changes[.init(keyOf: new.owner, old: old, new: name, nesting: nesting), default: 0] += 1
    }
    try renamed.list.replaceChildren(of: node, by: [:], keys: renamedKeys)
  }

  /// Renames in the property lists and archives nested in data.
  private mutating func renameNested() throws(FerryError) {
    // Overlapping objects in a hostile file may each refer to all others. A valid file has at most one
    // reference for each byte.
    var rest = nodes.byteCount
    // Data with many references is opened once.
    var opened: Set<NodeID> = []
    var replacements: [NodeID: NodeID] = [:]
    for index in 0..<nodes.nodeCount {
      let node = NodeID(index)
      guard var children = NodeChildren(of: node, try nodes.kind(of: node)) else { continue }
      guard children.count <= rest else { throw FerryError(.propertyList(.overlapping)) }
      rest -= children.count
      var new: [Int: NodeID] = [:]
      for index in 0..<children.count {
        guard let child = try children.next(in: nodes), try nodes.kind(of: child) == .data else { continue }
        if opened.insert(child).inserted, let bytes = try renamedData(child) {
          replacements[child] = renamed.data(bytes, for: child)
        }
        new[index] = replacements[child]
      }
      try renamed.list.replaceChildren(of: node, by: new)
    }
  }

  /// Returns the new bytes of data that contains an archive, or nil if nothing in it changes.
  private mutating func renamedData(_ node: NodeID) throws(FerryError) -> [UInt8]? {
    let bytes = try nodes.withData(of: node) { bytes throws(FerryError) in [UInt8](copying: bytes) }
    guard let nested = NestedData(bytes, budget: renaming.budget) else { return nil }
    switch nested.kind {
    case .json, .typedstream: return nil
    case .propertyList, .keyedArchive: break
    }
    var found = ArchiveRenaming.Outcome(bytes: [])
    defer { outcome.add(found) }
    do throws(FerryError) {
      return try renaming.apply(to: bytes, nesting: nesting + 1, &found)
    } catch {
      (found.changes, found.losses) = ([:], Losses())
      // An invalid document nested in data does not make the archive invalid. A source location inside the
      // data would be mistaken for one of the file.
      switch error.reason {
      case .archive(.unfitName), .archive(.badEvents), .archive(.rawReference):
        throw FerryError(error.reason, at: nodes.location(of: node))
      default: return nil
      }
    }
  }
}
