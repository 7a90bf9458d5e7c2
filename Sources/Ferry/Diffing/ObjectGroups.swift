/// The objects of a value in groups that refer to each other, directly or indirectly. Each group comes after those to
/// which it refers (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).
struct ObjectGroups {
  /// The numbers of the objects of each group.
  private(set) var all: [[Int]] = []
  /// The numbers of the objects that contain themselves, directly or indirectly.
  private(set) var numbersInCycles: Set<Int> = []

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

  init(of shared: SharedObjects) { self.init(of: shared.objects) }

  /// Finds the groups of some objects by number. References to other objects do not count.
  init(of objects: [Int: ObjectValue]) {
    self.objects = objects
    for number in objects.keys.sorted() where order[number] == nil {
      begin(number)
      while !visits.isEmpty { step() }
    }
  }

  /// Returns true if the objects of a group contain themselves, directly or indirectly. Other groups have a single object.
  func isCyclic(_ group: [Int]) -> Bool { group.contains(where: numbersInCycles.contains) }

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
    let visit = visits.removeLast()
    if let outer = visits.last { lower(outer.number, to: earliest[number]) }
    guard earliest[number] == order[number], let start = open.lastIndex(of: number) else { return }
    let group = Array(open[start...])
    open.removeSubrange(start...)
    isOpen.subtract(group)
    all.append(group)
    if group.count > 1 || visit.references.contains(number) { numbersInCycles.formUnion(group) }
  }

  private mutating func lower(_ number: Int, to other: Int?) {
    guard let mine = earliest[number], let other else { return }
    earliest[number] = min(mine, other)
  }
}

extension SharedObjects {
  /// The objects that contain themselves, directly or indirectly.
  var numbersInCycles: Set<Int> { ObjectGroups(of: self).numbersInCycles }
}
