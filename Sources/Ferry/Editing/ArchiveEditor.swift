/// Changes the objects of an archive: those that have to, and no others.
///
/// An object that only one place refers to gives its number to the value that takes its place. One that others refer to
/// as well stays for them, and the new value is an object at the end of `$objects`, or an equal one that is there. Objects
/// that nobody refers to any more stay where they are, because the numbers of others depend on them; at the end they go.
final class ArchiveEditor {
  let list: EditedPropertyList
  let objectsEntry: Int
  let references: ObjectReferences
  /// The classes whose objects have a meaning.
  let catalogue: Catalogue
  /// The bare objects by their values, and the classes, when they are known.
  var scalars: [Value: [Int]]?
  var classes: [ObjectClass: Int]?

  init(_ list: EditedPropertyList, _ catalogue: Catalogue) throws(Failure) {
    self.list = list
    self.catalogue = catalogue
    guard let objects = try list.entry("$objects", of: list.root),
      let top = try list.value("$top", of: list.root)
    else { throw Failure(.archive(.malformed("it has no $objects or no $top"))) }
    objectsEntry = objects
    references = try ObjectReferences(list, objects: NodeTrail(children: [.value(objects)]), top: top)
  }

  /// The trail to `$objects`.
  var objects: NodeTrail { NodeTrail(children: [.value(objectsEntry)]) }

  /// The number of the object that a trail leads to, when it leads to an object itself and not to a reference.
  private func objectNumber(at trail: NodeTrail) -> Int? {
    guard trail.children.count == 2, trail.children[0] == .value(objectsEntry),
      case .element(let number) = trail.children[1]
    else { return nil }
    return number
  }

  /// Ends an edit.
  func finish() throws(Failure) {
    try references.dropUnusedAtEnd()
    (scalars, classes) = (nil, nil)
  }

  // MARK: Setting

  /// Puts a value where another stands.
  func set(_ value: Value, at place: PathPlace) throws(Failure) {
    if !place.inner.isEmpty { return try setPart(value, at: place) }
    if let number = objectNumber(at: place.trail) { return try setObject(number, value) }
    let kind = try list.kind(of: list.node(at: place.trail))
    switch (kind, value) {
    case (.uid, .null) where place.isField: try put(list.add(.scalar(.uid(0))), at: place.trail)
    case (.uid(let uid), _): try setReference(uid, value, at: place)
    case (.array, .array), (.set, .set), (.dictionary, .dictionary):
      try put(list.add(value: value), at: place.trail)
    case _ where kind.holdsInPlace(value): try put(list.add(value: value), at: place.trail)
    case (_, .null): try put(list.add(.scalar(.uid(0))), at: place.trail)
    default: try put(list.add(.scalar(.uid(UInt64(try appendedObject(value))))), at: place.trail)
    }
  }

  /// Puts a node where another stands, and keeps count of references.
  private func put(_ node: Int, at trail: NodeTrail) throws(Failure) {
    let old = try list.node(at: trail)
    try list.put(node, at: trail)
    guard countsReferences(at: trail) else { return }
    try references.retainReferences(in: node)
    try references.releaseReferences(in: old)
  }

  /// Whether references at a place count: not those of an object that nobody uses.
  private func countsReferences(at trail: NodeTrail) -> Bool {
    guard trail.children.count > 1, trail.children[0] == .value(objectsEntry),
      case .element(let number) = trail.children[1]
    else { return true }
    return references.isUsed(number)
  }

  private func setReference(_ uid: UInt64, _ value: Value, at place: PathPlace) throws(Failure) {
    let number = uid < UInt64(references.count) ? Int(uid) : 0
    if number > 0, try setMeaning(number, value, at: place) { return }
    let new = try ArchiveImport(value)
    let isSole = references.isSole(number)
    if let bare = try new.bareScalar, try isSole ? isAppended(number, at: place) : true,
      let equal = try self.number(ofScalar: bare, besides: number, at: place)
    {
      return try put(list.add(.scalar(.uid(UInt64(equal)))), at: place.trail)
    }
    if isSole {
      try replace(number, by: new)
    } else {
      try put(list.add(.scalar(.uid(UInt64(try append(new))))), at: place.trail)
    }
  }

  private func setObject(_ number: Int, _ value: Value) throws(Failure) {
    guard number > 0 else { throw Failure(.path(.cannotStand("a value", "object 0 is the archive's $null"))) }
    if let object = try meant(number), let new = try object.revised(at: [], to: value) {
      return try change(object, to: new)
    }
    try replace(number, by: try ArchiveImport(value))
  }

  // MARK: Parts

  /// Adds an element, a reference to a new object or a value in place, to a collection's own array.
  func insert(_ value: Value, at index: Int, of list: NodeTrail, inPlace: Bool) throws(Failure) {
    let node = try inPlace ? self.list.add(value: value) : reference(to: value)
    try self.list.insert(node, at: index, of: list)
    if countsReferences(at: list.appending(.element(index))) { try references.retainReferences(in: node) }
  }

  /// Adds an entry to an object, or to a dictionary that stands in place.
  func append(_ key: String, _ node: Int, to trail: NodeTrail) throws(Failure) {
    try list.append(list.add(value: .string(key)), node, to: trail)
    if countsReferences(at: trail.appending(.value(0))) { try references.retainReferences(in: node) }
  }

  /// A reference to an object that is a value.
  func reference(to value: Value) throws(Failure) -> Int {
    list.add(.scalar(.uid(UInt64(try appendedObject(value)))))
  }

  /// What stands for a value under an archived key: numbers and booleans in place, null as nothing, else a reference.
  func field(_ value: Value) throws(Failure) -> Int {
    switch value {
    case .boolean, .integer, .real, .single: try list.add(value: value)
    case .null: list.add(.scalar(.uid(0)))
    default: try reference(to: value)
    }
  }

  /// Puts a node that is there in another place.
  func move(_ node: Int, to trail: NodeTrail) throws(Failure) { try put(node, at: trail) }

  /// Removes a part.
  func remove(_ child: NodeTrail.Child, of trail: NodeTrail) throws(Failure) {
    let old = try list.node(at: trail.appending(child))
    try list.remove(child, of: trail)
    if countsReferences(at: trail.appending(child)) { try references.releaseReferences(in: old) }
  }

  // MARK: Objects

  /// The number of an object that is this value: one that is there, or a new one behind the last.
  func appendedObject(_ value: Value) throws(Failure) -> Int {
    let new = try ArchiveImport(value)
    if let bare = try new.bareScalar, let equal = try number(ofScalar: bare) { return equal }
    return try append(new)
  }

  private func append(_ new: ArchiveImport) throws(Failure) -> Int {
    let number = references.count
    let nodes = try nodes(of: new, rootNumber: number, firstNumber: number + 1)
    _ = try references.append(nodes.root)
    for node in nodes.others { _ = try references.append(node) }
    return number
  }

  private func replace(_ number: Int, by new: ArchiveImport) throws(Failure) {
    let nodes = try nodes(of: new, rootNumber: number, firstNumber: references.count)
    for node in nodes.others { _ = try references.append(node) }
    try references.replace(number, by: nodes.root)
  }

  private func nodes(of new: ArchiveImport, rootNumber: Int, firstNumber: Int) throws(Failure) -> (
    root: Int, others: [Int]
  ) {
    try new.nodes(in: list, rootNumber: rootNumber, firstNumber: firstNumber) { node, tree throws(Failure) in
      try existing(node, tree)
    }
  }

  /// The object of the archive that an object of another archive is as well: a class, or what archivers share.
  private func existing(_ node: Int, _ tree: PropertyListTree) throws(Failure) -> Int? {
    if let type = try Self.type(node, in: tree) { return try number(of: type) }
    guard let scalar = try ArchiveImport.bareScalar(node, in: tree) else { return nil }
    switch scalar {
    case .string(let text):
      guard Text(text.utf8.span).fitsInPointer else { return nil }
    case .data, .unpairedString: return nil
    default: break
    }
    return try number(ofScalar: scalar)
  }
}

extension NodeKind {
  /// Whether a value may take the place of one of this kind that stands in its object, without a reference.
  fileprivate func holdsInPlace(_ value: Value) -> Bool {
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
