// Edits of objects that have a decoded form. The object gets another decoded form, and keeps its class and
// the layout of its keys.

/// An object with a decoded form, and its location in the archive.
struct DecodedObject {
  let location: ValueLocation
  let type: ObjectClass
  let entry: ClassCatalogEntry
  let decodedForm: DecodedForm
  private let decodedForms: ArchiveDecodedForms

  /// Finds the object at a location. Fails if it has no decoded form.
  init?(at location: ValueLocation, _ decodedForms: ArchiveDecodedForms) throws(FerryError) {
    guard let object = try decodedForms.object(at: location.node) else { return nil }
    self.location = location
    self.decodedForms = decodedForms
    (type, entry, decodedForm) = (object.type, object.entry, object.decodedForm)
  }

  /// Returns the decoded form as a value.
  ///
  /// - Parameter part: The part of the decoded form to return; nil for the whole form.
  func value(of part: DecodedForm? = nil) throws(FerryError) -> Value {
    if let value = try decodedForms.value(of: part ?? decodedForm) { return value }
    let builder = ValueBuilder()
    var reader = ArchiveReader(
      decodedForms.objects, into: builder, sharing: .leavesInFull, budget: decodedForms.objects.nodes.budget,
      catalog: decodedForms.catalog, decodedForms: .all)
    try reader.read(part ?? decodedForm, of: location.node)
    return try builder.result()
  }

  /// True if the decoded form contains only scalars, so that reading it is cheap.
  var isLeaf: Bool { get throws(FerryError) { try decodedForms.isLeaf(decodedForm) } }

  /// Returns the decoded form with one part replaced, or nil if there is no such part or the class does not
  /// accept the value.
  func revised(at path: [ValuePath.Step], to value: Value) throws(FerryError) -> Value? {
    guard let new = try changed(self.value(), at: path, to: value), try keys(for: new) != nil else {
      return nil
    }
    return new
  }

  /// Returns the decoded form with one part replaced.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` if no program could read an object with the decoded form, or
  ///   `ArchiveProblem.noDecodedForm` if the class does not accept the value.
  func edited(at path: [ValuePath.Step], to value: Value) throws(FerryError) -> Value {
    let old = try self.value()
    guard let new = try changed(old, at: path, to: value) else {
      throw entry.noDecodedForm(path.isEmpty ? value : nil)
    }
    if let flaw = entry.codec.flaw(of: new), entry.codec.flaw(of: old) == nil,
      entry.codec.mended(new, since: old) == nil
    {
      throw FerryError(.path(.cannotPut("this value", "\(MessageText.name(type.name)): \(flaw)")))
    }
    guard try keys(for: new) != nil else { throw entry.noDecodedForm(new) }
    return new
  }

  /// Returns the reason why the class does not accept an integer for a part, or nil if a text is not an integer.
  func flaw(at path: [ValuePath.Step], of text: String) throws(FerryError) -> String? {
    let old = try self.value()
    guard case .integer(let number) = Value(number: text), entry.codec.flaw(of: old) == nil,
      let new = try changed(old, at: path, to: .integer(number))
    else { return nil }
    return entry.codec.flaw(of: new)
  }

  private func changed(_ old: Value, at path: [ValuePath.Step], to value: Value) throws(FerryError) -> Value?
  {
    guard path.isEmpty, case .object(let object) = value else {
      return entry.codec.revised(old, at: path[...], to: value)
    }
    guard object.type.name.equals(type.name) else { return nil }
    return entry.codec.revised(old, at: path[...], to: object.content)
  }

  /// Returns the archived keys for a new decoded form, in the layout of this object. Returns nil if the value
  /// is not a decoded form of the class.
  func keys(for decodedForm: Value) throws(FerryError) -> [ArchivedEntry]? {
    guard case .dictionary(let count) = try decodedForms.objects.nodes.kind(of: location.node) else {
      return nil
    }
    let object = try ArchivedObject(type, at: location.node, count: count, in: decodedForms.objects)
    // An empty dictionary contains no part of a decoded form, so it is a value of its own.
    if case .dictionary(let parts) = decodedForm, parts.isEmpty { return nil }
    return try entry.archivedKeys(for: decodedForm, of: type, like: object)
  }

  /// The archived keys for the current decoded form.
  var keys: [ArchivedEntry] {
    get throws(FerryError) { try keys(for: value()) ?? [] }
  }
}

extension ArchiveEditor {
  /// The maximum number of collection objects that are compared with a value. Each may be as large as the
  /// archive.
  private static let mostLooks = 200

  /// Returns the object at a location if it has a decoded form.
  func decodedObject(at location: ValueLocation) throws(FerryError) -> DecodedObject? {
    try DecodedObject(at: location, ArchiveDecodedForms(of: ArchiveObjects(list), catalog, .all))
  }

  /// Returns the object with a number if it has a decoded form.
  func decodedObject(_ number: ObjectNumber) throws(FerryError) -> DecodedObject? {
    try decodedObject(at: location(of: number))
  }

  func location(of number: ObjectNumber) throws(FerryError) -> ValueLocation {
    ValueLocation(trail: objects.appending(.element(number.index)), node: try references.node(number))
  }

  /// Changes the decoded form of the object that a location refers to: of the object itself if this is its
  /// only reference, otherwise of a copy. Returns false if the object has no decoded form or its class does
  /// not accept the value.
  func setDecodedForm(_ number: ObjectNumber, _ value: Value, at location: ValueLocation) throws(FerryError)
    -> Bool
  {
    guard let object = try decodedObject(number), let new = try object.revised(at: [], to: value) else {
      return false
    }
    if try references.isSole(number) ? isAppended(number, at: location) : true {
      // A shared object stays unchanged for its other references. An existing object with the new value
      // replaces a copy.
      if let equal = try self.number(ofObjectLike: number, object, new, at: location) {
        try move(list.add(.scalar(.uid(equal.uid))), to: location.trail)
        return true
      }
    }
    guard !references.isSole(number) else {
      try change(object, to: new)
      return true
    }
    let copy = try references.append(try list.addCopy(ofDictionary: object.location.node))
    try move(list.add(.scalar(.uid(copy.uid))), to: location.trail)
    guard let copied = try decodedObject(copy) else { return false }
    try change(copied, to: new)
    return true
  }

  /// Changes a part of an object's decoded form. All references to the object see the change.
  func setPart(_ value: Value, at location: ValueLocation) throws(FerryError) {
    let object = ValueLocation(trail: location.trail, node: location.node)
    guard let decodedObject = try decodedObject(at: object) else {
      throw FerryError(.path(.cannotPut("this value", "what was here is gone")))
    }
    try change(decodedObject, to: decodedObject.edited(at: location.inner, to: value))
  }

  /// Returns true if a list is a part of a decoded form to which no element can be added, and from which none can be removed.
  func hasFixedCount(at location: ValueLocation) throws(FerryError) -> Bool {
    guard location.inner.count == 1, case .key(let part)? = location.inner.first,
      let object = try decodedObject(at: ValueLocation(trail: location.trail, node: location.node))
    else { return false }
    return object.entry.codec.hasFixedCount(ofPart: part)
  }

  /// Changes a list that is an object's decoded form or a part of it.
  func changeList(at location: ValueLocation, _ body: (inout [Value]) -> Void) throws(FerryError) {
    guard
      let decodedObject = try decodedObject(at: ValueLocation(trail: location.trail, node: location.node)),
      var list = try decodedObject.value().part(at: location.inner[...])?.elements
    else { throw FerryError(.path(.cannotPut("this value", "what was here is gone"))) }
    body(&list)
    try setPart(.array(list), at: location)
  }

  /// Returns the number of an existing object with the same class and the given decoded form.
  private func number(
    ofObjectLike number: ObjectNumber, _ object: DecodedObject, _ value: Value, at location: ValueLocation
  ) throws(FerryError) -> ObjectNumber? {
    guard let wanted = try object.keys(for: value),
      let type = try list.value("$class", of: references.node(number))
    else { return nil }
    let typeKind = try list.kind(of: type)
    var equal: [ObjectNumber] = []
    var looks = Self.mostLooks
    let decodedForms = ArchiveDecodedForms(of: try ArchiveObjects(list), catalog, .all)
    for other in references.numbers.dropFirst() where other != number && references.isUsed(other) {
      let node = try references.node(other)
      guard case .dictionary = try list.kind(of: node),
        let otherType = try list.value("$class", of: node), try list.kind(of: otherType) == typeKind,
        let candidate = try DecodedObject(at: self.location(of: other), decodedForms)
      else { continue }
      if try !candidate.isLeaf { looks -= 1 }
      guard looks > 0 else { break }
      if try candidate.keys == wanted { equal.append(other) }
    }
    return try likeliest(of: equal, at: location)
  }

  // MARK: Keys

  /// Changes the decoded form of an object. Writes only the archived keys that differ.
  func change(_ object: DecodedObject, to value: Value) throws(FerryError) {
    guard let new = try object.keys(for: value) else { throw object.entry.noDecodedForm(value) }
    let (old, trail) = (try object.keys, object.location.trail)
    let names = try names(at: trail)
    try write(new, besides: old, to: trail)
    try removeKeys(of: old, butOf: new, at: trail)
    if names.equals(KeyOrder.ordered(Self.names(old))) {
      try order(trail, as: KeyOrder.ordered(Self.names(new)))
    }
    // If the object's layout was unusual, changing a few keys may have another result. Then all keys are
    // written.
    let changed = ValueLocation(trail: trail, node: try list.node(at: trail))
    guard let written = try decodedObject(at: changed)?.keys,
      written.withNeededIdentities != new.withNeededIdentities
    else { return }
    try write(new, of: keptObjects(written, at: trail), to: trail)
  }

  /// Writes the archived keys of an object that differ from the old ones.
  private func write(
    _ new: [ArchivedEntry], besides old: [ArchivedEntry], to trail: NodeTrail
  ) throws(FerryError) {
    try write(new.filter { !old.contains($0) }, of: keptObjects(old, at: trail), to: trail)
  }

  /// Gives a part of a decoded form an object of its own: a copy of the object that other parts have, too.
  func separate(_ part: ValueLocation) throws(FerryError) {
    let location = ValueLocation(trail: part.trail, node: part.node)
    guard let object = try decodedObject(at: location), let node = object.decodedForm.node(at: part.inner),
      case .uid(let uid) = try list.kind(of: node), uid > 0, uid < UInt64(references.count)
    else { throw FerryError(.path(.cannotPut("this value", "what was here is gone"))) }
    let shared = try references.node(ObjectNumber(Int(uid)))
    let copy = try references.append(list.addCopy(ofDictionary: shared))
    let new = try object.edited(at: part.inner, to: .reference(copy.index))
    guard let keys = try object.keys(for: new) else { throw object.entry.noDecodedForm(new) }
    try write(keys, besides: object.keys, to: location.trail)
  }

  private static func names(_ keys: [ArchivedEntry]) -> [String] {
    keys.map(\.key.asArchivedKey) + ["$class"]
  }

  /// Returns the keys of the object at the end of a trail in their order.
  func names(at trail: NodeTrail) throws(FerryError) -> [String] {
    let node = try list.node(at: trail)
    guard case .dictionary(let count) = try list.kind(of: node) else { return [] }
    var names: [String] = []
    for index in 0..<count { names.append(try list.string(list.key(index, of: node)) ?? "") }
    return names
  }

  private func write(
    _ keys: [ArchivedEntry], of kept: consuming KeptObjects, to trail: NodeTrail
  ) throws(FerryError) {
    for key in keys {
      let object = ValueLocation(trail: trail, node: try list.node(at: trail))
      if let entry = try list.entry(named: key.key.asArchivedKey, of: object.node) {
        let location = try object.child(.value(entry), in: list, isField: true)
        guard try !write(key.value, at: location, of: &kept) else { continue }
        try set(try list.kind(of: location.node).likened(key.value), at: location)
      } else {
        let node = try key.isInline ? list.add(value: key.value) : node(for: key.value)
        try append(key.key.asArchivedKey, node, to: trail)
      }
    }
  }

  private func node(for value: Value) throws(FerryError) -> NodeID {
    if value == .null { return list.add(.scalar(.uid(0))) }
    if let number = try equal(value) { return list.add(.scalar(.uid(number.uid))) }
    return try reference(to: value)
  }

  /// Returns an existing object that equals a value: an object without references, left by an edit, or an
  /// object of an immutable class in the class catalog.
  private func equal(_ value: Value) throws(FerryError) -> ObjectNumber? {
    let archive = try ArchiveObjects(list)
    let name: String? = if case .object(let object) = value { object.type.name } else { nil }
    let isConstant = name.map { catalog.type(named: $0) != nil && !$0.contains("Mutable") } ?? false
    var (found, looks): (ObjectNumber?, Int) = (nil, Self.mostLooks)
    for number in references.numbers.dropFirst() where looks > 0 {
      let isUsed = references.isUsed(number)
      guard !isUsed || (isConstant && found == nil) else { continue }
      let node = try references.node(number)
      let builder = ValueBuilder()
      // An object without references may be invalid, so errors are ignored.
      guard (try? archive.className(of: node)) == name else { continue }
      looks -= 1
      var reader = ArchiveReader(
        archive, into: builder, sharing: .leavesInFull, budget: list.budget, catalog: catalog,
        decodedForms: .all
      )
      guard (try? reader.read(from: node)) != nil, try builder.result() == value else { continue }
      guard isUsed else { return number }
      found = number
    }
    return found
  }

  private func removeKeys(
    of old: [ArchivedEntry], butOf new: [ArchivedEntry], at trail: NodeTrail
  ) throws(FerryError) {
    for key in old where !new.contains(where: { $0.key.equals(key.key) }) {
      let node = try list.node(at: trail)
      guard let entry = try list.entry(named: key.key.asArchivedKey, of: node) else { continue }
      try remove(.value(entry), of: trail)
    }
  }

  /// Reorders the keys of an object if they are not in the wanted order.
  func order(_ trail: NodeTrail, as wanted: [String]) throws(FerryError) {
    let names = try names(at: trail)
    guard !names.equals(wanted), names.count == wanted.count else { return }
    try list.permute(trail, wanted.compactMap { name in names.firstIndex { $0.equals(name) } })
  }
}

extension Value {
  /// The elements of an array, or nil for other values.
  fileprivate var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }
}

extension KeyOrder {
  /// Returns names in the order in which an archiver writes them, given the order in which they were added.
  static func ordered(_ names: [String]) -> [String] {
    indices(of: names.map { hash(Array($0.utf16)) }).map { names[$0] }
  }
}

extension ArchiveObjects {
  /// Returns the name of an object's class, or nil if it has none.
  fileprivate func className(of node: NodeID) throws(FerryError) -> String? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    return try type(of: node, count: count)?.name
  }
}

extension NodeKind {
  /// Returns a value adapted to replace this one: a 32-bit real if that is exact, or a scalar without its
  /// object if this one is stored inline.
  fileprivate func likened(_ value: Value) -> Value {
    switch (self, value) {
    case (.single, .real(let real)) where Double(Float(real)) == real: .single(Float(real))
    case (.string, .object(let object)), (.data, .object(let object)): object.content
    default: value
    }
  }
}

extension EditedPropertyList {
  /// Returns the index of a dictionary's entry with a name, or nil.
  func entry(named name: String, of node: NodeID) throws(FerryError) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    for index in 0..<count where try isText(key(index, of: node), name) { return index }
    return nil
  }

  /// Reorders the entries of a dictionary.
  fileprivate func permute(_ trail: NodeTrail, _ order: [Int]) throws(FerryError) {
    let node = try node(at: trail)
    guard try kind(of: node) == .dictionary(count: order.count) else { return }
    var (keys, values): ([NodeID], [NodeID]) = ([], [])
    for index in order {
      keys.append(try key(index, of: node))
      values.append(try value(index, of: node))
    }
    try replaceEntries(order.indices, of: trail, by: keys, values)
  }
}
