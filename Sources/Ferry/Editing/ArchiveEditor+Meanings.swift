// Objects that the catalogue understands: they are given another meaning, and keep their class, and the way in which they
// are archived.

/// An object that has a meaning, and the place where it is.
struct MeantObject {
  let place: PathPlace
  let type: ObjectClass
  let entry: CatalogueEntry
  let meaning: Meaning
  private let meanings: ArchiveMeanings

  /// Nil when the object at a place has none.
  init?(at place: PathPlace, _ meanings: ArchiveMeanings) throws(Failure) {
    guard let object = try meanings.object(at: place.node) else { return nil }
    self.place = place
    self.meanings = meanings
    (type, entry, meaning) = (object.type, object.entry, object.meaning)
  }

  /// What the object means, or a part of that.
  func value(of part: Meaning? = nil) throws(Failure) -> Value {
    if let value = try meanings.value(of: part ?? meaning) { return value }
    let builder = ValueBuilder()
    let reader = ArchiveReader(
      meanings.objects, into: builder, sharing: .leavesInFull, budget: Budget(),
      catalogue: meanings.catalogue, meanings: .all)
    try reader.read(part ?? meaning, of: place.node)
    return try builder.result()
  }

  /// Whether nothing is in the meaning but scalars, so that it is quickly looked at.
  var isLeaf: Bool { get throws(Failure) { try meanings.isLeaf(meaning) } }

  /// What the object means once a part is another, or nil when there is no such part, or when the class cannot mean that.
  func revised(at path: [ValuePath.Step], to value: Value) throws(Failure) -> Value? {
    var content = value
    if path.isEmpty, case .object(let object) = value {
      guard object.type.name == type.name else { return nil }
      content = object.content
    }
    let old = try self.value()
    guard let new = entry.meaning.revised(old, at: path[...], to: content), try keys(for: new) != nil else {
      return nil
    }
    return new
  }

  /// The keys for a meaning, as this object has them; nil when it is none of the class.
  func keys(for meaning: Value) throws(Failure) -> [ArchivedEntry]? {
    guard case .dictionary(let count) = try meanings.objects.nodes.kind(of: place.node) else { return nil }
    let object = try ArchivedObject(type, at: place.node, count: count, in: meanings.objects)
    // A dictionary that has no part of the class's meaning is some other value.
    if case .dictionary(let parts) = meaning, parts.isEmpty { return nil }
    return try entry.archivedKeys(for: meaning, of: type, like: object)
  }

  /// The keys that the object has for what it means now.
  var keys: [ArchivedEntry] {
    get throws(Failure) { try keys(for: value()) ?? [] }
  }
}

extension ArchiveEditor {
  /// How many objects that others are inside of are looked into for an equal one: each may be as large as the archive.
  private static let mostLooks = 200

  /// The object at a place, when it has a meaning.
  func meant(at place: PathPlace) throws(Failure) -> MeantObject? {
    try MeantObject(at: place, ArchiveMeanings(of: ArchiveObjects(list), catalogue, .all))
  }

  /// The object of a number, when it has a meaning.
  func meant(_ number: Int) throws(Failure) -> MeantObject? { try meant(at: place(of: number)) }

  private func place(of number: Int) throws(Failure) -> PathPlace {
    PathPlace(trail: objects.appending(.element(number)), node: try references.node(number))
  }

  /// Gives the object that a place refers to another meaning: the object itself when only this place refers to it, else a
  /// copy. False when it has no meaning, or when its class cannot mean that.
  func setMeaning(_ number: Int, _ value: Value, at place: PathPlace) throws(Failure) -> Bool {
    guard let object = try meant(number), let new = try object.revised(at: [], to: value) else {
      return false
    }
    if try references.isSole(number) ? isAppended(number, at: place) : true {
      // What is shared stays for the others; an equal object serves as well as a copy.
      if let equal = try self.number(ofObjectLike: number, object, new, at: place) {
        try move(list.add(.scalar(.uid(UInt64(equal)))), to: place.trail)
        return true
      }
    }
    guard !references.isSole(number) else {
      try change(object, to: new)
      return true
    }
    let copy = try references.append(try list.copyOfDictionary(object.place.node))
    try move(list.add(.scalar(.uid(UInt64(copy)))), to: place.trail)
    guard let copied = try meant(copy) else { return false }
    try change(copied, to: new)
    return true
  }

  /// Changes a part of what an object means, wherever the object is referred to.
  func setPart(_ value: Value, at place: PathPlace) throws(Failure) {
    let object = PathPlace(trail: place.trail, node: place.node)
    guard let meant = try meant(at: object) else {
      throw Failure(.path(.cannotStand("this value", "what was here is gone")))
    }
    guard let new = try meant.revised(at: place.inner, to: value) else { throw meant.entry.noMeaning }
    try change(meant, to: new)
  }

  /// Changes the elements of a list that an object means, or that is a part of what it means.
  func changeList(at place: PathPlace, _ body: (inout [Value]) -> Void) throws(Failure) {
    guard let meant = try meant(at: PathPlace(trail: place.trail, node: place.node)),
      var list = try meant.value().part(at: place.inner[...])?.elements
    else { throw Failure(.path(.cannotStand("this value", "what was here is gone"))) }
    body(&list)
    try setPart(.array(list), at: place)
  }

  /// An object of the same class that has a meaning already.
  private func number(
    ofObjectLike number: Int, _ object: MeantObject, _ value: Value, at place: PathPlace
  ) throws(Failure) -> Int? {
    guard let wanted = try object.keys(for: value),
      let type = try list.value("$class", of: references.node(number))
    else { return nil }
    let typeKind = try list.kind(of: type)
    var equal: [Int] = []
    var looks = Self.mostLooks
    let meanings = ArchiveMeanings(of: try ArchiveObjects(list), catalogue, .all)
    for other in 1..<references.count where other != number && references.isUsed(other) {
      let node = try references.node(other)
      guard case .dictionary = try list.kind(of: node),
        let otherType = try list.value("$class", of: node), try list.kind(of: otherType) == typeKind,
        let candidate = try MeantObject(at: self.place(of: other), meanings)
      else { continue }
      if try !candidate.isLeaf { looks -= 1 }
      guard looks > 0 else { break }
      if try candidate.keys == wanted { equal.append(other) }
    }
    return try likeliest(of: equal, at: place)
  }

  // MARK: Keys

  /// Gives an object another meaning: writes the keys that differ, and leaves all others as they are.
  func change(_ object: MeantObject, to value: Value) throws(Failure) {
    guard let new = try object.keys(for: value) else { throw object.entry.noMeaning }
    let (old, trail) = (try object.keys, object.place.trail)
    let names = try names(at: trail)
    try write(new.filter { !old.contains($0) }, to: trail)
    try removeKeys(of: old, butOf: new, at: trail)
    if names == KeyOrder.ordered(Self.names(old)) { try order(trail, as: KeyOrder.ordered(Self.names(new))) }
    // What the object had in a way that is not the class's own may now mean something else.
    let changed = PathPlace(trail: trail, node: try list.node(at: trail))
    guard try meant(at: changed)?.keys != new else { return }
    try write(new, to: trail)
  }

  private static func names(_ keys: [ArchivedEntry]) -> [String] {
    keys.map(\.key.asArchivedKey) + ["$class"]
  }

  private func names(at trail: NodeTrail) throws(Failure) -> [String] {
    let node = try list.node(at: trail)
    guard case .dictionary(let count) = try list.kind(of: node) else { return [] }
    var names: [String] = []
    for index in 0..<count { names.append(try list.string(list.key(index, of: node)) ?? "") }
    return names
  }

  private func write(_ keys: [ArchivedEntry], to trail: NodeTrail) throws(Failure) {
    for key in keys {
      let object = PathPlace(trail: trail, node: try list.node(at: trail))
      if let entry = try list.entry(named: key.key.asArchivedKey, of: object.node) {
        let place = try object.child(.value(entry), in: list, isField: true)
        try set(try list.kind(of: place.node).likened(key.value), at: place)
      } else {
        let node = try key.standsInPlace ? list.add(value: key.value) : node(for: key.value)
        try append(key.key.asArchivedKey, node, to: trail)
      }
    }
  }

  private func node(for value: Value) throws(Failure) -> Int {
    if value == .null { return list.add(.scalar(.uid(0))) }
    if let number = try equal(value) { return list.add(.scalar(.uid(UInt64(number)))) }
    return try reference(to: value)
  }

  /// An object that is this value: one that nobody refers to, because an edit has left it there, or one of a class of the
  /// catalogue that does not change.
  private func equal(_ value: Value) throws(Failure) -> Int? {
    let archive = try ArchiveObjects(list)
    let name: String? = if case .object(let object) = value { object.type.name } else { nil }
    let isConstant = name.map { catalogue.type(named: $0) != nil && !$0.contains("Mutable") } ?? false
    var (found, looks): (Int?, Int) = (nil, Self.mostLooks)
    for number in 1..<max(references.count, 1) where looks > 0 {
      let isUsed = references.isUsed(number)
      guard !isUsed || (isConstant && found == nil) else { continue }
      let node = try references.node(number)
      let builder = ValueBuilder()
      // What nobody uses may be anything.
      guard (try? archive.className(of: node)) == name else { continue }
      looks -= 1
      let reader = ArchiveReader(
        archive, into: builder, sharing: .leavesInFull, budget: Budget(), catalogue: catalogue, meanings: .all
      )
      guard (try? reader.read(from: node)) != nil, try builder.result() == value else { continue }
      guard isUsed else { return number }
      found = number
    }
    return found
  }

  private func removeKeys(
    of old: [ArchivedEntry], butOf new: [ArchivedEntry], at trail: NodeTrail
  ) throws(Failure) {
    for key in old where !new.contains(where: { $0.key == key.key }) {
      let node = try list.node(at: trail)
      guard let entry = try list.entry(named: key.key.asArchivedKey, of: node) else { continue }
      try remove(.value(entry), of: trail)
    }
  }

  /// Puts the keys of an object in an order, unless they are in it.
  private func order(_ trail: NodeTrail, as wanted: [String]) throws(Failure) {
    let names = try names(at: trail)
    guard names != wanted, names.count == wanted.count else { return }
    try list.permute(trail, wanted.compactMap { names.firstIndex(of: $0) })
  }
}

extension Value {
  /// The part at a path; objects are looked through.
  fileprivate func part(at path: ArraySlice<ValuePath.Step>) -> Value? {
    switch path.first {
    case nil: self
    case .key(let key): self[key]?.part(at: path.dropFirst())
    case .index(let index): self[index]?.part(at: path.dropFirst())
    case .slice, .element, .end: nil
    }
  }

  /// The elements of an array.
  fileprivate var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }
}

extension KeyOrder {
  /// Names, given in the order of their adding, in the order of their writing.
  static func ordered(_ names: [String]) -> [String] {
    indices(of: names.map { hash(Array($0.utf16)) }).map { names[$0] }
  }
}

extension ArchiveObjects {
  /// The name of an object's class; nil when it has none.
  fileprivate func className(of node: Int) throws(Failure) -> String? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    return try type(of: node, count: count)?.name
  }
}

extension NodeKind {
  /// A value as it may take the place of one of this kind: a real in 32 bits where it fits them, a scalar without its
  /// object where scalars stand in place.
  fileprivate func likened(_ value: Value) -> Value {
    switch (self, value) {
    case (.single, .real(let real)) where Double(Float(real)) == real: .single(Float(real))
    case (.string, .object(let object)), (.data, .object(let object)): object.content
    default: value
    }
  }
}

extension EditedPropertyList {
  /// The number of a dictionary's entry with a name, or nil.
  fileprivate func entry(named name: String, of node: Int) throws(Failure) -> Int? {
    guard case .dictionary(let count) = try kind(of: node) else { return nil }
    for index in 0..<count where try isText(key(index, of: node), name) { return index }
    return nil
  }

  /// Puts the entries of a dictionary in another order.
  fileprivate func permute(_ trail: NodeTrail, _ order: [Int]) throws(Failure) {
    try change(trail) { content in
      guard case .dictionary(let keys, let values) = content, order.count == keys.count else { return }
      content = .dictionary(keys: order.map { keys[$0] }, values: order.map { values[$0] })
    }
  }

  /// Adds a dictionary with the entries of another.
  fileprivate func copyOfDictionary(_ node: Int) throws(Failure) -> Int {
    guard case .dictionary(let count) = try kind(of: node) else { return add(.scalar(.null)) }
    var (keys, values): ([Int], [Int]) = ([], [])
    for index in 0..<count {
      keys.append(try key(index, of: node))
      values.append(try value(index, of: node))
    }
    return add(.dictionary(keys: keys, values: values))
  }
}
