/// The objects at the same paths of two values, in pairs, and the paths at which one value has the same object as elsewhere, but the
/// other value has not.
///
///     {a: Person #1 {…}, b: → #1}     {a: Person #3 {…}, b: Person #5 {…}}     mismatch at b: the object at a, another one
///
/// Only objects of classes have an identity. An archiver shares texts, colors and other values of the system's classes as it likes, and
/// arrays, sets and dictionaries without a class of their own. So any number of objects of one value may be one object of the other.
///
/// Each object is visited once for each object of the other value that is found to be its partner. As all partners of an object have
/// the same partners, the number of visits is at most the number of objects.
struct ObjectPairing {
  /// A path at which both values have equal objects that are not a pair.
  struct Mismatch {
    let oldPath, newPath: ValuePath
    /// Another path of the object in each version; nil if it has no pair.
    let old, new: ValuePath?
  }

  /// The mismatches, those with short paths first.
  private(set) var mismatches: [Mismatch] = []

  /// A value, and what is known of its objects.
  private struct Side {
    let value: ComparableValue
    /// The objects that have an identity.
    let identified: Set<Int>
    /// For each object in a pair, the other one.
    var partners: [Int: Int] = [:]
    /// The paths at which the pair of each object was found.
    var paths: [Int: PathPairs.Index] = [:]
    lazy var nearContents = value.nearContents
    lazy var colors = value.colors

    init(_ value: ComparableValue, isCompared: Bool) {
      self.value = value
      identified = isCompared ? value.numbersWithIdentity : []
    }
  }

  /// Two values at the same path.
  private struct Step {
    let old, new: Value
    let path: PathPairs.Index
  }

  private struct Pair: Hashable {
    let old, new: Int
  }

  /// Members of two sets that only other paths, or the objects that refer to them, tell apart.
  private struct Members {
    var old, new: [(index: Int, number: Int)]
    let path: PathPairs.Index
  }

  private var old, new: Side
  /// True if the values have no other difference than the identity of objects. Otherwise only equal parts have pairs.
  private let areEqual: Bool
  private var paths = PathPairs()
  private var waiting: [Step] = []
  private var equalMembers: [Members] = []
  private var values = JoinedObjects()
  /// The changed objects of the old value that were visited.
  private var visited: Set<Int> = []
  private var reported: Set<Pair> = []

  /// Finds the pairs.
  ///
  /// - Parameter areEqual: True if the values have no differences in their contents.
  init(from old: ComparableValue, to new: ComparableValue, areEqual: Bool) {
    self.areEqual = areEqual
    let isCompared = old.sharesObjects || new.sharesObjects
    self.old = Side(old, isCompared: isCompared)
    self.new = Side(new, isCompared: isCompared)
    guard isCompared else { return }
    compareLater(old.root, new.root, PathPairs.root)
    compareWaiting()
    // Other paths tell most of the equal members of sets apart.
    var next = 0
    while next < equalMembers.count {
      pair(equalMembers[next])
      next += 1
      compareWaiting()
    }
  }

  private mutating func compareWaiting() {
    var next = 0
    while next < waiting.count {
      let step = waiting[next]
      next += 1
      compare(step.old, step.new, step.path)
    }
    waiting = []
  }

  private mutating func compareLater(_ a: Value, _ b: Value, _ path: PathPairs.Index) {
    waiting.append(Step(old: a, new: b, path: path))
  }

  /// Compares parts later if they may contain objects.
  private mutating func comparePartsLater(
    _ a: Value, _ oldStep: ValuePath.Step, _ b: Value, _ newStep: ValuePath.Step, of path: PathPairs.Index
  ) {
    guard a.mayContainObjects, b.mayContainObjects else { return }
    compareLater(a, b, paths.appending(oldStep, newStep, to: path))
  }

  // MARK: Values

  private func haveEqualContents(_ a: Value, _ b: Value) -> Bool {
    areEqual || old.value.content(of: a) == new.value.content(of: b)
  }

  private mutating func compare(_ a: Value, _ b: Value, _ path: PathPairs.Index) {
    switch (a, b) {
    case (.reference(let number), .reference(let other)): compareObjects(number, other, path)
    case (.reference, _), (_, .reference):
      // One value shares a collection that the other one repeats.
      guard let a = old.value.unidentified(a), let b = new.value.unidentified(b) else { return }
      compare(a, b, path)
    case (.object(let mine), .object(let others)):
      if mine.type == others.type { compare(mine.content, others.content, path) }
    case (.array(let mine), .array(let others)):
      guard mine.count == others.count else { return }
      for index in mine.indices where haveEqualContents(mine[index], others[index]) {
        comparePartsLater(mine[index], .index(index), others[index], .index(index), of: path)
      }
    case (.set(let mine), .set(let others)): compareSets(mine, others, path)
    case (.dictionary(let mine), .dictionary(let others)): compareEntries(mine, others, path)
    default: return
    }
  }

  private mutating func compareObjects(_ number: Int, _ other: Int, _ path: PathPairs.Index) {
    guard let mine = old.value.objects[number], let others = new.value.objects[other],
      mine.type == others.type
    else { return }
    guard old.identified.contains(number), new.identified.contains(other) else {
      guard values.join(number, withNew: other) else { return }
      return compare(mine.content, others.content, path)
    }
    guard haveEqualContents(.reference(number), .reference(other)) else {
      guard visited.insert(number).inserted else { return }
      return compare(mine.content, others.content, path)
    }
    switch (old.partners[number], new.partners[other]) {
    case (nil, nil):
      (old.partners[number], new.partners[other]) = (other, number)
      (old.paths[number], new.paths[other]) = (path, path)
      compare(mine.content, others.content, path)
    case (let partner, _) where partner == other: return
    default: addMismatch(number, other, path)
    }
  }

  private mutating func addMismatch(_ number: Int, _ other: Int, _ path: PathPairs.Index) {
    // The first path is enough for two objects that have many paths.
    guard reported.insert(Pair(old: number, new: other)).inserted else { return }
    mismatches.append(
      Mismatch(
        oldPath: paths.old(path), newPath: paths.new(path), old: old.paths[number].map { paths.old($0) },
        new: new.paths[other].map { paths.new($0) }))
  }

  private mutating func compareEntries(_ mine: KeyedValues, _ others: KeyedValues, _ path: PathPairs.Index) {
    for (key, value) in mine where key.isText {
      guard case .string(let name) = key, let other = others[key] else { continue }
      comparePartsLater(value, .key(name), other, .key(name), of: path)
    }
    guard mine.keys.contains(where: { !$0.isText }) else { return }
    // Other keys are found by their content. Keys with one content cannot be told apart.
    let names = old.value.entries(of: mine).map(\.name)
    var indices: [Int: [Int]] = [:]
    for (index, entry) in others.enumerated() where !entry.key.isText {
      indices[new.value.content(of: entry.key), default: []].append(index)
    }
    for (entry, name) in zip(mine, names) where !entry.key.isText {
      guard let found = indices[old.value.content(of: entry.key)], found.count == 1 else { continue }
      comparePartsLater(entry.key, .key(name), others[found[0]].key, .key(name), of: path)
      comparePartsLater(entry.value, .key(name), others[found[0]].value, .key(name), of: path)
    }
  }

  // MARK: Sets

  /// Compares the members with the same content. Of the others, compares those that are the same without distant objects: these
  /// may differ only in the identity of the objects to which they refer.
  private mutating func compareSets(_ mine: [Value], _ others: [Value], _ path: PathPairs.Index) {
    let all = Members(old: mine.objectMembers, new: others.objectMembers, path: path)
    var left = comparingMembers(all, holdsEqual: true) { $0.value.content(of: .reference($1)) }
    guard areEqual, !left.old.isEmpty, !left.new.isEmpty else { return }
    left = comparingMembers(left, holdsEqual: true) { $0.nearContents[$1] ?? 0 }
  }

  /// Compares each pair of members with a hash that no other member has. Returns the rest.
  ///
  /// - Parameter holdsEqual: True to hold back as many old as new members with one hash, until all paths are compared.
  private mutating func comparingMembers(
    _ members: Members, holdsEqual: Bool, _ hash: (inout Side, Int) -> Int
  ) -> Members {
    let none = Members(old: [], new: [], path: members.path)
    var groups: [Int: Members] = [:]
    var order: [Int] = []
    for member in members.old {
      let key = hash(&old, member.number)
      if groups[key] == nil { order.append(key) }
      groups[key, default: none].old.append(member)
    }
    for member in members.new {
      let key = hash(&new, member.number)
      if groups[key] == nil { order.append(key) }
      groups[key, default: none].new.append(member)
    }
    var left = none
    for key in order {
      guard let group = groups[key] else { continue }
      if group.old.count == 1, group.new.count == 1 {
        compareLater(group.old[0], group.new[0], members.path)
      } else if holdsEqual, group.old.count == group.new.count {
        equalMembers.append(group)
      } else {
        left.old += group.old
        left.new += group.new
      }
    }
    return left
  }

  private mutating func compareLater(
    _ member: (index: Int, number: Int), _ other: (index: Int, number: Int), _ path: PathPairs.Index
  ) {
    comparePartsLater(
      .reference(member.number), .index(member.index), .reference(other.number), .index(other.index),
      of: path)
  }

  /// The maximum number of equal members of which one pair is compared before the next one is chosen.
  private static let mostChosen = 32

  /// Compares members that are equal: those that are already pairs, then those to which the same objects refer, and then the rest in
  /// order. After each of these pairs, the objects to which it refers may tell the others apart.
  private mutating func pair(_ members: Members) {
    var members = members
    let numbers = Set(members.new.map(\.number))
    let paired = Set(
      members.old.map(\.number).filter { number in
        old.partners[number].map { numbers.contains($0) } ?? false
      })
    let partners = Set(paired.compactMap { old.partners[$0] })
    members.old.removeAll { paired.contains($0.number) }
    members.new.removeAll { partners.contains($0.number) }
    var left = comparingMembers(members, holdsEqual: false) { $0.colors[$1] ?? 0 }
    guard let first = left.old.first, let other = left.new.first else { return }
    guard left.old.count <= Self.mostChosen else {
      for (member, other) in zip(left.old, left.new) { compareLater(member, other, members.path) }
      return
    }
    compareLater(first, other, members.path)
    left.old.removeFirst()
    left.new.removeFirst()
    if !left.old.isEmpty { equalMembers.append(left) }
  }
}

/// The objects without an identity of two values, of which several may be the same: sets that grow by joining (union–find).
private struct JoinedObjects {
  private struct Member: Hashable {
    let isNew: Bool
    let number: Int
  }

  private var parents: [Member: Member] = [:]

  /// Joins an old and a new object. Returns false if they are in one set.
  mutating func join(_ number: Int, withNew other: Int) -> Bool {
    let mine = root(of: Member(isNew: false, number: number))
    let others = root(of: Member(isNew: true, number: other))
    guard mine != others else { return false }
    parents[mine] = others
    return true
  }

  private mutating func root(of member: Member) -> Member {
    var member = member
    while let parent = parents[member] {
      // Each visited member gets a shorter way to the root.
      if let next = parents[parent] { parents[member] = next }
      member = parent
    }
    return member
  }
}

extension [Value] {
  /// The members of a set that are objects, with their indices.
  fileprivate var objectMembers: [(index: Int, number: Int)] {
    enumerated().compactMap { index, member in
      if case .reference(let number) = member { (index, number) } else { nil }
    }
  }
}

extension Value {
  /// True for collections, objects and references.
  fileprivate var mayContainObjects: Bool {
    switch self {
    case .array, .set, .dictionary, .object, .reference: true
    default: false
    }
  }
}

extension ComparableValue {
  /// The objects with an identity, by number: those of classes that are not known to be values, and collections that contain
  /// themselves, which a value can only have once.
  fileprivate var numbersWithIdentity: Set<Int> {
    var isValueClass: [ObjectClass: Bool] = [:]
    var (found, values): (Set<Int>, [Int: ObjectValue]) = ([], [:])
    for (number, object) in objects where object.content.isCollection {
      let isValue = isValueClass[object.type] ?? object.type.isOfValues
      isValueClass[object.type] = isValue
      if isValue || object.isPlainCollection { values[number] = object } else { found.insert(number) }
    }
    let groups = ObjectGroups(of: values)
    for group in groups.all where groups.isCyclic(group) { found.formUnion(group) }
    return found
  }

  /// Returns the content of a reference to a collection without a class of its own, or another value itself. Returns nil for a
  /// reference to another object.
  fileprivate func unidentified(_ value: Value) -> Value? {
    guard case .reference(let number) = value else { return value }
    guard let object = objects[number], object.isPlainCollection else { return nil }
    return object.content
  }

  /// The number of steps from object to object that count for the color of an object.
  private static let colorRounds = 4

  /// A hash for each object, by number, that depends on the objects near it: those to which it refers, and those that refer to it.
  /// Unlike the content, it depends on which objects are shared.
  fileprivate var colors: [Int: Int] {
    var colors: [Int: Int] = [:]
    for number in objects.keys { colors[number] = content(of: .reference(number)) }
    for _ in 0..<Self.colorRounds {
      var referring: [Int: [Int]] = [:]
      root.noteReferences(from: 0, in: &referring) { content(of: $0) }
      for (number, object) in objects {
        object.content.noteReferences(from: colors[number] ?? 0, in: &referring) { content(of: $0) }
      }
      let latest = colors
      for (number, object) in objects {
        let parts = SharedContents.hash(of: object.content) { .content(latest[$0]) }
        colors[number] = ([latest[number] ?? 0, parts] + (referring[number] ?? []).sorted()).hashValue
      }
    }
    return colors
  }
}

extension Value {
  /// Adds a hash for each reference in the value to those of its object. The hash depends on the path.
  ///
  /// - Parameters:
  ///   - hash: A hash for the path to the value.
  ///   - keyHash: Returns the hash of a key.
  fileprivate func noteReferences(
    from hash: Int, in referring: inout [Int: [Int]], _ keyHash: (Value) -> Int
  ) {
    switch self {
    case .reference(let number): referring[number, default: []].append(hash)
    case .array(let values):
      for (index, value) in values.enumerated() where value.mayContainObjects {
        value.noteReferences(from: [hash, index].hashValue, in: &referring, keyHash)
      }
    case .set(let members):
      for member in members { member.noteReferences(from: hash, in: &referring, keyHash) }
    case .dictionary(let entries):
      for (key, value) in entries {
        if key.mayContainObjects { key.noteReferences(from: hash, in: &referring, keyHash) }
        guard value.mayContainObjects else { continue }
        value.noteReferences(from: [hash, keyHash(key)].hashValue, in: &referring, keyHash)
      }
    case .object(let object): object.content.noteReferences(from: hash, in: &referring, keyHash)
    default: return
    }
  }
}

extension ObjectClass {
  /// True if the objects of the class are values: those of the system's classes for colors, dates, fonts and so on, and ordered sets.
  fileprivate var isOfValues: Bool {
    self == .none || name.equals("NSOrderedSet") || ClassCatalog.standard.entry(for: self) != nil
  }
}
