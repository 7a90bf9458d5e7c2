/// The contents of shared objects as hash values.
enum SharedContents {
  /// The contribution of a reference to a content.
  enum Target: Hashable {
    case matched(Int)
    case content(Int?)
    /// The content of a collection that counts as the collection itself would in place of the reference.
    case collection(Int)
  }

  /// The number of levels of references that contribute to a near content.
  private static let rounds = 2

  /// Returns the content of each object, and of those to which it refers in two steps, by number. It does not depend on
  /// whether the objects are shared, and does not change if a distant object changes.
  static func near(in shared: SharedObjects) -> [Int: Int] {
    hashes(of: Array(shared.objects.keys), in: shared) { _ in nil }
  }

  /// Returns the content of each object, and of all to which it refers directly or indirectly, by number.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of objects that are known. A reference to one of them contributes this number.
  ///   - separatesCycles: True if, of objects that refer to each other, only the near ones contribute. Then a change of one of them
  ///     does not change all.
  ///   - collections: The numbers of collections for which it does not matter whether they are shared. None contains itself.
  ///   - data: The contents that count in place of data, by its bytes.
  ///   - ordersElements: True if the order of the elements of arrays matters.
  ///   - groups: The groups of the objects, if they are known.
  static func whole(
    in shared: SharedObjects, as numbers: [Int: Int] = [:], separatesCycles: Bool = false,
    repeating collections: Set<Int> = [], data: [[UInt8]: Int] = [:], ordersElements: Bool = true,
    groups: ObjectGroups? = nil
  ) -> [Int: Int] {
    let equality = Equality(data: data, ordersElements: ordersElements)
    var contents: [Int: Int] = [:]
    func target(_ number: Int) -> Target {
      if collections.contains(number), let content = contents[number] { return .collection(content) }
      return numbers[number].map { .matched($0) } ?? .content(contents[number])
    }
    let groups = groups ?? ObjectGroups(of: shared)
    for group in groups.all {
      guard groups.isCyclic(group) else {
        for number in group {
          let object = shared.objects[number]
          let value = collections.contains(number) ? object?.content : object.map(Value.object)
          contents[number] = hash(of: value, equality, target)
        }
        continue
      }
      // The content of objects that refer to each other consists of the hashes of all of them. The object's own hash tells
      // it apart from the others.
      let members = Set(group)
      let parts = hashes(of: group, in: shared, equality) { members.contains($0) ? nil : target($0) }
      let all = separatesCycles ? 0 : parts.values.sorted().hashValue
      for (number, part) in parts { contents[number] = [part, all].hashValue }
    }
    return contents
  }

  /// Returns contents to a few levels. References to other objects than the given ones contribute what `target` returns.
  private static func hashes(
    of numbers: [Int], in shared: SharedObjects, _ equality: Equality = Equality(),
    _ target: (Int) -> Target?
  ) -> [Int: Int] {
    var hashes: [Int: Int] = [:]
    for number in numbers { hashes[number] = shared.objects[number]?.type.name.hashValue }
    for _ in 0..<rounds {
      let latest = hashes
      for number in numbers {
        hashes[number] = hash(of: shared.objects[number].map(Value.object), equality) {
          target($0) ?? .content(latest[$0])
        }
      }
    }
    return hashes
  }

  /// The rules by which two values have equal contents.
  struct Equality {
    /// The hash values that count in place of data, by its bytes.
    var data: [[UInt8]: Int] = [:]
    /// True if the order of the elements of arrays matters.
    var ordersElements = true
  }

  /// Returns the hash value of a value in which `target` describes the objects of references.
  static func hash(
    of value: Value?, _ equality: Equality = Equality(), _ target: (Int) -> Target
  ) -> Int {
    switch value {
    case .reference(let number)?:
      if case .collection(let content) = target(number) { return content }
    case .data(let bytes)?:
      if let content = equality.data[bytes] { return content }
    default: break
    }
    var hasher = Hasher()
    if let value { combine(value, equality, target, into: &hasher) }
    return hasher.finalize()
  }

  private static func combine(
    _ value: Value, _ equality: Equality, _ target: (Int) -> Target, into hasher: inout Hasher
  ) {
    switch value {
    case .reference(let number):
      hasher.combine(value.kindNumber)
      hasher.combine(target(number))
    case .set(let members):
      // The members of a set have no order.
      hasher.combine(value.kindNumber)
      hasher.combine(members.map { hash(of: $0, equality, target) }.sorted())
    case .array(let elements) where !equality.ordersElements:
      hasher.combine(value.kindNumber)
      hasher.combine(elements.map { hash(of: $0, equality, target) }.sorted())
    case .array, .dictionary:
      hasher.combine(value.kindNumber)
      var count = 0
      value.forEachPart { part in
        combine(part: part, equality, target, into: &hasher)
        count += 1
      }
      hasher.combine(count)
    case .object(let object):
      hasher.combine(value.kindNumber)
      hasher.combine(object.type)
      combine(object.content, equality, target, into: &hasher)
    default: hasher.combine(value)
    }
  }

  /// Combines a part of a collection. A collection contributes its hash, as a reference to an equal collection may.
  private static func combine(
    part: Value, _ equality: Equality, _ target: (Int) -> Target, into hasher: inout Hasher
  ) {
    switch part {
    case .array, .set, .dictionary, .reference: hasher.combine(hash(of: part, equality, target))
    case .data(let bytes) where equality.data[bytes] != nil: hasher.combine(equality.data[bytes])
    default: combine(part, equality, target, into: &hasher)
    }
  }
}
