/// How many references lead to each object of an archive that is being edited.
///
/// Only what can be reached from `$top` counts, so that an object to which none leads is one that nobody uses. References
/// from a part that several objects share are counted as very many: such an object is never taken for unused.
final class ObjectReferences {
  private let list: EditedPropertyList
  private let objects: NodeTrail
  private var counts: [Int]
  /// Objects that an edit has left without references.
  private var released: Set<Int> = []
  private static let veryMany = 1 << 40

  init(_ list: EditedPropertyList, objects: NodeTrail, top: Int) throws(Failure) {
    self.list = list
    self.objects = objects
    guard case .array(let count) = try list.kind(of: list.node(at: objects)) else {
      throw Failure(.archive(.malformed("it has no array $objects")))
    }
    counts = [Int](repeating: 0, count: count)
    try countAll(from: top)
  }

  /// How many objects there are.
  var count: Int { counts.count }

  /// Whether one reference and no other leads to an object.
  func isSole(_ number: Int) -> Bool { counts.indices.contains(number) && counts[number] == 1 }

  /// Whether any reference leads to an object.
  func isUsed(_ number: Int) -> Bool { counts[number] > 0 }

  /// The node of an object.
  func node(_ number: Int) throws(Failure) -> Int {
    try list.element(number, of: list.node(at: objects))
  }

  private func countAll(from top: Int) throws(Failure) {
    let all = try list.node(at: objects)
    var visits = [UInt8](repeating: 0, count: list.nodeCount)
    var waiting = [top]
    while let node = waiting.popLast() {
      if case .uid(let uid) = try list.kind(of: node) {
        guard let number = number(uid) else { continue }
        if counts[number] == 0 { waiting.append(try list.element(number, of: all)) }
        counts[number] += 1
      } else if visits[node] == 0 {
        visits[node] = 1
        try list.forEachChild(of: node) { child throws(Failure) in waiting.append(child) }
      } else if visits[node] == 1, try list.kind(of: node).isCollection {
        visits[node] = 2
        try forEachReference(in: node) { counts[$0] += Self.veryMany }
      }
    }
  }

  private func number(_ uid: UInt64) -> Int? {
    guard let number = Int(exactly: uid), number > 0, number < counts.count else { return nil }
    return number
  }

  /// Calls `body` with the number of each object that a node refers to, each part of it looked at once.
  private func forEachReference(in node: Int, _ body: (Int) -> Void) throws(Failure) {
    var met: Set<Int> = []
    var waiting = [node]
    while let node = waiting.popLast() {
      switch try list.kind(of: node) {
      case .uid(let uid): if let number = number(uid) { body(number) }
      case .array, .set, .dictionary:
        guard met.insert(node).inserted else { continue }
        try list.forEachChild(of: node) { child throws(Failure) in waiting.append(child) }
      default: break
      }
    }
  }

  /// The numbers of the objects that a node refers to.
  func references(in node: Int) throws(Failure) -> [Int] {
    var numbers: [Int] = []
    try forEachReference(in: node) { numbers.append($0) }
    return numbers
  }

  // MARK: The order of numbers

  /// Of each object, the one that it was met in when the archive was made: the last of those before it that refer to it.
  /// 0 where `$top` refers to it and no such object does, nil where its number has no reason: the reference that it was
  /// met by is gone.
  ///
  /// An archiver numbers objects as it meets them, depth first. Of the objects that refer to one, those with smaller
  /// numbers were all begun and not ended when it was met, and the last of them met it.
  func parents() throws(Failure) -> [Int?] {
    var parents = [Int?](repeating: nil, count: count)
    for owner in 1..<max(count, 1) where isUsed(owner) {
      try forEachReference(in: node(owner)) { number in
        if number > owner { parents[number] = owner }
      }
    }
    if let top = try list.value("$top", of: list.root) {
      try forEachReference(in: top) { parents[$0] = parents[$0] ?? 0 }
    }
    return parents
  }

  /// The number of an object's class.
  func classNumber(of number: Int) throws(Failure) -> Int? {
    guard let type = try list.value("$class", of: node(number)), case .uid(let uid) = try list.kind(of: type)
    else { return nil }
    return self.number(uid)
  }

  // MARK: Changes

  /// Adds an object, to which nothing refers yet.
  func append(_ node: Int) throws(Failure) -> Int {
    try list.insert(node, at: count, of: objects)
    counts.append(0)
    released.insert(count - 1)
    return count - 1
  }

  /// Puts another object under a number.
  func replace(_ number: Int, by node: Int) throws(Failure) {
    let old = try self.node(number)
    try list.put(node, at: objects.appending(.element(number)))
    guard isUsed(number) else { return }
    try retainReferences(in: node)
    try releaseReferences(in: old)
  }

  /// Takes notice that what a node refers to is now referred to from there.
  func retainReferences(in node: Int) throws(Failure) {
    var waiting = [node]
    while let node = waiting.popLast() {
      var new: [Int] = []
      try forEachReference(in: node) { number in
        counts[number] += 1
        if counts[number] == 1 { new.append(number) }
      }
      for number in new {
        released.remove(number)
        waiting.append(try self.node(number))
      }
    }
  }

  /// Takes notice that what a node refers to is no longer referred to from there.
  func releaseReferences(in node: Int) throws(Failure) {
    var waiting = [node]
    while let node = waiting.popLast() {
      var unused: [Int] = []
      try forEachReference(in: node) { number in
        guard counts[number] > 0, counts[number] < Self.veryMany else { return }
        counts[number] -= 1
        if counts[number] == 0 { unused.append(number) }
      }
      for number in unused {
        released.insert(number)
        waiting.append(try self.node(number))
      }
    }
  }

  /// Removes the last objects as far as an edit has left them without references; others keep their numbers, and stay.
  func dropUnusedAtEnd() throws(Failure) {
    while count > 1, released.contains(count - 1) {
      try list.remove(.element(count - 1), of: objects)
      released.remove(count - 1)
      counts.removeLast()
    }
  }
}
