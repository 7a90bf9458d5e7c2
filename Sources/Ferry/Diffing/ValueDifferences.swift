/// The differences between two values, in the order of the new one, each with its paths.
///
///     [{id: 1, name: "Lamp"}, {id: 2, name: "Bed"}]  →  [{id: 2, name: "Cot"}, {id: 3, name: "Fan"}]
///     removed [0]; changed [1].name → [0].name; added [1]
///
/// Objects are compared by their content. Their numbers in a file do not matter, but two references to one object of a class differ from
/// references to two equal objects. Texts, numbers, other values of the system's classes, and arrays, sets and dictionaries without a class
/// of their own are equal whether or not a file shares them. The order of keys matters only on request, and that of the members of sets never.
public struct ValueDifferences: Sendable {
  /// A difference.
  public enum Change: Hashable, Sendable {
    /// A value that only the new version has.
    case added(Value)
    /// A value that only the old version has.
    case removed(Value)
    /// A value that replaces another one.
    case changed(from: Value, to: Value)
    /// An element of a list that has moved among its neighbors, or an entry of a dictionary whose key has changed. Changes inside the
    /// value follow. The value of an entry is a collection that is not empty and of which at least half has not changed, or a text or
    /// data of some length that has not changed, and no other removed or added entry of the dictionary has it.
    case moved
    /// An object of a class that is equal in both versions, but not the same object as at other paths in both. At `old`, the old version
    /// has this object, too, and at `new` the new version; nil for a version with an object of its own.
    ///
    ///     {a: Person #1 {…}, b: → #1}  →  {a: Person #3 {…}, b: Person #5 {…}}       b: old a, new nil
    case sharing(old: ValuePath?, new: ValuePath?)
    /// The list of one version is a single document of YAML, and the other version has its elements as several documents.
    ///
    /// - Parameter areOld: True if the old version has several documents.
    case documents(areOld: Bool)
  }

  /// A difference with the paths of the value: nil for the version that does not have it.
  public struct Difference: Hashable, Sendable {
    /// The change.
    public let change: Change
    /// The path in the old version; nil for an added value.
    public let oldPath: ValuePath?
    /// The path in the new version; nil for a removed value.
    public let newPath: ValuePath?

    /// The size of the path in bytes.
    var pathBytes: Int { (newPath ?? oldPath)?.byteCount ?? 0 }

    /// Returns the difference in a document with the paths in the value that contains the document.
    func inside(_ old: ValuePath, _ new: ValuePath) -> Difference {
      func whole(_ path: ValuePath?, in outer: ValuePath) -> ValuePath? {
        path.map { outer.appending($0.steps[...]) }
      }
      var change = change
      if case .sharing(let mine, let other) = change {
        change = .sharing(old: whole(mine, in: old), new: whole(other, in: new))
      }
      return Difference(change: change, oldPath: whole(oldPath, in: old), newPath: whole(newPath, in: new))
    }
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

    /// Returns the operation on a document with the paths in the value that contains the document.
    fileprivate func inside(_ outer: ValuePath) -> Operation {
      func whole(_ path: ValuePath) -> ValuePath { outer.appending(path.steps[...]) }
      return switch self {
      case .add(let value, let path): .add(value, at: whole(path))
      case .remove(let path): .remove(at: whole(path))
      case .replace(let value, let path): .replace(value, at: whole(path))
      case .move(let from, let path): .move(from: whole(from), to: whole(path))
      }
    }
  }

  /// An operation, and the kind of its value.
  struct PatchOperation {
    let operation: Operation
    /// True if the value is from an archive, in which keys may be objects.
    let isInArchive: Bool
  }

  /// The differences, in order.
  public private(set) var all: [Difference] = []
  /// The operations that turn the old value into the new one. They are made anew at each access, because few programs need them: a
  /// loop should keep them in a constant.
  public var operations: [Operation] { patchOperations.map(\.operation) }
  /// The operations, and the kinds of their values.
  var patchOperations: [PatchOperation] { operations { $0.whole($1) } ?? [] }
  /// True if a JSON patch of the differences is for the typed form, and false if it is for JSON itself. Nil if that depends on
  /// the values.
  public var hasTypedPatch: Bool?
  /// True if texts of a database are marked in the values, because they are not UTF-8. A JSON patch cannot hold them.
  var hasMarkedTexts = false

  /// True if the field that identifies records is in no list of records that differ, or has equal values there.
  package var isKeyUnused: Bool { facts.hasMissedKey && !facts.hasMatchedByKey }
  /// True if records of a list that differs were matched by this field.
  package var isKeyUsed: Bool { facts.hasMatchedByKey }

  private(set) var facts = Facts()
  /// True if differences are missing, because the paths of all would be too large.
  private(set) var isTooLarge = false

  /// True if the values are those of an archive, in which keys may be objects.
  let isArchive: Bool

  /// The limits on the cost of the documents in data; nil if data is compared by its bytes.
  let budgetOfData: Budget?

  private let new: ComparableValue
  /// The changes from which the operations are made on request, in order.
  private let edits: [ValueComparison.Edit]

  /// True if entries of dictionaries have other keys.
  var hasRenamedEntries: Bool {
    edits.contains { edit in
      switch edit {
      case .rename: true
      case .data(let nested, _): nested.hasRenamedEntries
      default: false
      }
    }
  }

  /// True if an edit has the path of the root.
  var changesRoot: Bool {
    edits.contains { edit in
      switch edit {
      case .add(_, let path), .remove(let path), .replace(_, let path), .data(_, let path): path.isEmpty
      case .rename, .list: false
      }
    }
  }

  /// Compares two values. Nil is a version without a value, such as a file that does not exist.
  ///
  /// - Parameters:
  ///   - old: The first version.
  ///   - new: The second version.
  ///   - ordersKeys: True if the order of keys matters.
  ///   - key: The field that identifies records in lists, or nil to match records by their content.
  ///   - ignored: The differences that are left out.
  public init(
    from old: Value?, to new: Value?, ordersKeys: Bool = false, key: String? = nil,
    ignoring ignored: IgnoredDifferences = IgnoredDifferences()
  ) {
    self.init(
      from: ignored.removing(from: old), to: ignored.removing(from: new), ordersKeys: ordersKeys, key: key,
      ignored: ignored, isArchive: false)
  }

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - ignored: The differences that are left out. The values do not have the values that are not compared.
  ///   - isArchive: True if the values are those of an archive.
  ///   - moves: The values that are found at other paths.
  ///   - data: The documents in data; nil to compare data by its bytes.
  ///   - mostPathBytes: The size of the paths of all differences in bytes at which the comparison ends.
  init(
    from old: Value?, to new: Value?, ordersKeys: Bool = false, key: String? = nil,
    ignored: IgnoredDifferences = IgnoredDifferences(), isArchive: Bool, moves: MovedValues = .all,
    data: ComparedData? = nil, mostPathBytes: Int = .max
  ) {
    self.isArchive = isArchive
    budgetOfData = data?.budget
    let expansions: ComparedData.Expansions = data?.expansions ?? (DataExpansion(), DataExpansion())
    let comparable = ComparableValue(
      new ?? .null, ordersKeys: ordersKeys, ordersElements: !ignored.order, expansion: expansions.new)
    self.new = comparable
    switch (old, new) {
    case (nil, nil): edits = []
    case (nil, _?):
      all = [
        Difference(change: .added(comparable.whole(comparable.root)), oldPath: nil, newPath: ValuePath())
      ]
      edits = [.add(comparable.root, at: ValuePath())]
    case (let old?, nil):
      all = [Difference(change: .removed(old), oldPath: ValuePath(), newPath: nil)]
      edits = [.remove(at: ValuePath())]
    case (let old?, _?):
      let before = ComparableValue(
        old, ordersKeys: ordersKeys, ordersElements: !ignored.order, expansion: expansions.old)
      let found = ValueComparison(
        from: before, to: comparable, key: key, ignored: ignored, isArchive: isArchive, moves: moves,
        data: data, mostPathBytes: mostPathBytes)
      isTooLarge = found.isTooLarge
      (all, edits) = (found.differences, found.edits)
      if !ignored.order {
        let pairing = ObjectPairing(from: before, to: comparable, areEqual: all.isEmpty)
        all += pairing.mismatches.map { mismatch in
          Difference(
            change: .sharing(old: mismatch.old, new: mismatch.new), oldPath: mismatch.oldPath,
            newPath: mismatch.newPath)
        }
      }
      facts = found.facts
    }
  }

  /// Adds the difference between several documents and a list of equal values.
  ///
  /// - Parameter areOld: True if the old version has several documents.
  mutating func addDocuments(areOld: Bool) {
    all.append(Difference(change: .documents(areOld: areOld), oldPath: ValuePath(), newPath: ValuePath()))
  }

  /// Adds the differences between the entries that archives of both versions have beside their objects, and between their roots: one object,
  /// or a dictionary of several.
  ///
  /// - Parameters:
  ///   - ignored: The differences that are left out.
  ///   - mostPathBytes: The size of the paths of all differences in bytes at which the comparison ends.
  mutating func addArchiveEntries(
    from old: ArchiveEntries, to new: ArchiveEntries, ordersKeys: Bool, ignoring ignored: IgnoredDifferences,
    mostPathBytes: Int
  ) {
    var rest = mostPathBytes - Self.pathBytes(of: all)
    for path in new.paths where !isTooLarge {
      guard var before = old[path], var after = new[path] else { continue }
      if old.hasOnlyRoot(at: path) != new.hasOnlyRoot(at: path) {
        before["$top"] = .string(old.rootNames(at: path))
        after["$top"] = .string(new.rootNames(at: path))
      }
      guard !before.isEmpty || !after.isEmpty else { continue }
      let inner = ignored.inside(path)
      let found = ValueDifferences(
        from: inner.removing(from: .dictionary(before)), to: inner.removing(from: .dictionary(after)),
        ordersKeys: ordersKeys, ignored: inner, isArchive: false, moves: .unchanged, mostPathBytes: rest)
      isTooLarge = found.isTooLarge
      let differences = found.all.map { $0.inside(path, path) }
      rest -= Self.pathBytes(of: differences)
      if facts.pathOfArchiveEntry == nil {
        facts.pathOfArchiveEntry = differences.first.flatMap { $0.newPath ?? $0.oldPath }
      }
      all += differences
    }
  }

  private static func pathBytes(of differences: [Difference]) -> Int {
    differences.reduce(0) { $0 + $1.pathBytes }
  }

  // MARK: Operations

  /// Returns the operations that turn the old value into the new one. Returns nil if their values consist of more values than a
  /// limit, because each has all objects to which it refers.
  func operations(withValuesAtMost limit: Int) -> [PatchOperation]? {
    var left = limit
    return operations { whole, part in
      let (value, count) = whole.whole(part, atMost: left)
      left -= count
      return left > 0 ? value : nil
    }
  }

  /// - Parameter whole: Returns a part of a value with its objects in place of the references to them; nil to make no
  ///   operations.
  private func operations(_ whole: (ComparableValue, Value) -> Value?) -> [PatchOperation]? {
    var operations: [PatchOperation] = []
    func add(_ operation: Operation) {
      operations.append(PatchOperation(operation: operation, isInArchive: isArchive))
    }
    for edit in edits {
      switch edit {
      case .add(let part, let path):
        guard let value = whole(new, part) else { return nil }
        add(.add(value, at: path))
      case .replace(let part, let path):
        guard let value = whole(new, part) else { return nil }
        add(.replace(value, at: path))
      case .remove(let path): add(.remove(at: path))
      case .rename(let from, let path): add(.move(from: from, to: path))
      case .list(let list):
        guard let found = self.operations(of: list, { whole(new, $0) }) else { return nil }
        found.forEach(add)
      case .data(let nested, let path):
        guard let found = nested.operations(whole) else { return nil }
        operations += found.map {
          PatchOperation(operation: $0.operation.inside(path), isInArchive: $0.isInArchive)
        }
      }
    }
    return operations
  }

  /// Returns the operations that remove, move and add elements of a list, before those that change elements.
  private func operations(
    of list: ValueComparison.Reordering, _ whole: (Value) -> Value?
  ) -> [Operation]? {
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
        guard let value = whole(list.elements[index]) else { return nil }
        operations.append(.add(value, at: path(index)))
        continue
      }
      let distance = remaining.count(before: position)
      if distance > 0 { operations.append(.move(from: path(index + distance), to: path(index))) }
      remaining.remove(position)
    }
    return operations
  }
}
