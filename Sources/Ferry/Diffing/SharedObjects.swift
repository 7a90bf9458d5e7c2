/// A value with its shared objects stored separately. Two values are then equal even if the first reference
/// to an object, where a value contains the object, is at different paths.
///
///     [Person #7 {group: Group #3 {…}}, Person {group: → #3}]
///     [Person {group: → #3}, Person {group: → #3}]      and      #3 = Group {…}
///
/// The object numbers of one file mean nothing in another. Before values are compared, their objects get common
/// numbers (`SharedObjectMatching`).
struct SharedObjects: Hashable {
  /// The value, with a reference in place of each shared object.
  private(set) var root: Value
  /// The shared objects by number.
  private(set) var objects: [Int: ObjectValue] = [:]
  /// The objects that are stored separately although the value does not share them.
  private(set) var unshared: Set<Int> = []
  /// The number that each shared object has in the file, by its number here.
  private(set) var fileNumbers: [Int: Int] = [:]

  /// Separates the shared objects from a value or, with `all`, every object that has a collection as its content. With `all`, deep
  /// collections are separated like objects, too.
  init(_ value: Value, all: Bool = false) {
    let greatest = all ? value.identityBounds?.greatest : nil
    let mostLevels = greatest == nil ? Taken.mostLevels : Taken.mostLevelsBesideShared
    var taken = Taken(next: all ? (greatest ?? -1) &+ 1 : nil, mostLevels: all ? mostLevels : .max)
    root = taken.taking(value)
    (objects, unshared) = (taken.objects, taken.unshared)
    for number in objects.keys where !unshared.contains(number) { fileNumbers[number] = number }
  }

  /// Combines a value with the objects that it refers to, directly or indirectly.
  init(_ root: Value, with objects: [Int: ObjectValue]) {
    self.root = root
    var waiting = [root]
    while let value = waiting.popLast() {
      if case .reference(let number) = value, self.objects[number] == nil, let object = objects[number] {
        self.objects[number] = object
        waiting.append(object.content)
      }
      waiting += value.parts
    }
  }

  /// The objects that are taken out of a value.
  private struct Taken {
    /// The number of the next object that the value does not share; nil if such objects are not taken.
    var next: Int?
    /// The number of levels after which a collection is separated.
    let mostLevels: Int
    var objects: [Int: ObjectValue] = [:]
    var unshared: Set<Int> = []

    /// The number of levels in a value that shares no object. Each level is hashed with those inside it, so the hashes of a deep value in
    /// one piece would take quadratic time.
    static let mostLevels = 16
    /// The number of levels in a value that shares objects. A separated collection that contains itself counts as an object, so
    /// only collections that are deeper than those of usual files are separated.
    static let mostLevelsBesideShared = 64

    mutating func taking(_ value: Value, levels: Int = 0) -> Value {
      guard case .object(var object) = value else {
        guard levels == mostLevels, let type = value.plainCollectionType else {
          return value.mappingNestedParts { taking($0, levels: levels + 1) }
        }
        let object = ObjectValue(type, content: value.mappingNestedParts { taking($0, levels: 1) })
        return newNumber(for: object).map { number in
          objects[number] = object
          return .reference(number)
        } ?? object.content
      }
      object.content = taking(object.content)
      guard let number = object.identity ?? newNumber(for: object) else { return .object(object) }
      object.identity = nil
      objects[number] = object
      return .reference(number)
    }

    private mutating func newNumber(for object: ObjectValue) -> Int? {
      guard let number = next, object.content.isCollection else { return nil }
      next = number + 1
      unshared.insert(number)
      return number
    }
  }

  /// Renumbers objects. Objects without a new number keep their own.
  mutating func rename(_ numbers: [Int: Int]) {
    guard !numbers.isEmpty else { return }
    func renamed(_ value: Value) -> Value {
      if case .reference(let number) = value { return .reference(numbers[number] ?? number) }
      return value.mappingParts(renamed)
    }
    root = renamed(root)
    var (renamedObjects, renamedFileNumbers): ([Int: ObjectValue], [Int: Int]) = ([:], [:])
    for (number, var object) in objects {
      object.content = renamed(object.content)
      renamedObjects[numbers[number] ?? number] = object
    }
    for (number, fileNumber) in fileNumbers { renamedFileNumbers[numbers[number] ?? number] = fileNumber }
    (objects, fileNumbers) = (renamedObjects, renamedFileNumbers)
    unshared = Set(unshared.map { numbers[$0] ?? $0 })
  }

  // MARK: Objects that are not shared

  /// Returns the value in which each object that it does not share replaces the reference to the object.
  var inlined: SharedObjects { inlining(unshared) }

  /// Returns the value in which an object with a single reference replaces the reference, unless another value shares the
  /// object.
  func inlined(unlessSharedIn other: SharedObjects) -> SharedObjects {
    var putting = Putting(objects: objects, limit: .max)
    putting.count(root)
    return inlining(
      Set(
        objects.keys.filter { number in
          putting.counts[number] == 1 && (other.objects[number] == nil || other.unshared.contains(number))
        }))
  }

  /// The number of references to each object.
  var referenceCounts: [Int: Int] {
    var counts: [Int: Int] = [:]
    for value in [root] + objects.values.map(\.content) {
      for number in value.references { counts[number, default: 0] += 1 }
    }
    return counts
  }

  /// This value, in which only objects with a single reference count as not shared.
  var findingShared: SharedObjects {
    let counts = referenceCounts
    var result = self
    result.unshared = unshared.filter { counts[$0] == 1 }
    return result
  }

  /// Returns the value with objects in place of all references to them.
  ///
  /// - Parameter numbers: The numbers of objects that do not contain themselves.
  func inlining(_ numbers: Set<Int>) -> SharedObjects {
    guard !numbers.isEmpty else { return self }
    var result = self
    result.root = inlining(numbers, in: root)
    result.objects = [:]
    for (number, var object) in objects where !numbers.contains(number) {
      object.content = inlining(numbers, in: object.content)
      result.objects[number] = object
    }
    result.unshared.subtract(numbers)
    return result
  }

  /// Returns a part of the value with objects in place of all references to them.
  func inlining(_ numbers: Set<Int>, in value: Value) -> Value {
    guard case .reference(let number) = value, numbers.contains(number), var object = objects[number] else {
      return value.mappingParts { inlining(numbers, in: $0) }
    }
    object.content = inlining(numbers, in: object.content)
    return object.inPlace
  }

  /// Returns a part of the value with each object in place of the first reference to it, as far as a limit on the
  /// number of values permits for objects that the value shares.
  ///
  ///     [→ #3, → #3]     →     [Group #3 {…}, → #3]
  func whole(_ part: Value) -> Value { whole(part, atMost: 1 << 12).value }

  /// Returns a part of the value with each object in place of the first reference to it, and the number of its values.
  ///
  /// - Parameter limit: The number of values from which on references to shared objects stay. Then the result has at least this number.
  func whole(_ part: Value, atMost limit: Int) -> (value: Value, count: Int) {
    var begun: Set<Int> = []
    var left = limit
    func whole(_ value: Value) -> Value {
      left -= 1
      guard case .reference(let number) = value else { return value.mappingParts(whole) }
      let isShared = !unshared.contains(number)
      guard var object = objects[number], !isShared || (left > 0 && begun.insert(number).inserted) else {
        return value
      }
      object.content = whole(object.content)
      guard isShared else { return object.inPlace }
      object.identity = number
      return .object(object)
    }
    let value = whole(part)
    return (value, limit - left)
  }

  /// Returns the value with its objects numbered as in the file of another version, which must have common numbers.
  func numbered(asInFileOf other: SharedObjects) -> SharedObjects { renumbered(other.fileNumbers) }

  /// Returns the value with the objects that it has in common with another value numbered as there.
  func numbered(like other: SharedObjects) -> SharedObjects {
    let matching = SharedObjectMatching(self, to: other)
    return renumbered(matching.numbers.merging(matching.similar) { known, _ in known })
  }

  /// Returns the value with object numbers that no file has.
  func numberedApart() -> SharedObjects { renumbered([:]) }

  /// Returns the value with new object numbers. Objects without one get numbers that no file has.
  private func renumbered(_ known: [Int: Int]) -> SharedObjects {
    var numbers = known
    for number in objects.keys.sorted() where numbers[number] == nil {
      numbers[number] = Self.notInFile + numbers.count
    }
    var result = self
    result.rename(numbers)
    return result
  }

  /// A number that is greater than those of all objects of a file.
  private static let notInFile = 1 << 48

  /// Transforms the value and the content of each object.
  func mapping(_ transform: (Value) -> Value) -> SharedObjects {
    var result = self
    result.root = transform(root)
    for (number, object) in objects {
      result.objects[number] = ObjectValue(object.type, content: transform(object.content))
    }
    return result
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
  func value(depth: Int) throws(FerryError) -> Value {
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
        guard counts[number] != 1 else { return object.inPlace }
        object.identity = number
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

extension ObjectValue {
  /// True for an array, a set or a dictionary of the class that its kind implies.
  var isPlainCollection: Bool {
    switch content {
    case .array: type.name.equals("NSArray")
    case .set: type.name.equals("NSSet")
    case .dictionary: type.name.equals("NSDictionary")
    default: false
    }
  }

  /// The value of an object that is not shared, as readers send it.
  fileprivate var inPlace: Value { isPlainCollection ? content : .object(self) }
}

extension Value {
  /// The class that the kind of a collection implies; nil for another value.
  fileprivate var plainCollectionType: ObjectClass? {
    switch self {
    case .array: .array
    case .set: .set
    case .dictionary: .dictionary
    default: nil
    }
  }

  /// True if the value shares objects, or has objects in sets, whose members have no paths.
  var hasIdentities: Bool {
    var waiting = [(value: self, isInSet: false)]
    while let (value, isInSet) = waiting.popLast() {
      if case .object(let object) = value, isInSet || object.identity != nil { return true }
      let isSet = if case .set = value { true } else { false }
      waiting += value.parts.map { ($0, isSet) }
    }
    return false
  }
}
