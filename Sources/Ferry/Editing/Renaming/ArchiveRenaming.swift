/// A renaming of classes, and of the archived keys of their objects, in an archive and in archives nested in
/// its data.
///
///     var renaming = ArchiveRenaming()
///     renaming.classes["Person"] = "MyApp.Person"
///     renaming.keys["Person"] = ["first": "firstName"]
///     let outcome = try renaming.apply(to: archiveBytes)
///     // outcome.changes: [class Person → MyApp.Person: 1, key Person.first → firstName: 3]
///
/// Every object keeps its number and its position, and XML keeps its text. Renaming back restores the original bytes unless the name of a
/// class or a key is also another string in the archive: the renamed archive does not show whether both were one object, so Ferry takes the
/// more likely case.
public struct ArchiveRenaming: Hashable, Sendable {
  /// The new class names, by old name. Superclasses are renamed too, in the `$classes` of their subclasses.
  public var classes: [String: String] = [:]
  /// The new archived keys, by old class name and old key. They are renamed in objects of subclasses, too, which have the keys of their
  /// superclasses. Of two names that are canonically equivalent, such as Å as one scalar and as two, the dictionary has only one, and
  /// `renameKey(_:ofClass:to:)` can rename both.
  public var keys: [String: [String: String]] {
    get {
      var keys: [String: [String: String]] = [:]
      for (type, names) in exactKeys {
        for (old, new) in names { keys[type.string, default: [:]][old.string] = new }
      }
      return keys
    }
    set {
      exactKeys = [:]
      for (type, names) in newValue { exactKeys[type] = [ExactString: String](exactly: names) }
    }
  }
  /// The new archived keys, by the bytes of the old names.
  private(set) var exactKeys: [ExactString: [ExactString: String]] = [:]
  /// True to rename also if an object cannot be read with its new name, as a damaged object that gets its first name back.
  public var acceptsUnfitObjects = false
  /// The limits on the cost of the archives.
  public var budget = Budget()

  /// Creates an empty renaming.
  public init() {}

  /// Renames a key of the objects of a class and its subclasses.
  public mutating func renameKey(_ old: String, ofClass type: String, to new: String) {
    exactKeys[type, default: [:]][old] = new
  }

  /// A name that was changed.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The old name of the class whose key was renamed, or nil if a class was renamed.
    public var keyOf: String?
    /// The old name.
    public var old: String
    /// The new name.
    public var new: String
    /// The nesting depth of the archive in data, or 0 for the outermost archive.
    public var nesting: Int

    public static func == (a: Change, b: Change) -> Bool {
      a.keyOf.equals(b.keyOf) && a.old.equals(b.old) && a.new.equals(b.new) && a.nesting == b.nesting
    }

    public func hash(into hasher: inout Hasher) {
      old.hashBytes(into: &hasher)
      new.hashBytes(into: &hasher)
      hasher.combine(nesting)
    }

    public var description: String {
      let nestingSuffix = nesting == 0 ? "" : " (in data, \(nesting) deep)"
      return keyOf.map { "key \($0).\(old) → \(new)\(nestingSuffix)" }
        ?? "class \(old) → \(new)\(nestingSuffix)"
    }
  }

  /// The result of a renaming.
  public struct Outcome: Hashable, Sendable {
    /// The bytes of the renamed file, or the original bytes if there was nothing to rename.
    public var bytes: [UInt8]
    /// The number of occurrences of each change.
    public var changes: [Change: Int] = [:]
    /// The names in the file's archives before the renaming.
    public var names = Names()
    /// The comments, processing instructions and attributes inside renamed names in XML, which are left out.
    public var losses = Losses()
  }

  /// Renames classes and keys. If the file is not an archive, archives nested in its data are renamed.
  ///
  /// - Throws: A `FerryError` if the file is not valid.
  public func apply(to bytes: [UInt8]) throws(FerryError) -> Outcome {
    var outcome = Outcome(bytes: bytes)
    if let renamed = try apply(to: bytes, nesting: 0, &outcome) { outcome.bytes = renamed }
    return outcome
  }

  private func apply(to bytes: [UInt8], nesting: Int, _ outcome: inout Outcome) throws(FerryError)
    -> [UInt8]?
  {
    let detected = try detected(bytes)
    guard !detected.format.isArchiveOfFiles else { throw FerryError(.compression(.notRenamed)) }
    guard let nodes = try detected.propertyList() else { throw FerryError(.archive(.notAPropertyList)) }
    if let tree = nodes as? PropertyListTree {
      guard let renamed = try renamed(tree, nesting, &outcome) else { return nil }
      let losses = LossReport()
      let edits = try TextEdits(
        of: renamed, over: tree, source: bytes, format: detected.format, losses: losses)
      let bytes = try edits.bytes()
      outcome.losses.add(losses.all)
      return bytes
    }
    guard let file = nodes as? BinaryPropertyList else { return nil }
    // The layout is read first, because it refuses a file with overlapping objects.
    let layout = try BinaryLayout(of: file)
    guard let renamed = try renamed(file, nesting, &outcome) else { return nil }
    // A new name that equals an existing string shares an object with it if the file's other strings do so.
    let sharing = ScalarSharing<EditedPropertyList>.Source.edited(from: renamed.firstNewNode)
    var trial = try ObjectOrder(of: renamed, layout: layout, sharing: sharing)
    return try BinaryEdits(of: renamed, over: file, layout).bytes(sharing: trial.sharedNewScalars())
  }

  /// Detects the format. A file in no known format is not a property list, and no option makes it one.
  private func detected(_ bytes: [UInt8]) throws(FerryError) -> DetectedInput {
    do throws(FerryError) {
      return try DetectedInput(MemoryInput(bytes), named: nil, given: nil, budget: budget)
    } catch {
      guard case .file(.unknownFormat) = error.reason else { throw error }
      throw FerryError(.archive(.notAPropertyList))
    }
  }

  /// Returns the nodes with their new names, or nil if nothing has changed.
  private func renamed(
    _ nodes: any PropertyListNodes, _ nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) -> EditedPropertyList? {
    let renamed = RenamedNodes(nodes)
    if try nodes.isKeyedArchive {
      try rename(try ArchiveObjects(nodes), renamed, nesting, &outcome)
      if !renamed.list.isUnchanged { try checkObjects(of: nodes, renamed.list) }
    }
    if nesting < budget.nesting { try renameNested(nodes, renamed, nesting, &outcome) }
    return renamed.list.isUnchanged ? nil : renamed.list
  }

  private func rename(
    _ archive: ArchiveObjects, _ renamed: RenamedNodes, _ nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) {
    let nodes = archive.nodes
    let classes = [ExactString: String](exactly: classes)
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
          try renameClass(classes, node, count, nodes, renamed, nesting, &outcome)
        } catch {
          throw error.placed(path: ValuePath([.key("$objects"), .index(number.index)]))
        }
      } else if !exactKeys.isEmpty, let type = try archive.type(of: node, count: count) {
        let found = newKeys[ObjectIdentifier(type)] ?? NewKeys(of: type, among: exactKeys)
        newKeys[ObjectIdentifier(type)] = found
        guard !found.owners.isEmpty else { continue }
        for owner in found.owners { try outcome.names.addKeys(of: node, owner, count: count, nodes) }
        try renameKeys(found.names, node, count, nodes, renamed, nesting, &outcome)
      }
    }
  }

  private func renameClass(
    _ classes: [ExactString: String], _ node: NodeID, _ count: Int, _ nodes: any PropertyListNodes,
    _ renamed: RenamedNodes, _ nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) {
    let name = try nodes.value("$classname", of: node).flatMap { node throws(FerryError) in
      try nodes.string(node)
    }
    var values: [Int: NodeID] = [:]
    for index in 0..<count {
      let (key, value) = (try nodes.key(index, of: node), try nodes.value(index, of: node))
      if let old = try nodes.string(value), try nodes.isString(key, "$classname") {
        outcome.names.classes.insert(old)
        guard let new = classes[old] else { continue }
        guard !new.equals("NSObject") else { throw unfit("an NSObject has no archived keys", node, nodes) }
        values[index] = renamed.string(new, for: value)
        outcome.changes[Change(keyOf: nil, old: old, new: new, nesting: nesting), default: 0] += 1
      }
      guard case .array(let names) = try nodes.kind(of: value) else { continue }
      if try nodes.isString(key, "$classes") { try checkChain(value, names, classes, nodes) }
      var elements: [Int: NodeID] = [:]
      for index in 0..<names {
        let element = try nodes.element(index, of: value)
        guard let old = try nodes.string(element) else { continue }
        outcome.names.classes.insert(old)
        guard let new = classes[old] else { continue }
        elements[index] = renamed.string(new, for: element)
        // The class itself, the first of its chain, counts once.
        guard name?.equals(old) != true else { continue }
        outcome.changes[Change(keyOf: nil, old: old, new: new, nesting: nesting), default: 0] += 1
      }
      try renamed.list.replaceChildren(of: value, by: elements)
    }
    try renamed.list.replaceChildren(of: node, by: values)
  }

  /// Throws if two classes in a list of a class and its superclasses get the same name.
  private func checkChain(
    _ list: NodeID, _ count: Int, _ classes: [ExactString: String], _ nodes: any PropertyListNodes
  ) throws(FerryError) {
    var olds: [ExactString: String] = [:]
    for index in 0..<count {
      guard let old = try nodes.string(nodes.element(index, of: list)) else { continue }
      let new = classes[old] ?? old
      if let other = olds.updateValue(old, forKey: ExactString(new)), !other.equals(old) {
        throw unfit("\(MessageText.name(new)) would be its own superclass", list, nodes)
      }
    }
  }

  private func unfit(_ why: String, _ node: NodeID, _ nodes: any PropertyListNodes) -> FerryError {
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

  private func renameKeys(
    _ names: [ExactString: NewKey], _ node: NodeID, _ count: Int,
    _ nodes: any PropertyListNodes, _ renamed: RenamedNodes, _ nesting: Int,
    _ outcome: inout Outcome
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
      outcome.changes[Change(keyOf: new.owner, old: old, new: name, nesting: nesting), default: 0] += 1
    }
    try renamed.list.replaceChildren(of: node, by: [:], keys: renamedKeys)
  }

  /// Renames in the property lists and archives nested in data.
  private func renameNested(
    _ nodes: any PropertyListNodes, _ renamed: RenamedNodes, _ nesting: Int,
    _ outcome: inout Outcome
  ) throws(FerryError) {
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
        if opened.insert(child).inserted, let bytes = try self.renamed(child, nodes, nesting, &outcome) {
          replacements[child] = renamed.data(bytes, for: child)
        }
        new[index] = replacements[child]
      }
      try renamed.list.replaceChildren(of: node, by: new)
    }
  }

  /// Returns the new bytes of data that contains an archive, or nil if nothing in it changes.
  private func renamed(
    _ node: NodeID, _ nodes: any PropertyListNodes, _ nesting: Int, _ outcome: inout Outcome
  ) throws(FerryError) -> [UInt8]? {
    let bytes = try nodes.withData(of: node) { bytes throws(FerryError) in [UInt8](copying: bytes) }
    guard let nested = NestedData(bytes, budget: budget) else { return nil }
    switch nested {
    case .json, .typedstream: return nil
    case .binary, .xmlPropertyList: break
    }
    var found = Outcome(bytes: [])
    defer {
      outcome.changes.merge(found.changes) { $0 + $1 }
      outcome.names.formUnion(found.names)
      outcome.losses.add(found.losses)
    }
    do throws(FerryError) {
      return try apply(to: bytes, nesting: nesting + 1, &found)
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
