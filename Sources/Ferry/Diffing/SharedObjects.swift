/// A value with its shared objects stored separately. Two values are then equal even if the first reference
/// to an object, where a value contains the object, is at different paths.
///
///     [Person #7 {group: Group #3 {…}}, Person {group: → #3}]
///     [Person {group: → g}, Person {group: → g}]      and      g = Group {…}
///
/// The object numbers of one file mean nothing in another. Here the number of an object is computed from its
/// contents, so it is the same in each version until the object changes.
struct SharedObjects {
  /// The value, with a reference in place of each shared object.
  private(set) var root: Value
  /// The shared objects by number.
  private(set) var objects: [Int: ObjectValue] = [:]

  /// Separates the shared objects from a value.
  init(_ value: Value, numbering: inout SharedObjectNumbering) {
    var taken: [Int: ObjectValue] = [:]
    var order: [Int] = []
    root = Self.taking(value, &taken, &order)
    guard !taken.isEmpty else { return }
    rename(numbering.numbers(of: taken, inOrder: order), from: taken)
  }

  private static func taking(_ value: Value, _ taken: inout [Int: ObjectValue], _ order: inout [Int]) -> Value
  {
    switch value {
    case .object(var object):
      if let identity = object.identity { order.append(identity) }
      object.content = taking(object.content, &taken, &order)
      guard let identity = object.identity else { return .object(object) }
      object.identity = nil
      taken[identity] = object
      return .reference(identity)
    default: return value.mappingParts { taking($0, &taken, &order) }
    }
  }

  /// Renumbers objects. Objects without a new number keep their own.
  mutating func rename(_ numbers: [Int: Int]) { rename(numbers, from: objects) }

  private mutating func rename(_ numbers: [Int: Int], from objects: [Int: ObjectValue]) {
    func renamed(_ value: Value) -> Value {
      if case .reference(let number) = value { return .reference(numbers[number] ?? number) }
      return value.mappingParts(renamed)
    }
    root = renamed(root)
    var result: [Int: ObjectValue] = [:]
    for (number, var object) in objects {
      object.content = renamed(object.content)
      result[numbers[number] ?? number] = object
    }
    self.objects = result
  }

  /// The shortest path to each object, by object number.
  var trails: [Int: MergeTrail] {
    var trails: [Int: MergeTrail] = [:]
    var waiting: [(value: Value, trail: MergeTrail?)] = [(root, nil)]
    var next = 0
    while next < waiting.count {
      let (value, trail) = waiting[next]
      next += 1
      switch value {
      case .array(let values), .set(let values):
        for (index, value) in values.enumerated() {
          waiting.append((value, MergeTrail(trail, .path(.index(index)))))
        }
      case .dictionary(let entries):
        for (key, value) in entries { waiting.append((value, MergeTrail(trail, .key(key)))) }
      case .object(let object): waiting.append((object.content, trail))
      case .reference(let number):
        guard trails[number] == nil, let object = objects[number] else { continue }
        // The root itself may be an object, which has no path.
        trails[number] = trail ?? MergeTrail(nil, .object { nil })
        waiting.append((object.content, trail))
      default: continue
      }
    }
    return trails
  }

  /// Returns the value with its objects put back: each at its first reference, and with an identity if it has
  /// more references.
  static func value(_ root: Value, with objects: [Int: ObjectValue], depth: Int) throws(FerryError) -> Value {
    guard !objects.isEmpty else { return root }
    var putting = Putting(objects: objects, limit: depth)
    putting.count(root)
    return try putting.value(of: root, depth: 0)
  }

  private struct Putting {
    let objects: [Int: ObjectValue]
    let limit: Int
    var counts: [Int: Int] = [:]
    var begun: Set<Int> = []

    /// Counts the references to each object.
    mutating func count(_ root: Value) {
      var waiting = [root]
      while let value = waiting.popLast() {
        if case .reference(let number) = value {
          counts[number, default: 0] += 1
          if counts[number] == 1, let object = objects[number] { waiting.append(object.content) }
        }
        waiting += value.parts
      }
    }

    mutating func value(of value: Value, depth: Int) throws(FerryError) -> Value {
      guard depth <= limit else { throw FerryError(.overBudget(.depth(limit))) }
      switch value {
      case .reference(let number):
        guard var object = objects[number], begun.insert(number).inserted else { return value }
        object.content = try self.value(of: object.content, depth: depth + 1)
        object.identity = counts[number] == 1 ? nil : number
        return .object(object)
      case .object(var object):
        object.content = try self.value(of: object.content, depth: depth + 1)
        return .object(object)
      case .array(let values): return .array(try self.values(of: values, depth: depth))
      case .set(let values): return .set(try self.values(of: values, depth: depth))
      case .dictionary(let entries):
        var result = KeyedValues()
        for (key, value) in entries {
          result[try self.value(of: key, depth: depth + 1)] = try self.value(of: value, depth: depth + 1)
        }
        return .dictionary(result)
      default: return value
      }
    }

    private mutating func values(of values: [Value], depth: Int) throws(FerryError) -> [Value] {
      var result: [Value] = []
      result.reserveCapacity(values.count)
      for value in values { result.append(try self.value(of: value, depth: depth + 1)) }
      return result
    }
  }
}

/// A numbering of shared objects by their contents, common to all versions of a document.
struct SharedObjectNumbering {
  private struct Name: Hashable {
    let content: Int
    /// The index among objects with equal contents, in document order.
    let occurrence: Int
  }

  private var numbers: [Name: Int] = [:]

  /// The number of levels of references that contribute to an object's number. With more levels, a change to
  /// one object renumbers more of the others; with fewer, more different objects are considered equal.
  private static let rounds = 2

  /// Returns the new number of each object, by its old number.
  mutating func numbers(of objects: [Int: ObjectValue], inOrder order: [Int]) -> [Int: Int] {
    var names = objects.mapValues { $0.type.name.hashValue }
    for _ in 0..<Self.rounds {
      names = objects.mapValues { object in
        var hasher = Hasher()
        hasher.combine(object.type)
        Self.combine(object.content, names, into: &hasher)
        return hasher.finalize()
      }
    }
    var occurrences: [Int: Int] = [:]
    var result: [Int: Int] = [:]
    for identity in order {
      guard let content = names[identity] else { continue }
      let name = Name(content: content, occurrence: occurrences[content, default: 0])
      occurrences[content, default: 0] += 1
      let number = numbers[name] ?? numbers.count + 1
      numbers[name] = number
      result[identity] = number
    }
    return result
  }

  private static func combine(_ value: Value, _ names: [Int: Int], into hasher: inout Hasher) {
    switch value {
    case .reference(let number): hasher.combine(names[number])
    case .array, .set, .dictionary:
      for part in value.parts { combine(part, names, into: &hasher) }
    case .object(let object):
      hasher.combine(object.type)
      combine(object.content, names, into: &hasher)
    default: hasher.combine(value)
    }
  }
}

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

  /// Returns the value with each directly contained value transformed.
  func mappingParts(_ transform: (Value) -> Value) -> Value {
    switch self {
    case .array(let values): return .array(values.map(transform))
    case .set(let values): return .set(values.map(transform))
    case .dictionary(let entries):
      var result = KeyedValues()
      for (key, value) in entries { result[transform(key)] = transform(value) }
      return .dictionary(result)
    case .object(var object):
      object.content = transform(object.content)
      return .object(object)
    default: return self
    }
  }
}
