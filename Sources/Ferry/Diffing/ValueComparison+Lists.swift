// The comparison of lists and sets.

extension ValueComparison {
  /// Compares two lists, and adds their reordering.
  mutating func compare(_ a: [Value], _ b: [Value], _ path: PathPairs.Index) {
    let contents = (old: a.map(old.content), new: b.map(new.content))
    let matches = matches(a, b, contents)
    if a.count != b.count || !matches.elementsEqual(b.indices) {
      add(.list(Reordering(matches: matches, elements: b, path: paths.edited(path))))
    }
    var next = 0
    func removals(before end: Int, _ self: inout ValueComparison) {
      for index in next..<max(next, end) where matches[index] < 0 {
        self.add(.removed(self.old.whole(a[index])), self.oldPath(of: index, in: path), nil)
      }
      next = max(next, end)
    }
    var origins = [Int](repeating: -1, count: b.count)
    for (index, match) in matches.enumerated() where match >= 0 { origins[match] = index }
    noteReplacedData(
      a.indices.lazy.filter { matches[$0] < 0 }.map { a[$0] },
      by: b.indices.lazy.filter { origins[$0] < 0 }.map { b[$0] }, path, areElements: true)
    let inOrder = Set(IncreasingSubsequence(of: origins).indices)
    for (index, value) in b.enumerated() {
      let origin = origins[index]
      guard origin >= 0 else {
        add(.added(new.whole(value)), nil, newPath(of: index, in: path))
        continue
      }
      if inOrder.contains(index) {
        removals(before: origin, &self)
      } else {
        add(.moved, oldPath(of: origin, in: path), newPath(of: index, in: path))
      }
      guard contents.old[origin] != contents.new[index] else { continue }
      compareDifferent(a[origin], value, paths.appending(.index(origin), .index(index), to: path))
    }
    removals(before: a.count, &self)
  }

  /// Returns the path of an element of a list in the old version. It is made only for elements that differ, because it may be long.
  private func oldPath(of index: Int, in list: PathPairs.Index) -> ValuePath {
    paths.old(list).appending(.index(index))
  }

  /// Returns the path of an element of a list in the new version.
  private func newPath(of index: Int, in list: PathPairs.Index) -> ValuePath {
    paths.new(list).appending(.index(index))
  }

  /// Returns the index in the new list of each old element, or -1 if it was removed.
  private mutating func matches(
    _ a: [Value], _ b: [Value], _ contents: (old: [Int], new: [Int])
  ) -> [Int] {
    matchesByKey(a, b) ?? aligned(a, b, contents)
  }

  /// Matches records by the field that identifies them. Returns nil if there is none, or if it cannot match these records.
  private mutating func matchesByKey(_ a: [Value], _ b: [Value]) -> [Int]? {
    guard let key, let first = a.first, let other = b.first else { return nil }
    if let matches = matches(a, b, by: key) {
      facts.hasMatchedByKey = true
      return matches
    }
    let areRecords = old.resolved(first).fields != nil && new.resolved(other).fields != nil
    if areRecords { facts.hasMissedKey = true }
    return nil
  }

  /// Matches elements by their order and their likeness.
  private mutating func aligned(
    _ a: [Value], _ b: [Value], _ contents: (old: [Int], new: [Int])
  ) -> [Int] {
    let (old, new) = (self.old, self.new)
    var features: SequenceAlignment.Features?
    if moves == .all {
      let (before, after) = self.features
      features = SequenceAlignment.Features(old: { before(a[$0]) }, new: { after(b[$0]) })
    }
    let alignment = SequenceAlignment(
      old.likenesses(of: a, contents: contents.old), new.likenesses(of: b, contents: contents.new),
      features: features
    ) { old.resolved(a[$0]).likeness(to: new.resolved(b[$1]), old, new) }
    if alignment.hasSimilarPairs { facts.hasSimilarPairs = true }
    return alignment.matches
  }

  /// Matches records by a field. Returns nil if an element has no such field, or if two have the same.
  private func matches(_ a: [Value], _ b: [Value], by key: String) -> [Int]? {
    let oldKey = a.lazy.map { old.resolved($0) }.keyField(named: key)
    let newKey = b.lazy.map { new.resolved($0) }.keyField(named: key)
    var indices: [Int: Int] = [:]
    for (index, value) in b.enumerated() {
      guard let field = new.resolved(value).fields?[newKey] else { return nil }
      guard indices.updateValue(index, forKey: new.content(of: field)) == nil else { return nil }
    }
    var isTaken = Set<Int>()
    var matches: [Int] = []
    for value in a {
      guard let field = old.resolved(value).fields?[oldKey] else { return nil }
      let match = indices[old.content(of: field)] ?? -1
      guard match < 0 || isTaken.insert(match).inserted else { return nil }
      matches.append(match)
    }
    return matches
  }

  // MARK: Lists whose order does not matter

  /// Compares two lists whose order does not matter. Elements with the same content are the same. The others are aligned, as if the lists had no
  /// equal elements.
  mutating func compareUnordered(_ a: [Value], _ b: [Value], _ path: PathPairs.Index) {
    let contents = (old: a.map(old.content), new: b.map(new.content))
    if let matches = matchesByKey(a, b) {
      return add(MemberChanges(matches, between: contents), a, b, path)
    }
    var members = MemberChanges(from: contents.old, to: contents.new)
    // An element may differ only because a distant object has changed that refers to it.
    members.pair({ old.likeness(of: a[$0]) }, { new.likeness(of: b[$0]) })
    let (removed, added) = (members.removed, members.added)
    let matches = aligned(
      removed.map { a[$0] }, added.map { b[$0] },
      (removed.map { contents.old[$0] }, added.map { contents.new[$0] }))
    members.pair(
      matches.enumerated().compactMap { $1 < 0 ? nil : (old: removed[$0], new: added[$1]) })
    add(members, a, b, path)
  }

  // MARK: Sets

  /// Members with the same content are the same. Of the others, those are versions of one member that are the same apart from the
  /// objects that refer to them, or that are similar. The rest is removed and added.
  mutating func compareSets(_ a: [Value], _ b: [Value], _ path: PathPairs.Index) {
    var members = MemberChanges(from: a.map { old.content(of: $0) }, to: b.map { new.content(of: $0) })
    pairMembersInCycles(a, b, &members)
    // The document in data is equal to a value.
    if data != nil { members.pair({ old.likeness(of: a[$0]) }, { new.likeness(of: b[$0]) }) }
    if moves == .all { pairSimilarMembers(a, b, &members) }
    add(members, a, b, path)
  }

  /// Adds the changes of the members of a set, or of the elements of a list whose order does not matter.
  private mutating func add(_ members: MemberChanges, _ a: [Value], _ b: [Value], _ path: PathPairs.Index) {
    noteReplacedData(
      members.removed.lazy.map { a[$0] }, by: members.added.lazy.map { b[$0] }, path, areElements: true)
    let (oldPath, newPath, edited) = (paths.old(path), paths.new(path), paths.edited(path))
    for index in members.removed {
      add(.removed(old.whole(a[index])), oldPath.appending(.index(index)), nil)
    }
    for index in members.removed.reversed() { add(.remove(at: edited.appending(.index(index)))) }
    for (offset, index) in members.added.enumerated() {
      add(.added(new.whole(b[index])), nil, newPath.appending(.index(index)))
      add(.add(b[index], at: edited.appending(.index(a.count - members.removed.count + offset))))
    }
    // The members keep their order in a patch. The removed ones are no longer before them.
    var removed = 0
    for pair in members.changed.sorted(by: { $0.old < $1.old }) {
      while removed < members.removed.count, members.removed[removed] < pair.old { removed += 1 }
      let steps = (old: ValuePath.Step.index(pair.old), new: ValuePath.Step.index(pair.new))
      let member = paths.appending(steps.old, steps.new, editing: .index(pair.old - removed), to: path)
      compareDifferent(a[pair.old], b[pair.new], member)
    }
  }

  /// Pairs members whose contents differ only because an object has changed that refers to them.
  private mutating func pairMembersInCycles(_ a: [Value], _ b: [Value], _ members: inout MemberChanges) {
    guard members.mayBePaired else { return }
    let (before, after, cycles) = (old, new, cycles)
    func pair(_ oldHash: (Value) -> Int, _ newHash: (Value) -> Int) {
      members.pair(
        { a[$0].isReference(among: cycles.old) ? oldHash(a[$0]) : nil },
        { b[$0].isReference(among: cycles.new) ? newHash(b[$0]) : nil })
    }
    pair(before.likeness, after.likeness)
    pair(
      { before.content(of: $0, withoutObjects: cycles.old) },
      { after.content(of: $0, withoutObjects: cycles.new) })
  }

  /// Pairs members that are similar.
  private mutating func pairSimilarMembers(_ a: [Value], _ b: [Value], _ members: inout MemberChanges) {
    guard members.mayBePaired else { return }
    let (before, after) = features
    let (removed, added) = (members.removed, members.added)
    var similar = SimilarElements(
      removed.map { before(a[$0]) }, added.map { after(b[$0]) },
      besides: members.kept.lazy.map { before(a[$0]) })
    let found = similar.pairs(in: max(a.count, b.count)).map { (old: removed[$0.old], new: added[$0.new]) }
    if !found.isEmpty { facts.hasSimilarPairs = true }
    members.pair(found)
  }
}

extension Value {
  /// Returns true for a reference to one of some objects.
  fileprivate func isReference(among numbers: Set<Int>) -> Bool {
    if case .reference(let number) = self { numbers.contains(number) } else { false }
  }

  /// The fields of a record, or nil if the value is not a record.
  fileprivate var fields: KeyedValues? {
    switch self {
    case .dictionary(let entries): entries
    case .object(let object): object.content.fields
    default: nil
    }
  }

  /// Returns the number of equal fields of two records, or 0 if that is less than half of them.
  fileprivate func likeness(to other: Value, _ old: ComparableValue, _ new: ComparableValue) -> Int {
    guard let mine = fields, let others = other.fields else { return 0 }
    let same = mine.count { key, value in
      others[key].map { old.likeness(of: value) == new.likeness(of: $0) } ?? false
    }
    return 2 * same >= max(mine.count, others.count) ? same : 0
  }
}
