/// The changes that turn one value into another, to edit a file in place.
///
///     [{name: "Lamp", n: 1}, {name: "Bed"}]  →  [{name: "Lamp", n: 2}, {name: "Bed"}, {name: "Fan"}]
///     set [0].n, insert at [2]
///
/// The changes apply in order: each path refers to the file as the preceding changes left it. The shared objects of
/// an archive are compared one by one, and changed at the paths of their numbers:
///
///     [#3, #3], #3 = {name: "Ada"}  →  [#3, #3, #3], #3 = {name: "Eve"}
///     set $objects[3].name, insert reference to #3 at []
struct ValueChanges {
  enum Change {
    case set(Value)
    case insert(Value)
    case remove
  }

  private(set) var all: [(change: Change, path: ValuePath)] = []
  /// The shared objects of the new value.
  let objects: [Int: ObjectValue]
  /// The paths of objects that only the new value shares, by the number of the object there.
  private(set) var newlyShared: [Int: ValuePath] = [:]
  private let oldObjects: [Int: ObjectValue]
  private let limit: Int

  /// Finds the changes. Fails if there are more than `limit`, or if paths cannot express one of them: a change to
  /// a key that is not a string.
  ///
  /// - Parameters:
  ///   - old: The value, with its objects numbered as in its file.
  ///   - new: The new value. Objects that it has in common with the old one have the same numbers.
  ///   - limit: The maximum number of changes.
  init?(from old: SharedObjects, to new: SharedObjects, limit: Int) {
    (oldObjects, objects, self.limit) = (old.objects, new.objects, limit)
    for number in new.objects.keys.sorted() {
      guard let mine = old.objects[number], let other = new.objects[number] else { continue }
      let path = ValuePath([.key("$objects"), .index(number)])
      guard compare(.object(mine), .object(other), at: path) else { return nil }
    }
    guard compare(old.root, new.root, at: ValuePath()) else { return nil }
  }

  /// Applies the changes to a file. With `checksEach`, repairs the objects of an archive after each change.
  func apply(to file: EditableFile, checksEach: Bool) throws(FerryError) {
    try file.changeAll(checksEach: checksEach, sharing: objects, besides: newlyShared) {
      () throws(FerryError) in
      for (change, path) in all {
        switch change {
        case .set(let value): try file.replace(with: value, at: path)
        // A key in braces is a key here, and not a name of XML with its namespace.
        case .insert(let value): try file.change(.insert(.value(value)), path)
        case .remove: try file.remove(at: path)
        }
      }
    }
  }

  private mutating func add(_ change: Change, at path: ValuePath) -> Bool {
    all.append((change, path))
    return all.count <= limit
  }

  /// Adds the changes between two values. Returns false if no changes can express the difference.
  private mutating func compare(_ old: Value, _ new: Value, at path: ValuePath) -> Bool {
    switch (old, new) {
    case (.object(let mine), .object(let other)) where mine.type == other.type:
      return compare(mine.content, other.content, at: path)
    case (.object(let mine), .reference(let number)):
      guard let other = newlyShared(number, insteadOf: mine) else { return add(.set(new), at: path) }
      newlyShared[number] = path
      return compare(mine.content, other.content, at: path)
    case (.dictionary(let mine), .dictionary(let other)): return compare(mine, other, at: path)
    case (.array(let mine), .array(let other)): return compare(mine, other, at: path)
    case (.set(let mine), .set(let other)): return compareSets(mine, other, at: path)
    default: return old == new || add(.set(new), at: path)
    }
  }

  /// Returns the object with a number if it is an object that the old value does not share.
  private func newlyShared(_ number: Int, insteadOf old: ObjectValue) -> ObjectValue? {
    guard oldObjects[number] == nil, newlyShared[number] == nil, let new = objects[number],
      new.type == old.type
    else { return nil }
    return new
  }

  private mutating func compare(_ old: KeyedValues, _ new: KeyedValues, at path: ValuePath) -> Bool {
    for (key, value) in new where old[key] != value {
      guard let name = new.pathText(of: key) else { return false }
      let entryPath = path.appending(.key(name))
      guard let known = old[key] else {
        guard add(.insert(value), at: entryPath) else { return false }
        continue
      }
      guard compare(known, value, at: entryPath) else { return false }
    }
    for key in old.keys where new[key] == nil {
      guard let name = old.pathText(of: key), add(.remove, at: path.appending(.key(name))) else {
        return false
      }
    }
    return true
  }

  // MARK: Lists

  private mutating func compare(_ old: [Value], _ new: [Value], at path: ValuePath) -> Bool {
    guard old != new else { return true }
    // Changes run from the end of the list to its start, so that the smaller indices stay valid.
    var end = (old: old.count, new: new.count)
    for (index, match) in Self.pairs(old, new).reversed() {
      guard replace(index + 1..<end.old, of: old.count, by: new[(match + 1)..<end.new], at: path),
        compare(old[index], new[match], at: path.appending(.index(index)))
      else { return false }
      end = (index, match)
    }
    return replace(0..<end.old, of: old.count, by: new[..<end.new], at: path)
  }

  /// Returns the pairs of elements that keep their order, changed or unchanged. A moved element is removed
  /// and inserted instead.
  private static func pairs(_ old: [Value], _ new: [Value]) -> [(old: Int, new: Int)] {
    // If both lists have the same length and most elements are equal, no alignment is needed.
    if old.count == new.count {
      let changed = old.indices.filter { old[$0] != new[$0] }
      if 2 * changed.count <= old.count, changed.allSatisfy({ old[$0].isAlike(new[$0]) }) {
        return old.indices.map { ($0, $0) }
      }
    }
    var symbols = Symbols<Value>()
    let (a, b) = (symbols.of(old), symbols.of(new))
    let equal = SequenceAlignment(a, b).matches
    let alike = SequenceAlignment(a, b) { old[$0].likeness(to: new[$1]) }.matches
    // Between two equal elements, similar elements are matched.
    var ends = equal
    for index in old.indices.dropLast().reversed() where ends[index] < 0 { ends[index] = ends[index + 1] }
    var pairs: [(old: Int, new: Int)] = []
    for index in old.indices {
      let first = (pairs.last?.new ?? -1) + 1
      let isBetween = alike[index] >= first && (ends[index] < 0 || alike[index] < ends[index])
      if equal[index] >= 0 || isBetween {
        pairs.append((index, equal[index] >= 0 ? equal[index] : alike[index]))
      }
    }
    return pairs
  }

  /// The most pairs of members that are compared. With more, the whole set is replaced.
  private static let comparisons = 4096

  /// Members that are alike are one changed member. Others are removed, from the end of the set, and added at the end.
  private mutating func compareSets(_ old: [Value], _ new: [Value], at path: ValuePath) -> Bool {
    let kept = Set(old).intersection(new)
    var added = new.filter { !kept.contains($0) }
    guard (old.count - kept.count) * added.count <= Self.comparisons else {
      return add(.set(.set(new)), at: path)
    }
    for (index, member) in old.enumerated().reversed() where !kept.contains(member) {
      if let match = added.firstIndex(where: member.isAlike) {
        guard compare(member, added.remove(at: match), at: path.appending(.index(index))) else {
          return false
        }
      } else {
        guard add(.remove, at: path.appending(.index(index))) else { return false }
      }
    }
    return added.allSatisfy { add(.insert($0), at: path.appending(.end)) }
  }

  /// Replaces a range of elements in a list.
  private mutating func replace(
    _ range: Range<Int>, of count: Int, by new: ArraySlice<Value>, at path: ValuePath
  ) -> Bool {
    for index in range.reversed() {
      guard add(.remove, at: path.appending(.index(index))) else { return false }
    }
    let isAtEnd = range.upperBound == count
    for value in isAtEnd ? Array(new) : new.reversed() {
      let step = isAtEnd ? ValuePath.Step.end : .index(range.lowerBound)
      guard add(.insert(value), at: path.appending(step)) else { return false }
    }
    return true
  }
}
