/// The differences between two values, in the order of the new one, each with its paths.
///
///     [{id: 1, name: "Lamp"}, {id: 2, name: "Bed"}]  →  [{id: 2, name: "Cot"}, {id: 3, name: "Fan"}]
///     removed [0]; changed [1].name → [0].name; added [1]
///
/// Objects are compared by their content. Their numbers in a file do not matter, and two references to one object equal
/// references to two equal objects. The order of keys matters only on request, and that of the members of sets never.
public struct ValueDifferences: Sendable {
  /// A difference.
  public enum Change: Hashable, Sendable {
    /// A value that only the new version has.
    case added(Value)
    /// A value that only the old version has.
    case removed(Value)
    /// A value that replaces another one.
    case changed(from: Value, to: Value)
    /// An element of a list that has moved among its neighbors. Changes inside the element follow.
    case moved
  }

  /// A difference with the paths of the value: nil for the version that does not have it.
  public struct Difference: Hashable, Sendable {
    /// The change.
    public let change: Change
    /// The path in the old version; nil for an added value.
    public let oldPath: ValuePath?
    /// The path in the new version; nil for a removed value.
    public let newPath: ValuePath?
  }

  /// An operation of a JSON patch (RFC 6902). Each path is that of the value after the operations before it.
  public enum Operation: Hashable, Sendable {
    /// Adds an entry, or inserts an element before the one at the path.
    case add(Value, at: ValuePath)
    /// Removes a value.
    case remove(at: ValuePath)
    /// Replaces a value.
    case replace(Value, at: ValuePath)
    /// Removes a value, and adds it at another path.
    case move(from: ValuePath, to: ValuePath)
  }

  /// The differences, in order.
  public private(set) var all: [Difference] = []
  /// The operations that turn the old value into the new one. They are made anew at each access, because few programs need them: a
  /// loop should keep them in a constant.
  public var operations: [Operation] {
    edits.flatMap { edit in
      switch edit {
      case .value(let operation): [operation]
      case .list(let list): operations(of: list)
      }
    }
  }
  /// True if a JSON patch of the differences is for the typed form, and false if it is for JSON itself. Nil if that depends on
  /// the values.
  public var hasTypedPatch: Bool?

  private let old, new: ComparableValue
  private let key: String?
  /// The pairs of objects that were compared, so that cycles end.
  private var compared: Set<Pair> = []

  /// The changes from which the operations are made on request, in order.
  private var edits: [Edit] = []

  private enum Edit {
    case value(Operation)
    case list(Reordering)
  }

  /// A list whose elements are removed, moved and added.
  private struct Reordering {
    /// The new index of each old element, or -1 if it was removed.
    let matches: [Int]
    /// The new elements.
    let elements: [Value]
    let path: ValuePath
  }

  private struct Pair: Hashable {
    let old: Int
    let new: Int
  }

  /// Compares two values. Nil is a version without a value, such as a file that does not exist.
  ///
  /// - Parameters:
  ///   - old: The first version.
  ///   - new: The second version.
  ///   - ordersKeys: True if the order of keys matters.
  ///   - key: The field that identifies records in lists, or nil to match records by their content.
  public init(from old: Value?, to new: Value?, ordersKeys: Bool = false, key: String? = nil) {
    self.old = ComparableValue(old ?? .null, ordersKeys: ordersKeys)
    self.new = ComparableValue(new ?? .null, ordersKeys: ordersKeys)
    self.key = key
    switch (old, new) {
    case (nil, nil): break
    case (nil, _?): insert(self.new.root, at: ValuePath())
    case (let old?, nil):
      add(.removed(old), ValuePath(), nil)
      edits.append(.value(.remove(at: ValuePath())))
    case (_?, _?): compare(self.old.root, self.new.root, PathPair())
    }
  }

  /// The paths of a pair of values.
  private struct PathPair {
    var old = ValuePath()
    var new = ValuePath()

    func appending(_ step: ValuePath.Step, _ newStep: ValuePath.Step) -> PathPair {
      PathPair(old: old.appending(step), new: new.appending(newStep))
    }
  }

  // MARK: Values

  private mutating func compare(_ a: Value, _ b: Value, _ paths: PathPair) {
    if case .reference(let number) = a, case .reference(let other) = b {
      guard compared.insert(Pair(old: number, new: other)).inserted else { return }
      guard let mine = old.objects[number], let others = new.objects[other] else { return }
      return compare(.object(mine), .object(others), paths)
    }
    guard old.content(of: a) != new.content(of: b) else { return }
    switch (old.resolved(a), new.resolved(b)) {
    case (.object(let mine), .object(let other)) where mine.type == other.type:
      compare(mine.content, other.content, paths)
    case (.dictionary(let mine), .dictionary(let other)): compare(mine, other, paths)
    case (.array(let mine), .array(let other)): compare(mine, other, paths)
    case (.set(let mine), .set(let other)): compareSets(mine, other, paths)
    default: replace(a, by: b, paths)
    }
  }

  private mutating func replace(_ a: Value, by b: Value, _ paths: PathPair) {
    let value = new.whole(b)
    add(.changed(from: old.whole(a), to: value), paths.old, paths.new)
    guard old.resolved(a).givesType(to: new.resolved(b)) else {
      return edits.append(.value(.replace(value, at: paths.new)))
    }
    // `replace` keeps the type of the old value if it can: a text would become a date again, for example.
    if case .index? = paths.new.steps.last { edits.append(.value(.remove(at: paths.new))) }
    edits.append(.value(.add(value, at: paths.new)))
  }

  private mutating func add(_ change: Change, _ oldPath: ValuePath?, _ newPath: ValuePath?) {
    all.append(Difference(change: change, oldPath: oldPath, newPath: newPath))
  }

  private mutating func compare(_ a: KeyedValues, _ b: KeyedValues, _ paths: PathPair) {
    // Keys may be objects, whose numbers differ from file to file.
    let (mine, others) = (old.entries(of: a), new.entries(of: b))
    let (names, newNames) = (Set(mine.map(\.content)), Set(others.map(\.content)))
    let known = Dictionary(mine.map { ($0.content, $0.value) }, uniquingKeysWith: { $1 })
    let count = all.count
    for entry in mine where !newNames.contains(entry.content) {
      add(.removed(old.whole(entry.value)), paths.old.appending(.key(entry.name)), nil)
      edits.append(.value(.remove(at: paths.new.appending(.key(entry.name)))))
    }
    for entry in others {
      let step = ValuePath.Step.key(entry.name)
      if names.contains(entry.content), let value = known[entry.content] {
        compare(value, entry.value, paths.appending(step, step))
      } else {
        insert(entry.value, at: paths.new.appending(step))
      }
    }
    // Only the order of the keys differs, and it matters.
    if all.count == count, !mine.map(\.content).elementsEqual(others.map(\.content)) {
      replace(.dictionary(a), by: .dictionary(b), paths)
    }
  }

  private mutating func insert(_ part: Value, at path: ValuePath) {
    let value = new.whole(part)
    add(.added(value), nil, path)
    edits.append(.value(.add(value, at: path)))
  }

  // MARK: Lists

  private mutating func compare(_ a: [Value], _ b: [Value], _ paths: PathPair) {
    let matches = matches(a, b)
    edits.append(.list(Reordering(matches: matches, elements: b, path: paths.new)))
    var next = 0
    func removals(before end: Int, _ self: inout ValueDifferences) {
      for index in next..<max(next, end) where matches[index] < 0 {
        self.add(.removed(self.old.whole(a[index])), paths.old.appending(.index(index)), nil)
      }
      next = max(next, end)
    }
    var origins = [Int](repeating: -1, count: b.count)
    for (index, match) in matches.enumerated() where match >= 0 { origins[match] = index }
    let inOrder = Set(IncreasingSubsequence(of: origins).indices)
    for (index, value) in b.enumerated() {
      let origin = origins[index]
      guard origin >= 0 else {
        add(.added(new.whole(value)), nil, paths.new.appending(.index(index)))
        continue
      }
      let elementPaths = paths.appending(.index(origin), .index(index))
      if inOrder.contains(index) {
        removals(before: origin, &self)
      } else {
        add(.moved, elementPaths.old, elementPaths.new)
      }
      compare(a[origin], value, elementPaths)
    }
    removals(before: a.count, &self)
  }

  /// Returns the operations that remove, move and add elements of a list, before those that change elements.
  private func operations(of list: Reordering) -> [Operation] {
    func path(_ index: Int) -> ValuePath { list.path.appending(.index(index)) }
    let removed = list.matches.indices.filter { list.matches[$0] < 0 }
    var operations = removed.reversed().map { Operation.remove(at: path($0)) }
    /// The positions of the kept elements in the old list without the removed ones; -1 for new elements.
    var positions = [Int](repeating: -1, count: list.elements.count)
    let kept = list.matches.filter { $0 >= 0 }
    for (position, index) in kept.enumerated() { positions[index] = position }
    // Elements before `index` are in place. The kept elements that remain follow in their old order.
    var remaining = RemainingPositions(count: kept.count)
    for (index, position) in positions.enumerated() {
      guard position >= 0 else {
        operations.append(.add(new.whole(list.elements[index]), at: path(index)))
        continue
      }
      let distance = remaining.count(before: position)
      if distance > 0 { operations.append(.move(from: path(index + distance), to: path(index))) }
      remaining.remove(position)
    }
    return operations
  }

  /// Returns the index in the new list of each old element, or -1 if it was removed.
  private func matches(_ a: [Value], _ b: [Value]) -> [Int] {
    if let key, let matches = matches(a, b, by: key) { return matches }
    let alignment = SequenceAlignment(a.map { old.content(of: $0) }, b.map { new.content(of: $0) }) {
      old.resolved(a[$0]).isRecord(like: new.resolved(b[$1]), old, new)
    }
    return alignment.matches
  }

  /// Matches records by a field. Returns nil if an element has no such field, or if two have the same.
  private func matches(_ a: [Value], _ b: [Value], by key: String) -> [Int]? {
    var indices: [Int: Int] = [:]
    for (index, value) in b.enumerated() {
      guard let field = new.resolved(value).fields?[key] else { return nil }
      guard indices.updateValue(index, forKey: new.content(of: field)) == nil else { return nil }
    }
    var isTaken = Set<Int>()
    var matches: [Int] = []
    for value in a {
      guard let field = old.resolved(value).fields?[key] else { return nil }
      let match = indices[old.content(of: field)] ?? -1
      guard match < 0 || isTaken.insert(match).inserted else { return nil }
      matches.append(match)
    }
    return matches
  }

  /// Members with the same content are the same. All others are removed and added, because a set has no order by which a
  /// changed member could be found.
  private mutating func compareSets(_ a: [Value], _ b: [Value], _ paths: PathPair) {
    var counts: [Int: Int] = [:]
    for value in b { counts[new.content(of: value), default: 0] += 1 }
    var gone: [Int] = []
    for (index, value) in a.enumerated() {
      let content = old.content(of: value)
      if let count = counts[content], count > 0 { counts[content] = count - 1 } else { gone.append(index) }
    }
    var arrived: [Int] = []
    for (index, value) in b.enumerated().reversed() {
      let content = new.content(of: value)
      guard let count = counts[content], count > 0 else { continue }
      counts[content] = count - 1
      arrived.append(index)
    }
    for index in gone { add(.removed(old.whole(a[index])), paths.old.appending(.index(index)), nil) }
    for index in gone.reversed() { edits.append(.value(.remove(at: paths.new.appending(.index(index))))) }
    for (offset, index) in arrived.reversed().enumerated() {
      let value = new.whole(b[index])
      add(.added(value), nil, paths.new.appending(.index(index)))
      edits.append(.value(.add(value, at: paths.new.appending(.index(a.count - gone.count + offset)))))
    }
  }
}

extension Value {
  /// True if JSON of the other value would get this value's type when it replaces this value.
  fileprivate func givesType(to other: Value) -> Bool {
    switch (self, other) {
    case (.object(let mine), .object(let other)): mine.type == other.type
    case (.real, .integer), (.single, .real), (.single, .integer): true
    case (.date, .string), (.data, .string), (.uid, .integer): true
    case (.object, _), (.set, .array): true
    default: false
    }
  }

  /// The fields of a record, or nil if the value is no record.
  fileprivate var fields: KeyedValues? {
    switch self {
    case .dictionary(let entries): entries
    case .object(let object): object.content.fields
    default: nil
    }
  }

  /// Returns true if half of the fields of two records are equal.
  fileprivate func isRecord(like other: Value, _ old: ComparableValue, _ new: ComparableValue) -> Bool {
    guard let mine = fields, let others = other.fields else { return false }
    let same = mine.count { key, value in
      others[key].map { old.content(of: value) == new.content(of: $0) } ?? false
    }
    return same > 0 && 2 * same >= max(mine.count, others.count)
  }
}
