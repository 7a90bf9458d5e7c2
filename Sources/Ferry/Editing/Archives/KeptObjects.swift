/// The objects under the archived keys of an object, by their values. When the decoded form changes, values that
/// stay are still these objects, with all that they share.
///
///     NSAttributes: [{font: #9}, {font: #9, size: 2}]     →     {font: #9}: object 7, {font: #9, size: 2}: object 8
struct KeptObjects {
  private var numbers: [Value: ArraySlice<ObjectNumber>] = [:]

  /// Adds an object with its value. Scalars are left out, because equal scalars need not be the same object.
  mutating func add(_ number: ObjectNumber, for value: Value) {
    switch value {
    case .array, .dictionary, .object: numbers[value, default: []].append(number)
    default: break
    }
  }

  /// Returns an object with a value, and leaves it out from then on. Returns nil if there is none.
  mutating func take(_ value: Value) -> ObjectNumber? { numbers[value]?.popFirst() }

  /// Returns true if a value is one of the objects.
  func contains(_ value: Value) -> Bool { numbers[value]?.isEmpty == false }
}

extension ArchiveEditor {
  /// Returns the objects under archived keys, and the elements of arrays there.
  func keptObjects(_ keys: [ArchivedEntry], at trail: NodeTrail) throws(FerryError) -> KeptObjects {
    var kept = KeptObjects()
    let node = try list.node(at: trail)
    for key in keys {
      guard let field = try list.entry(named: key.key.asArchivedKey, of: node),
        let number = try number(at: list.value(field, of: node))
      else { continue }
      kept.add(number, for: key.value)
      guard let values = key.value.elements, let elements = try elements(of: number),
        elements.count == values.count
      else { continue }
      for (index, value) in values.enumerated() {
        guard let element = try self.number(at: list.element(index, of: elements.node)) else { continue }
        kept.add(element, for: value)
      }
    }
    return kept
  }

  /// Writes a value under an archived key if it is, or contains as an element, one of the objects. Returns false
  /// if it does not.
  func write(_ value: Value, at location: ValueLocation, of kept: inout KeptObjects) throws(FerryError)
    -> Bool
  {
    guard case .uid = try list.kind(of: location.node) else { return false }
    if let number = referenced(by: value) ?? kept.take(value) {
      try move(list.add(.scalar(.uid(number.uid))), to: location.trail)
      return true
    }
    guard case .object(let array) = value, let values = value.elements,
      values.contains(where: { referenced(by: $0) != nil || kept.contains($0) })
    else { return false }
    let (number, elements) = try arrayObject(of: array.type, at: location)
    for (index, value) in values.enumerated() {
      let known = referenced(by: value) ?? kept.take(value)
      let node = if let known { list.add(.scalar(.uid(known.uid))) } else { try reference(to: value) }
      try insert(node, at: index, of: elements.trail)
    }
    for index in (0..<elements.count).reversed() {
      try remove(.element(values.count + index), of: elements.trail)
    }
    try move(list.add(.scalar(.uid(number.uid))), to: location.trail)
    return true
  }

  /// Returns the object that a reference means, or nil for other values.
  private func referenced(by value: Value) -> ObjectNumber? {
    guard case .reference(let identity) = value else { return nil }
    if let number = shared?.numbers[identity] { return number }
    // A user may give any number, also a negative one.
    return (0..<references.count).contains(identity) ? ObjectNumber(identity) : nil
  }

  /// Returns the array object at a location if it has the class and no other reference, otherwise a new one.
  private func arrayObject(
    of type: ObjectClass, at location: ValueLocation
  ) throws(FerryError) -> (ObjectNumber, elements: ArrayElements) {
    if let number = try number(at: location.node), references.isSole(number),
      let elements = try elements(of: number), elements.type == type
    {
      return (number, elements)
    }
    let number = try appendedObject(.object(ObjectValue(type, content: .array([]))))
    guard let elements = try elements(of: number) else {
      throw FerryError(.archive(.badEvents("an array has elements")))
    }
    return (number, elements)
  }

  /// Returns the number of the object that a node refers to, or nil.
  private func number(at node: NodeID) throws(FerryError) -> ObjectNumber? {
    guard case .uid(let uid) = try list.kind(of: node), uid > 0, uid < UInt64(references.count) else {
      return nil
    }
    return ObjectNumber(Int(uid))
  }

  /// The elements of an array object.
  private struct ArrayElements {
    let type: ObjectClass
    let node: NodeID
    let trail: NodeTrail
    let count: Int
  }

  /// Returns the elements of an array object, or nil for other objects.
  private func elements(of number: ObjectNumber) throws(FerryError) -> ArrayElements? {
    let object = try location(of: number)
    guard case .dictionary(let count) = try list.kind(of: object.node),
      let type = try ArchiveObjects(list).type(of: object.node, count: count),
      case .elements(let location, let count) = try NodeParts(of: object, type: type, in: list)
    else { return nil }
    return ArrayElements(type: type, node: location.node, trail: location.trail, count: count)
  }
}

extension Value {
  /// The elements of an array, also of one with a class, or nil for other values.
  fileprivate var elements: [Value]? {
    switch self {
    case .array(let elements): elements
    case .object(let object): object.content.elements
    default: nil
    }
  }
}

extension [ArchivedEntry] {
  /// The keys, without the identities of objects to which no value refers.
  var withNeededIdentities: [ArchivedEntry] {
    let referenced = reduce(into: Set<Int>()) { $0.formUnion($1.value.references) }
    return map { key in
      var key = key
      key.value = key.value.withIdentities(referenced)
      return key
    }
  }
}

extension Value {
  fileprivate func withIdentities(_ needed: Set<Int>) -> Value {
    var value = self
    if case .object(var object) = self, let identity = object.identity, !needed.contains(identity) {
      object.identity = nil
      value = .object(object)
    }
    return value.mappingParts { $0.withIdentities(needed) }
  }
}
