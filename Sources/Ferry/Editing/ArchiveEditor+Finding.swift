// Which of the objects that are there a value is, or was before it was changed.

extension ArchiveEditor {
  // MARK: The order of numbers

  /// The object that a place is in; 0 when it is in none.
  func owner(of place: PathPlace) -> Int {
    guard place.trail.children.count > 1, place.trail.children[0] == .value(objectsEntry),
      case .element(let number) = place.trail.children[1]
    else { return 0 }
    return number
  }

  /// Whether the only reference to the last object is from a place where an archiver would have met it earlier, so that
  /// an edit has put it there: behind the class of an object that the place is in. A scalar's object may have its scalar
  /// behind it.
  func isAppended(_ number: Int, at place: PathPlace) throws(Failure) -> Bool {
    guard try number == references.count - 1 ? true : refersToLast(number) else { return false }
    let parents = try references.parents()
    var owner = owner(of: place)
    while owner > 0 {
      if let type = try references.classNumber(of: owner), type > owner, type < number { return true }
      // A parent has a smaller number, so this ends.
      owner = parents[owner] ?? 0
    }
    return false
  }

  /// Whether an object is the last but one and the only one to refer to the last.
  private func refersToLast(_ number: Int) throws(Failure) -> Bool {
    let last = references.count - 1
    guard number == last - 1, references.isSole(last) else { return false }
    return try references.references(in: references.node(number)).contains(last)
  }

  /// Of equal objects, the one that is the likeliest to have stood at a place before.
  ///
  /// One that was met here has a number without any other reason. Else what is alike refers to the same: the object that
  /// holds one under the same key as the place, and shares most of what it refers to with the object that the place is in.
  func likeliest(of equal: [Int], at place: PathPlace) throws(Failure) -> Int? {
    guard equal.count > 1 else { return equal.first }
    let (owner, parents) = (owner(of: place), try references.parents())
    if let met = equal.first(where: { $0 > owner && parents[$0] == nil }) { return met }
    guard owner > 0 else { return equal.first }
    let key = try key(of: place)
    let siblings = try Set(references.references(in: references.node(owner)))
    let wanted = Set(equal)
    var scores: [Int: Int] = [:]
    for other in 1..<references.count where other != owner && references.isUsed(other) {
      let met = try references.references(in: references.node(other))
      for number in wanted.intersection(met) {
        let isSameKey = key == nil ? false : try self.key(ofReferenceTo: number, in: other) == key
        let score = siblings.intersection(met).count + (isSameKey ? references.count : 0)
        scores[number] = max(scores[number] ?? 0, score)
      }
    }
    let known = equal.filter { $0 < owner || parents[$0] != nil }
    return (known.isEmpty ? equal : known).max { (scores[$0] ?? 0) < (scores[$1] ?? 0) }
  }

  /// The key under which a place is in its object.
  private func key(of place: PathPlace) throws(Failure) -> String? {
    guard place.trail.children.count > 2, case .value(let entry) = place.trail.children[2] else { return nil }
    return try list.string(list.key(entry, of: references.node(owner(of: place))))
  }

  /// The key under which an object refers to another.
  private func key(ofReferenceTo number: Int, in object: Int) throws(Failure) -> String? {
    let node = try references.node(object)
    guard case .dictionary(let count) = try list.kind(of: node) else { return nil }
    for entry in 0..<count {
      let met = try references.references(in: list.value(entry, of: node))
      if met.contains(number) { return try list.string(list.key(entry, of: node)) }
    }
    return nil
  }

  // MARK: What is there

  /// The number of a bare object that is in use, and is the likeliest to have stood at a place before.
  func number(ofScalar value: Value, besides number: Int, at place: PathPlace) throws(Failure) -> Int? {
    if scalars == nil { scalars = try allScalars() }
    return try likeliest(of: (scalars?[value] ?? []).filter { $0 != number }, at: place)
  }

  /// The number of a bare object that is in use.
  func number(ofScalar value: Value) throws(Failure) -> Int? {
    if scalars == nil { scalars = try allScalars() }
    return scalars?[value]?.first
  }

  private func allScalars() throws(Failure) -> [Value: [Int]] {
    var scalars: [Value: [Int]] = [:]
    for number in 0..<references.count where references.isUsed(number) {
      if let value = try ArchiveImport.bareScalar(references.node(number), in: list) {
        scalars[value, default: []].append(number)
      }
    }
    return scalars
  }

  func number(of type: ObjectClass) throws(Failure) -> Int? {
    if classes == nil { classes = try allClasses() }
    return classes?[type]
  }

  /// The class of a name, as the archive describes it.
  func type(named name: String) throws(Failure) -> ObjectClass? {
    if classes == nil { classes = try allClasses() }
    return classes?.keys.first { $0.name == name }
  }

  private func allClasses() throws(Failure) -> [ObjectClass: Int] {
    var classes: [ObjectClass: Int] = [:]
    for number in 0..<references.count where references.isUsed(number) {
      guard let type = try Self.type(references.node(number), in: list), classes[type] == nil else {
        continue
      }
      classes[type] = number
    }
    return classes
  }

  static func type(_ node: Int, in nodes: any PropertyListNodes) throws(Failure) -> ObjectClass? {
    guard let nameNode = try nodes.value("$classname", of: node), let name = try nodes.string(nameNode) else {
      return nil
    }
    return ObjectClass(
      name: name, chain: try strings("$classes", of: node, nodes),
      hints: try strings("$classhints", of: node, nodes))
  }

  private static func strings(_ key: StaticString, of node: Int, _ nodes: any PropertyListNodes)
    throws(Failure) -> [String]
  {
    guard let list = try nodes.value(key, of: node) else { return [] }
    var strings: [String] = []
    try nodes.forEachChild(of: list) { child throws(Failure) in
      if let string = try nodes.string(child) { strings.append(string) }
    }
    return strings
  }
}
