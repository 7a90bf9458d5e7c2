/// The contents of shared objects as hash values.
enum SharedContents {
  /// The contribution of a reference to a content.
  enum Target: Hashable {
    case matched(Int)
    case content(Int?)
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
  static func whole(
    in shared: SharedObjects, as numbers: [Int: Int] = [:], separatesCycles: Bool = false
  ) -> [Int: Int] {
    var contents: [Int: Int] = [:]
    func target(_ number: Int) -> Target {
      numbers[number].map { .matched($0) } ?? .content(contents[number])
    }
    for group in ObjectGroups(of: shared).all {
      guard group.count > 1 || shared.objects[group[0]]?.refers(to: group[0]) == true else {
        for number in group { contents[number] = hash(of: shared.objects[number].map(Value.object), target) }
        continue
      }
      // The content of objects that refer to each other consists of the hashes of all of them. The object's own hash tells
      // it apart from the others.
      let members = Set(group)
      let parts = hashes(of: group, in: shared) { members.contains($0) ? nil : target($0) }
      let all = separatesCycles ? 0 : parts.values.sorted().hashValue
      for (number, part) in parts { contents[number] = [part, all].hashValue }
    }
    return contents
  }

  /// Returns contents to a few levels. References to other objects than the given ones contribute what `target` returns.
  private static func hashes(
    of numbers: [Int], in shared: SharedObjects, _ target: (Int) -> Target?
  ) -> [Int: Int] {
    var hashes: [Int: Int] = [:]
    for number in numbers { hashes[number] = shared.objects[number]?.type.name.hashValue }
    for _ in 0..<rounds {
      let latest = hashes
      for number in numbers {
        hashes[number] = hash(of: shared.objects[number].map(Value.object)) {
          target($0) ?? .content(latest[$0])
        }
      }
    }
    return hashes
  }

  /// Returns the hash value of a value in which `target` describes the objects of references.
  static func hash(of value: Value?, _ target: (Int) -> Target) -> Int {
    var hasher = Hasher()
    if let value { combine(value, target, into: &hasher) }
    return hasher.finalize()
  }

  private static func combine(_ value: Value, _ target: (Int) -> Target, into hasher: inout Hasher) {
    switch value {
    case .reference(let number):
      hasher.combine(value.kindNumber)
      hasher.combine(target(number))
    case .array, .set, .dictionary:
      let parts = value.parts
      hasher.combine(value.kindNumber)
      hasher.combine(parts.count)
      for part in parts { combine(part, target, into: &hasher) }
    case .object(let object):
      hasher.combine(value.kindNumber)
      hasher.combine(object.type)
      combine(object.content, target, into: &hasher)
    default: hasher.combine(value)
    }
  }
}

/// The objects of a value in groups that refer to each other, directly or indirectly. Each group comes after those to
/// which it refers (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).
struct ObjectGroups {
  private(set) var all: [[Int]] = []

  /// An object whose references are being visited.
  private struct Visit {
    let number: Int
    let references: [Int]
    var next = 0
  }

  private let objects: [Int: ObjectValue]
  /// The order in which objects were visited.
  private var order: [Int: Int] = [:]
  /// The earliest object, by order, that an object leads to.
  private var earliest: [Int: Int] = [:]
  /// The visited objects without a group.
  private var open: [Int] = []
  private var isOpen: Set<Int> = []
  private var visits: [Visit] = []

  init(of shared: SharedObjects) {
    objects = shared.objects
    for number in objects.keys.sorted() where order[number] == nil {
      begin(number)
      while !visits.isEmpty { step() }
    }
  }

  private mutating func begin(_ number: Int) {
    (order[number], earliest[number]) = (order.count, order.count)
    open.append(number)
    isOpen.insert(number)
    let references = objects[number]?.content.references ?? []
    visits.append(Visit(number: number, references: references.filter { objects[$0] != nil }))
  }

  private mutating func step() {
    let last = visits.count - 1
    let (number, next) = (visits[last].number, visits[last].next)
    guard next < visits[last].references.count else { return end(number) }
    visits[last].next += 1
    let other = visits[last].references[next]
    if order[other] == nil {
      begin(other)
    } else if isOpen.contains(other) {
      lower(number, to: order[other])
    }
  }

  private mutating func end(_ number: Int) {
    visits.removeLast()
    if let outer = visits.last { lower(outer.number, to: earliest[number]) }
    guard earliest[number] == order[number], let start = open.lastIndex(of: number) else { return }
    let group = Array(open[start...])
    open.removeSubrange(start...)
    isOpen.subtract(group)
    all.append(group)
  }

  private mutating func lower(_ number: Int, to other: Int?) {
    guard let mine = earliest[number], let other else { return }
    earliest[number] = min(mine, other)
  }
}

extension SharedObjects {
  /// The objects that contain themselves, directly or indirectly.
  var numbersInCycles: Set<Int> {
    Set(
      ObjectGroups(of: self).all.lazy.filter {
        $0.count > 1 || objects[$0[0]]?.refers(to: $0[0]) == true
      }.joined())
  }
}

extension ObjectValue {
  fileprivate func refers(to number: Int) -> Bool { content.references.contains(number) }
}
