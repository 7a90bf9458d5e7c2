/// An editor of the objects in an archive. It changes as few objects as possible.
///
/// If an object has a single reference, the value that replaces it gets its number. If it has more
/// references, it stays for the others, and the new value becomes an object at the end of `$objects` or is an
/// existing equal object. Objects without references stay, because removing them would change the numbers of
/// others; only those at the end are removed.
final class ArchiveEditor {
  let list: EditedPropertyList
  let objectsEntry: Int
  let references: ObjectReferences
  /// The classes whose objects have a decoded form.
  let catalog: ClassCatalog
  /// The numbers of the scalar objects by value, and of the classes. Both are collected when they are first needed. The tables
  /// may contain numbers of objects that have been replaced since.
  var scalars: [Value: [ObjectNumber]]?
  var classes: [ObjectClass: ObjectNumber]?
  /// The orders of the keys of new objects, by class and keys; empty if no other object has these.
  var keyOrders: [Shape: [String]] = [:]
  /// The shared objects of a new value, while several changes turn the old value into it; otherwise nil.
  var shared: EditedObjects?

  /// The storage of scalars in new objects, or nil if it has not been learned yet.
  private var storage: ArchivedStorage?

  init(
    _ list: EditedPropertyList, _ catalog: ClassCatalog, storage: ArchivedStorage? = nil
  ) throws(FerryError) {
    self.storage = storage
    self.list = list
    self.catalog = catalog
    guard let objects = try list.entry("$objects", of: list.root),
      let top = try list.value("$top", of: list.root)
    else { throw FerryError(.archive(.malformed("it has no $objects or no $top"))) }
    objectsEntry = objects
    references = try ObjectReferences(list, objects: NodeTrail(children: [.value(objects)]), top: top)
  }

  /// The trail to `$objects`.
  var objects: NodeTrail { NodeTrail(children: [.value(objectsEntry)]) }

  /// Returns the number of the object at the end of a trail, or nil if the trail does not end at an element
  /// of `$objects`.
  private func objectNumber(at trail: NodeTrail) -> ObjectNumber? {
    guard trail.children.count == 2, trail.children[0] == .value(objectsEntry),
      case .element(let number) = trail.children[1]
    else { return nil }
    return ObjectNumber(number)
  }

  /// Returns true if a number without an object of its own is at the end of a trail.
  func hasInlineNumber(at trail: NodeTrail) throws(FerryError) -> Bool {
    guard objectNumber(at: trail) == nil else { return false }
    return try list.kind(of: list.node(at: trail)).canHoldInline(.integer(0))
  }

  /// Finishes an edit by removing unused objects at the end. Between changes with shared objects, unused objects
  /// stay, because the next change may refer to them.
  func finish() throws(FerryError) {
    guard shared == nil else { return }
    try references.dropUnusedAtEnd()
  }

  // MARK: Setting

  /// Replaces the value at a location.
  func set(_ value: Value, at location: ValueLocation) throws(FerryError) {
    if !location.inner.isEmpty { return try setPart(value, at: location) }
    if case .reference = value { return try put(reference(to: value), at: location.trail) }
    if let number = objectNumber(at: location.trail) { return try setObject(number, value) }
    let kind = try list.kind(of: list.node(at: location.trail))
    let isField = try location.isField ? true : isRoot(location.trail)
    switch (kind, value) {
    case (.uid, .null) where isField: try put(list.add(.scalar(.uid(0))), at: location.trail)
    case (.uid(let uid), _): try setReference(uid, value, at: location)
    case (.dictionary, .dictionary(let roots)) where try isTop(location.trail):
      try setRoots(roots, at: location.trail)
    case (.array, .array), (.set, .set), (.dictionary, .dictionary):
      try put(list.add(value: value), at: location.trail)
    case _ where kind.canHoldInline(value): try put(list.add(value: value), at: location.trail)
    case (_, .null): try put(list.add(.scalar(.uid(0))), at: location.trail)
    default: try put(list.add(.scalar(.uid(try appendedObject(value).uid))), at: location.trail)
    }
  }

  /// Returns true if the dictionary of the roots is at the end of a trail.
  private func isTop(_ trail: NodeTrail) throws(FerryError) -> Bool {
    guard let top = try list.entry("$top", of: list.root) else { return false }
    return trail.children == [.value(top)]
  }

  /// Returns true if a root is at the end of a trail. Null is a null reference there, as under a key of an object.
  private func isRoot(_ trail: NodeTrail) throws(FerryError) -> Bool {
    guard trail.children.count == 2 else { return false }
    return try isTop(NodeTrail(children: [trail.children[0]]))
  }

  /// Replaces the roots. An object to which several roots refer becomes one object.
  private func setRoots(_ roots: KeyedValues, at trail: NodeTrail) throws(FerryError) {
    let outer = shared
    if outer == nil { shared = EditedObjects([:], numbers: [:]) }
    defer { shared = outer }
    for (key, value) in roots {
      guard let name = key.stringValue else {
        throw FerryError(.path(.cannotPut("this key", "the name of a root is a string")))
      }
      let top = ValueLocation(trail: trail, node: try list.node(at: trail))
      if let entry = try list.entry(named: name, of: top.node) {
        try set(value, at: top.child(.value(entry), in: list, isField: true))
      } else {
        try append(name, field(value, key: name, of: top.node), to: trail)
      }
    }
    let top = try list.node(at: trail)
    guard case .dictionary(let count) = try list.kind(of: top) else { return }
    for entry in (0..<count).reversed() {
      let name = try list.string(list.key(entry, of: list.node(at: trail)))
      if let name, roots[name] == nil { try remove(.value(entry), of: trail) }
    }
  }

  /// Replaces the node at the end of a trail, and updates the reference counts.
  private func put(_ node: NodeID, at trail: NodeTrail) throws(FerryError) {
    let old = try list.node(at: trail)
    try list.put(node, at: trail)
    guard countsChange(at: trail) else { return }
    try references.retainReferences(in: node)
    try references.releaseReferences(in: old)
  }

  /// Returns true if the references in a changed location count, that is, if the object around them is in use. Otherwise notes the change of
  /// the unused object.
  private func countsChange(at trail: NodeTrail) -> Bool {
    guard trail.children.count > 1, trail.children[0] == .value(objectsEntry),
      case .element(let number) = trail.children[1], !references.isUsed(ObjectNumber(number))
    else { return true }
    references.noteChange(ofUnused: ObjectNumber(number))
    return false
  }

  private func setReference(_ uid: UInt64, _ value: Value, at location: ValueLocation) throws(FerryError) {
    let number = uid < UInt64(references.count) ? ObjectNumber(Int(uid)) : .null
    if number > .null, try setDecodedForm(number, value, at: location) { return }
    let new = try objects(of: value)
    let isSole = references.isSole(number) && shared?.keeps(number) != true
    if let bare = try new.bareScalar, try isSole ? isAppended(number, at: location) : true,
      let equal = try self.number(ofScalar: bare, besides: number, at: location)
    {
      return try put(list.add(.scalar(.uid(equal.uid))), at: location.trail)
    }
    if isSole {
      try replace(number, by: new)
    } else {
      try put(list.add(.scalar(.uid(try append(new).uid))), at: location.trail)
    }
  }

  private func setObject(_ number: ObjectNumber, _ value: Value) throws(FerryError) {
    guard number > .null else {
      throw FerryError(.path(.cannotPut("a value", "object 0 is the archive's $null")))
    }
    if let object = try decodedObject(number), let new = try object.revised(at: [], to: value) {
      return try change(object, to: new)
    }
    try replace(number, by: try objects(of: value))
  }

  // MARK: Elements and entries

  /// Inserts an element into the array of a collection: a reference to a new object or, with `isInline`, an
  /// inline value.
  func insert(_ value: Value, at index: Int, of list: NodeTrail, isInline: Bool) throws(FerryError) {
    try insert(isInline ? self.list.add(value: value) : reference(to: value), at: index, of: list)
  }

  /// Inserts a node into the array of a collection.
  func insert(_ node: NodeID, at index: Int, of list: NodeTrail) throws(FerryError) {
    try self.list.insert(node, at: index, of: list)
    if countsChange(at: list.appending(.element(index))) { try references.retainReferences(in: node) }
  }

  /// Appends an entry to an object, or to an inline dictionary.
  func append(_ key: String, _ node: NodeID, to trail: NodeTrail) throws(FerryError) {
    try list.append(list.add(value: .string(key)), node, to: trail)
    if countsChange(at: trail.appending(.value(0))) { try references.retainReferences(in: node) }
  }

  /// Returns a reference to an object with a value.
  func reference(to value: Value) throws(FerryError) -> NodeID {
    list.add(.scalar(.uid(try appendedObject(value).uid)))
  }

  /// Returns the node for a value under an archived key of an object, inline or as a reference, as in the other
  /// objects of the class; or for a root. Null is a null reference.
  func field(_ value: Value, key: String, of object: NodeID) throws(FerryError) -> NodeID {
    if value == .null { return list.add(.scalar(.uid(0))) }
    var type: ObjectClass?
    if let node = try list.value("$class", of: object), case .uid(let uid) = try list.kind(of: node),
      uid < UInt64(references.count)
    {
      type = try Self.type(references.node(ObjectNumber(Int(uid))), in: list)
    }
    let top = try list.value("$top", of: list.root)
    // An inline dictionary has no storage of its own.
    let storage = type == nil && object != top ? ArchivedStorage() : try usedStorage()
    let isInline = storage.isInline(value, key: key, of: type)
    return isInline ? try list.add(value: value) : try reference(to: value)
  }

  /// Moves an existing node to another location.
  func move(_ node: NodeID, to trail: NodeTrail) throws(FerryError) { try put(node, at: trail) }

  /// Moves existing nodes to other entries of the dictionary at the end of a trail.
  ///
  /// - Parameter nodes: The new values of the entries, by the indices of the entries.
  func move(_ nodes: [Int: NodeID], in trail: NodeTrail) throws(FerryError) {
    guard let first = nodes.keys.first else { return }
    let dictionary = try list.node(at: trail)
    var old: [NodeID] = []
    for entry in nodes.keys { old.append(try list.value(entry, of: dictionary)) }
    try list.put(nodes, in: trail)
    guard countsChange(at: trail.appending(.value(first))) else { return }
    for node in nodes.values { try references.retainReferences(in: node) }
    for node in old { try references.releaseReferences(in: node) }
  }

  /// Removes an element or entry.
  func remove(_ child: NodeTrail.Child, of trail: NodeTrail) throws(FerryError) {
    let old = try list.node(at: trail.appending(child))
    try list.remove(child, of: trail)
    if countsChange(at: trail.appending(child)) { try references.releaseReferences(in: old) }
  }

  /// Inserts an element stored in numbered entries of an object, with its key in a dictionary.
  func insertNumbered(
    _ value: Value, key: Value? = nil, at index: Int, into parts: NumberedEntries, of trail: NodeTrail
  ) throws(FerryError) {
    let counts = countsChange(at: trail.appending(.value(0)))
    // The key counts before its value is added, which may be the same object.
    func added(_ value: Value) throws(FerryError) -> NodeID {
      let node = try reference(to: value)
      if counts { try references.retainReferences(in: node) }
      return node
    }
    let key = try key.map(added)
    try list.insertNumbered(added(value), key: key, at: index, into: parts, of: trail)
  }

  /// Removes an element stored in numbered entries of an object.
  func removeNumbered(_ index: Int, from parts: NumberedEntries, of trail: NodeTrail) throws(FerryError) {
    let removed = try list.removeNumbered(index, from: parts, of: trail)
    guard countsChange(at: trail.appending(.value(0))) else { return }
    for node in removed { try references.releaseReferences(in: node) }
  }

  // MARK: Objects

  /// Returns true if the object at the end of a trail has several references.
  func isShared(at trail: NodeTrail) -> Bool {
    objectNumber(at: trail).map { references.count(of: $0) > 1 } ?? false
  }

  /// The references to objects inside a node, other than scalars.
  struct SharedParts {
    /// True if there are references from elsewhere, which a copy of the node does not have.
    var hasOuter = false
    /// The number of references inside, beyond the first to each object.
    var repeated = 0

    /// Returns true if the value that replaced the node has copies of shared objects.
    func isLost(in new: Self) -> Bool { hasOuter || new.repeated < repeated }
  }

  /// Counts the references to the objects inside a node, other than scalars.
  func sharedParts(in node: NodeID) throws(FerryError) -> SharedParts {
    var inside: [ObjectNumber: Int] = [:]
    var waiting = [node]
    while let node = waiting.popLast() {
      for number in try references.references(in: node) {
        inside[number, default: 0] += 1
        if inside[number] == 1 { waiting.append(try references.node(number)) }
      }
    }
    var shared = SharedParts()
    for (number, count) in inside where references.count(of: number) > 1 {
      guard try Self.type(references.node(number), in: list) == nil,
        try ArchiveImport.bareScalar(references.node(number), in: list) == nil,
        try decodedObject(number) == nil
      else { continue }
      if count < references.count(of: number) { shared.hasOuter = true }
      shared.repeated += count - 1
    }
    return shared
  }

  /// Returns the number of an object with a value: an existing object, or a new one at the end of `$objects`.
  func appendedObject(_ value: Value) throws(FerryError) -> ObjectNumber {
    if case .reference(let identity) = value, let known = shared?.numbers[identity] { return known }
    let new = try objects(of: value)
    if let bare = try new.bareScalar, let equal = try number(ofScalar: bare) { return equal }
    return try append(new)
  }

  private func objects(of value: Value) throws(FerryError) -> ArchiveImport {
    let isScalar = value.parts.isEmpty && !value.isCollection && !value.hasReferences
    return try ArchiveImport(
      value, catalog, storage: isScalar ? ArchivedStorage() : usedStorage(), shared, budget: list.budget)
  }

  /// Returns the storage of scalars in the objects of the archive.
  private func usedStorage() throws(FerryError) -> ArchivedStorage {
    if let storage { return storage }
    let storage = ArchivedStorage(of: try ArchiveObjects(list))
    self.storage = storage
    return storage
  }

  private func append(_ new: ArchiveImport) throws(FerryError) -> ObjectNumber {
    var free = references.freeNumbers
    let number = free.take()
    let nodes = try nodes(of: new, rootNumber: number, free: free)
    for node in [nodes.root] + nodes.others { try append(node) }
    return number
  }

  /// Appends an object without a reference, which later changes may find as a scalar or a class.
  private func append(_ node: NodeID) throws(FerryError) {
    let number = try references.append(node)
    try orderKeysAsInOthers(of: number)
    try note(node, number)
  }

  /// Adds an object to the table of the scalars or of the classes, if it is one.
  private func note(_ node: NodeID, _ number: ObjectNumber) throws(FerryError) {
    if scalars != nil, let scalar = try ArchiveImport.bareScalar(node, in: list) {
      scalars?[scalar, default: []].append(number)
    } else if classes != nil, let type = try Self.type(node, in: list), try !isClass(classes?[type], type) {
      classes?[type] = number
    }
  }

  private func replace(_ number: ObjectNumber, by new: ArchiveImport) throws(FerryError) {
    let nodes = try nodes(of: new, rootNumber: number, free: references.freeNumbers)
    for node in nodes.others { try append(node) }
    try references.replace(number, by: nodes.root)
    try orderKeysAsInOthers(of: number)
    try note(nodes.root, number)
  }

  private func nodes(
    of new: ArchiveImport, rootNumber: ObjectNumber, free: FreeNumbers
  ) throws(FerryError) -> (root: NodeID, others: [NodeID]) {
    try new.nodes(in: list, rootNumber: rootNumber, free: free) {
      node, tree throws(FerryError) in
      try existing(node, tree, besides: rootNumber)
    }
  }

  /// Returns the existing object that equals a node of another archive, if the node is a class or a scalar
  /// that archivers share. Ignores the object `replaced`, because the value would contain itself.
  private func existing(_ node: NodeID, _ tree: PropertyListTree, besides replaced: ObjectNumber)
    throws(FerryError) -> ObjectNumber?
  {
    if let type = try Self.type(node, in: tree) { return try number(of: type, besides: replaced) }
    guard let scalar = try ArchiveImport.bareScalar(node, in: tree) else { return nil }
    switch scalar {
    case .string(let text):
      guard BorrowedText(text.utf8.span).fitsInPointer else { return nil }
    case .data, .unpairedString: return nil
    default: break
    }
    return try number(ofScalar: scalar, besides: replaced)
  }
}

extension NodeKind {
  /// Returns true if a value can be stored inline in place of this one.
  fileprivate func canHoldInline(_ value: Value) -> Bool {
    switch (self, value) {
    case (.boolean, _), (.integer, _), (.real, _), (.single, _):
      switch value {
      case .boolean, .integer, .real, .single: true
      default: false
      }
    case (.string, .string), (.string, .unpairedString), (.data, .data), (.date, .date): true
    default: false
    }
  }
}
