/// The number of references to each object of an archive that is being edited.
///
/// Only references that `$top` can reach are counted, so an object with the count 0 is unused. A reference inside an inline
/// value that several objects share counts as very many, so its target is never considered unused.
final class ObjectReferences {
  private let list: EditedPropertyList
  private let objects: NodeTrail
  private var counts: [Int]
  /// The objects whose last reference an edit has removed.
  private var released: Set<ObjectNumber> = []
  /// The numbers of missing objects to which references lead. With such a number, a new object would become the value there.
  private var missing: Set<ObjectNumber> = []
  /// The objects that keep the numbers of missing objects from new objects.
  private var fillers: Set<ObjectNumber> = []
  private static let veryMany = 1 << 40
  /// Objects that may be unused, whose references are not yet taken into account in `highestFromUnused`.
  private var unreadUnused: [ObjectNumber] = []
  /// The highest number to which an unused object refers, or a higher number. It is kept because reading all unused objects for each of
  /// many removals would take quadratic time.
  private var highestFromUnused = 0

  init(_ list: EditedPropertyList, objects: NodeTrail, top: NodeID) throws(FerryError) {
    self.list = list
    self.objects = objects
    guard case .array(let count) = try list.kind(of: list.node(at: objects)) else {
      throw FerryError(.archive(.malformed("it has no array $objects")))
    }
    counts = [Int](repeating: 0, count: count)
    try countAll(from: top)
    unreadUnused = numbers.filter { !isUsed($0) }
  }

  /// The number of objects.
  var count: Int { counts.count }

  /// The numbers of all objects.
  var numbers: Range<ObjectNumber> { .null..<ObjectNumber(count) }

  /// Returns true if an object has exactly one reference.
  func isSole(_ number: ObjectNumber) -> Bool {
    counts.indices.contains(number.index) && counts[number.index] == 1
  }

  /// Returns the number of references to an object.
  func count(of number: ObjectNumber) -> Int { counts[number.index] }

  /// Returns true if an object has a reference.
  func isUsed(_ number: ObjectNumber) -> Bool { counts[number.index] > 0 }

  /// Returns the node of an object.
  func node(_ number: ObjectNumber) throws(FerryError) -> NodeID {
    try list.element(number.index, of: list.node(at: objects))
  }

  private func countAll(from top: NodeID) throws(FerryError) {
    let all = try list.node(at: objects)
    var visits = [UInt8](repeating: 0, count: list.nodeCount)
    var waiting = [top]
    while let node = waiting.popLast() {
      if case .uid(let uid) = try list.kind(of: node) {
        guard let number = number(uid) else {
          if let missing = Int(exactly: uid), missing > 0 { self.missing.insert(ObjectNumber(missing)) }
          continue
        }
        if counts[number.index] == 0 { waiting.append(try list.element(number.index, of: all)) }
        counts[number.index] += 1
      } else if visits[node.index] == 0 {
        visits[node.index] = 1
        try list.forEachChild(of: node) { child throws(FerryError) in waiting.append(child) }
      } else if visits[node.index] == 1, try list.kind(of: node).isCollection {
        visits[node.index] = 2
        try forEachReference(in: node) { counts[$0.index] += Self.veryMany }
      }
    }
  }

  private func number(_ uid: UInt64) -> ObjectNumber? {
    guard let number = Int(exactly: uid), number > 0, number < counts.count else { return nil }
    return ObjectNumber(number)
  }

  /// Calls a function with the number of each object that a node refers to.
  private func forEachReference(in node: NodeID, _ body: (ObjectNumber) -> Void) throws(FerryError) {
    try list.forEachReference(in: node) { uid in
      if let number = number(uid) { body(number) }
    }
  }

  /// Returns the numbers of the objects that a node refers to.
  func references(in node: NodeID) throws(FerryError) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    try forEachReference(in: node) { numbers.append($0) }
    return numbers
  }

  // MARK: The order of numbers

  /// Returns the parent of each object: the object that contains its first reference, which is the last
  /// referring object with a smaller number. The parent is 0 if the first reference is in `$top`, and nil if
  /// no smaller number refers to the object because the first reference was removed.
  ///
  /// An archiver numbers objects at their first reference, depth first. Objects that refer to an object and
  /// have smaller numbers were still being archived at its first reference, and the last of them contains it.
  func parents() throws(FerryError) -> [ObjectNumber?] {
    var parents = [ObjectNumber?](repeating: nil, count: count)
    for owner in numbers.dropFirst() where isUsed(owner) {
      try forEachReference(in: node(owner)) { number in
        if number > owner { parents[number.index] = owner }
      }
    }
    if let top = try list.value("$top", of: list.root) {
      try forEachReference(in: top) { parents[$0.index] = parents[$0.index] ?? .null }
    }
    return parents
  }

  /// Returns the object number of an object's class.
  func classNumber(of number: ObjectNumber) throws(FerryError) -> ObjectNumber? {
    guard let type = try list.value("$class", of: node(number)), case .uid(let uid) = try list.kind(of: type)
    else { return nil }
    return self.number(uid)
  }

  // MARK: Changes

  /// The numbers of the next objects to append.
  var freeNumbers: FreeNumbers { FreeNumbers(from: ObjectNumber(count), besides: missing) }

  /// Returns true if an object only keeps the number of a missing object from new objects.
  func isFiller(_ number: ObjectNumber) -> Bool { fillers.contains(number) }

  /// Returns true if references led to a missing object with this number.
  func isMissing(_ uid: UInt64) -> Bool {
    Int(exactly: uid).map { missing.contains(ObjectNumber($0)) } ?? false
  }

  /// Appends an object without a reference, and returns its number. A reference to a missing object stays null: the object with its
  /// number is the string `$null`, which programs read as nil.
  func append(_ node: NodeID) throws(FerryError) -> ObjectNumber {
    while missing.contains(ObjectNumber(count)) {
      fillers.insert(try appendNext(list.add(value: .string("$null"))))
    }
    return try appendNext(node)
  }

  private func appendNext(_ node: NodeID) throws(FerryError) -> ObjectNumber {
    let number = ObjectNumber(count)
    try list.insert(node, at: count, of: objects)
    counts.append(0)
    released.insert(number)
    unreadUnused.append(number)
    return number
  }

  /// Replaces the object with a number.
  func replace(_ number: ObjectNumber, by node: NodeID) throws(FerryError) {
    let old = try self.node(number)
    try list.put(node, at: objects.appending(.element(number.index)))
    guard isUsed(number) else { return noteChange(ofUnused: number) }
    try retainReferences(in: node)
    try releaseReferences(in: old)
  }

  /// Notes that an unused object has changed, and may refer to other objects.
  func noteChange(ofUnused number: ObjectNumber) { unreadUnused.append(number) }

  /// Adds the references in a node that is used from now on.
  func retainReferences(in node: NodeID) throws(FerryError) {
    var waiting = [node]
    while let node = waiting.popLast() {
      var new: [ObjectNumber] = []
      try forEachReference(in: node) { number in
        counts[number.index] += 1
        if counts[number.index] == 1 { new.append(number) }
      }
      for number in new {
        released.remove(number)
        waiting.append(try self.node(number))
      }
    }
  }

  /// Subtracts the references in a node that is no longer used.
  func releaseReferences(in node: NodeID) throws(FerryError) {
    var waiting = [node]
    while let node = waiting.popLast() {
      var unused: [ObjectNumber] = []
      try forEachReference(in: node) { number in
        guard counts[number.index] > 0, counts[number.index] < Self.veryMany else { return }
        counts[number.index] -= 1
        if counts[number.index] == 0 { unused.append(number) }
      }
      for number in unused {
        released.insert(number)
        unreadUnused.append(number)
        waiting.append(try self.node(number))
      }
    }
  }

  /// Removes objects at the end whose last reference an edit has removed. Other unused objects stay, so that
  /// no numbers change, and so do the objects to which they refer.
  func dropUnusedAtEnd() throws(FerryError) {
    var end = count
    while end > 1, released.contains(ObjectNumber(end - 1)) { end -= 1 }
    guard end < count else { return }
    try readUnused(before: end)
    if highestFromUnused >= end { end = try self.end(ofObjectsToKeep: end) }
    while count > end {
      try list.remove(.element(count - 1), of: objects)
      released.remove(ObjectNumber(count - 1))
      fillers.remove(ObjectNumber(count - 1))
      counts.removeLast()
    }
    unreadUnused.removeAll { $0.index >= end }
  }

  /// Returns the end of the objects before an index, extended by those to which unused objects among them refer.
  private func end(ofObjectsToKeep end: Int) throws(FerryError) -> Int {
    var end = end
    highestFromUnused = 0
    // The objects up to the index are known to refer to none that are removed.
    var known = 0
    while known < end {
      if counts[known] == 0 {
        let highest = try highestReference(in: ObjectNumber(known))
        highestFromUnused = max(highestFromUnused, highest)
        end = max(end, highest + 1)
      }
      known += 1
    }
    return end
  }

  /// Reads the references of the unused objects before an index that have not been read.
  private func readUnused(before end: Int) throws(FerryError) {
    var unread: [ObjectNumber] = []
    for number in unreadUnused where !isUsed(number) {
      if number.index < end {
        highestFromUnused = max(highestFromUnused, try highestReference(in: number))
      } else {
        unread.append(number)
      }
    }
    unreadUnused = unread
  }

  /// Returns the highest number to which an object refers, or 0 if it refers to none.
  private func highestReference(in number: ObjectNumber) throws(FerryError) -> Int {
    var highest = 0
    try forEachReference(in: node(number)) { highest = max(highest, $0.index) }
    return highest
  }
}

extension PropertyListNodes {
  /// Calls a function with the UID of each reference of an archive that is a node or inside it. Each collection
  /// is visited once.
  func forEachReference(in node: NodeID, _ body: (UInt64) -> Void) throws(FerryError) {
    var visited: Set<NodeID> = []
    var waiting = [node]
    while let node = waiting.popLast() {
      let kind = try kind(of: node)
      if case .uid(let uid) = kind {
        body(uid)
      } else if kind.isCollection, visited.insert(node).inserted {
        try forEachChild(of: node) { child throws(FerryError) in waiting.append(child) }
      }
    }
  }
}
