extension Value {
  /// The values directly inside the value: elements, keys and values, or the content of an object.
  var parts: [Value] {
    switch self {
    case .array(let values), .set(let values): values
    case .dictionary(let entries): entries.keys + entries.values
    case .object(let object): [object.content]
    default: []
    }
  }

  /// Calls a function with each part, without an array of them.
  func forEachPart(_ body: (Value) -> Void) {
    switch self {
    case .array(let values), .set(let values): values.forEach(body)
    case .dictionary(let entries):
      for (key, value) in entries {
        body(key)
        body(value)
      }
    case .object(let object): body(object.content)
    default: break
    }
  }

  /// The content of an object, or the value itself.
  var withoutClass: Value { if case .object(let object) = self { object.content } else { self } }

  /// Returns the value with each directly contained value transformed.
  func mappingParts(_ transform: (Value) -> Value) -> Value {
    switch self {
    case .array(let values): return .array(values.map(transform))
    case .set(let values): return .set(values.map(transform))
    case .dictionary(let entries): return .dictionary(entries.mapParts(transform))
    case .object(var object):
      object.content = transform(object.content)
      return .object(object)
    default: return self
    }
  }

  /// Returns the value with the directly contained values transformed that are collections, objects or references. A collection without
  /// such values is not made anew.
  func mappingNestedParts(_ transform: (Value) -> Value) -> Value {
    let isFlat =
      switch self {
      case .array(let values), .set(let values): values.allSatisfy(\.isScalar)
      case .dictionary(let entries): entries.allSatisfy { $0.key.isScalar && $0.value.isScalar }
      default: false
      }
    return isFlat ? self : mappingParts { $0.isScalar ? $0 : transform($0) }
  }

  /// True for a value without parts that is not a reference to an object.
  private var isScalar: Bool {
    switch self {
    case .array, .set, .dictionary, .object, .reference: false
    default: true
    }
  }

  /// True if the value refers to a shared object.
  var hasReferences: Bool {
    if case .reference = self { true } else { parts.contains(where: \.hasReferences) }
  }

  /// Returns true if the value refers to one of the objects with these numbers.
  func refers(toAnyOf numbers: Set<Int>) -> Bool {
    if case .reference(let number) = self {
      numbers.contains(number)
    } else {
      parts.contains { $0.refers(toAnyOf: numbers) }
    }
  }

  /// The numbers of the objects that the value refers to.
  var references: [Int] {
    var (found, waiting): ([Int], [Value]) = ([], [self])
    while let value = waiting.popLast() {
      if case .reference(let number) = value { found.append(number) }
      value.forEachPart { if !$0.isScalar { waiting.append($0) } }
    }
    return found
  }

  /// The shared objects in the value, by number.
  var sharedObjects: [Int: ObjectValue] {
    var (found, waiting): ([Int: ObjectValue], [Value]) = ([:], [self])
    while let value = waiting.popLast() {
      if case .object(let object) = value, let number = object.identity { found[number] = object }
      value.forEachPart { if !$0.isScalar { waiting.append($0) } }
    }
    return found
  }

  /// Returns the value with the identities of objects, and the references to them, transformed.
  func mappingIdentities(_ transform: (Int) -> Int) -> Value {
    switch self {
    case .reference(let identity): return .reference(transform(identity))
    case .object(var object):
      object.identity = object.identity.map(transform)
      object.content = object.content.mappingIdentities(transform)
      return .object(object)
    default: return mappingParts { $0.mappingIdentities(transform) }
    }
  }

  /// The least and the greatest number of a shared object in the value; nil if there is none.
  var identityBounds: (least: Int, greatest: Int)? {
    var found: (least: Int, greatest: Int)?
    var waiting = [self]
    while let value = waiting.popLast() {
      var number: Int?
      if case .object(let object) = value { number = object.identity }
      if case .reference(let identity) = value { number = identity }
      if let number { found = (min(found?.least ?? number, number), max(found?.greatest ?? number, number)) }
      value.forEachPart { if !$0.isScalar { waiting.append($0) } }
    }
    return found
  }
}
