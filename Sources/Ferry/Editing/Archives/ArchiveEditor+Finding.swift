// The search for an existing object with a given value, and for the object that a location referred to before
// an edit.

extension ArchiveEditor {
  // MARK: The order of numbers

  /// Returns the number of the object that contains a location, or 0 if none does.
  func owner(of location: ValueLocation) -> ObjectNumber {
    guard location.trail.children.count > 1, location.trail.children[0] == .value(objectsEntry),
      case .element(let number) = location.trail.children[1]
    else { return .null }
    return ObjectNumber(number)
  }

  /// Returns true if an edit appended the last object for this location.
  ///
  /// That is the case if the only reference to the object comes before the class of an enclosing object: an
  /// archiver would have numbered the object before the class. The last object may also be followed by one
  /// that only it refers to.
  func isAppended(_ number: ObjectNumber, at location: ValueLocation) throws(FerryError) -> Bool {
    guard try number.index == references.count - 1 ? true : refersToLast(number) else { return false }
    let parents = try references.parents()
    var owner = owner(of: location)
    while owner > .null {
      if let type = try references.classNumber(of: owner), type > owner, type < number { return true }
      // A parent has a smaller number than its child, so the loop ends.
      owner = parents[owner.index] ?? .null
    }
    return false
  }

  /// Returns true if the object is the second to last, and the only one that refers to the last.
  private func refersToLast(_ number: ObjectNumber) throws(FerryError) -> Bool {
    let last = ObjectNumber(references.count - 1)
    guard number.index == last.index - 1, references.isSole(last) else { return false }
    return try references.references(in: references.node(number)).contains(last)
  }

  /// Returns the object, of several equal ones, that the location most likely referred to before.
  ///
  /// The first choice is an object whose number is unexplained unless its first reference was at this
  /// location. An object that was first referred to after the object around the location is not a candidate if
  /// there are others. Otherwise similar objects are assumed to refer to the same ones: the best candidate is
  /// referred to, under the same key, by the object that shares the most references with the object around
  /// the location.
  func likeliest(of equal: [ObjectNumber], at location: ValueLocation) throws(FerryError) -> ObjectNumber? {
    guard equal.count > 1 else { return equal.first }
    let (owner, parents) = (owner(of: location), try references.parents())
    if let candidate = equal.first(where: { $0 > owner && parents[$0.index] == nil }) { return candidate }
    guard owner > .null else { return equal.first }
    let key = try key(of: location)
    let siblings = try Set(references.references(in: references.node(owner)))
    let wanted = Set(equal)
    var scores: [ObjectNumber: Int] = [:]
    for other in references.numbers.dropFirst() where other != owner && references.isUsed(other) {
      let referenced = try references.references(in: references.node(other))
      for number in wanted.intersection(referenced) {
        let isSameKey = key == nil ? false : try self.key(ofReferenceTo: number, in: other) == key
        let score = siblings.intersection(referenced).count + (isSameKey ? references.count : 0)
        scores[number] = max(scores[number] ?? 0, score)
      }
    }
    let known = equal.filter { $0 < owner || isFirstReferred(to: $0, inside: owner, parents) }
    return (known.isEmpty ? equal : known).max { (scores[$0] ?? 0) < (scores[$1] ?? 0) }
  }

  /// Returns true if the first reference to an object is in another object, or in an object in it.
  private func isFirstReferred(
    to number: ObjectNumber, inside owner: ObjectNumber, _ parents: [ObjectNumber?]
  ) -> Bool {
    var outer = number
    // A parent has a smaller number than its child, so the loop ends.
    while outer > owner, let parent = parents[outer.index] { outer = parent }
    return outer == owner
  }

  /// Returns the archived key of a location in its object.
  private func key(of location: ValueLocation) throws(FerryError) -> String? {
    guard location.trail.children.count > 2, case .value(let entry) = location.trail.children[2] else {
      return nil
    }
    return try list.string(list.key(entry, of: references.node(owner(of: location))))
  }

  /// Returns the archived key under which an object refers to another.
  private func key(ofReferenceTo number: ObjectNumber, in object: ObjectNumber) throws(FerryError) -> String?
  {
    let node = try references.node(object)
    guard case .dictionary(let count) = try list.kind(of: node) else { return nil }
    for entry in 0..<count {
      let referenced = try references.references(in: list.value(entry, of: node))
      if referenced.contains(number) { return try list.string(list.key(entry, of: node)) }
    }
    return nil
  }

  // MARK: Existing objects

  /// Returns the number of the scalar object with a value that the location most likely referred to before.
  func number(ofScalar value: Value, besides number: ObjectNumber, at location: ValueLocation)
    throws(FerryError)
    -> ObjectNumber?
  {
    try likeliest(of: numbers(ofScalar: value).filter { $0 != number }, at: location)
  }

  /// Returns the number of a scalar object in use with a value, other than `replaced`, which is about to be
  /// replaced.
  func number(ofScalar value: Value, besides replaced: ObjectNumber? = nil) throws(FerryError)
    -> ObjectNumber?
  {
    try numbers(ofScalar: value).first { $0 != replaced }
  }

  /// Returns the numbers of the scalar objects in use with a value, in order. The table may be out of date, so each
  /// object is compared again.
  private func numbers(ofScalar value: Value) throws(FerryError) -> [ObjectNumber] {
    if scalars == nil { scalars = try allScalars() }
    var numbers: Set<ObjectNumber> = []
    for number in scalars?[value] ?? [] where number.index < references.count && references.isUsed(number) {
      if try ArchiveImport.bareScalar(references.node(number), in: list) == value { numbers.insert(number) }
    }
    return numbers.sorted()
  }

  private func allScalars() throws(FerryError) -> [Value: [ObjectNumber]] {
    var scalars: [Value: [ObjectNumber]] = [:]
    for number in references.numbers {
      if let value = try ArchiveImport.bareScalar(references.node(number), in: list) {
        scalars[value, default: []].append(number)
      }
    }
    return scalars
  }

  /// Returns the number of the object that describes a class, other than `replaced`, which is about to be
  /// replaced.
  func number(of type: ObjectClass, besides replaced: ObjectNumber? = nil) throws(FerryError) -> ObjectNumber?
  {
    if classes == nil { classes = try allClasses() }
    // The object may have been replaced since the table was made. Another object may describe the class.
    if let known = classes?[type], try !isClass(known, type) { classes = try allClasses() }
    let number = classes?[type]
    return number == replaced ? nil : number
  }

  /// Returns true if the object with a number describes a class.
  func isClass(_ number: ObjectNumber?, _ type: ObjectClass) throws(FerryError) -> Bool {
    guard let number, number.index < references.count else { return false }
    return try Self.type(references.node(number), in: list) == type
  }

  /// Returns the class with a name, with its superclasses as in the archive.
  func type(named name: String) throws(FerryError) -> ObjectClass? {
    if classes == nil { classes = try allClasses() }
    let type = classes?.first { $0.key.name.equals(name) }
    guard let type, try !isClass(type.value, type.key) else { return type?.key }
    classes = try allClasses()
    return classes?.keys.first { $0.name.equals(name) }
  }

  private func allClasses() throws(FerryError) -> [ObjectClass: ObjectNumber] {
    var classes: [ObjectClass: ObjectNumber] = [:]
    // A class description without references is included, to be used again.
    for number in references.numbers {
      guard let type = try Self.type(references.node(number), in: list), classes[type] == nil else {
        continue
      }
      classes[type] = number
    }
    return classes
  }

  static func type(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> ObjectClass? {
    guard let nameNode = try nodes.value("$classname", of: node), let name = try nodes.string(nameNode) else {
      return nil
    }
    return ObjectClass(
      name: name, chain: try strings("$classes", of: node, nodes),
      hints: try strings("$classhints", of: node, nodes))
  }

  private static func strings(_ key: StaticString, of node: NodeID, _ nodes: any PropertyListNodes)
    throws(FerryError) -> [String]
  {
    guard let list = try nodes.value(key, of: node) else { return [] }
    var strings: [String] = []
    try nodes.forEachChild(of: list) { child throws(FerryError) in
      if let string = try nodes.string(child) { strings.append(string) }
    }
    return strings
  }
}
