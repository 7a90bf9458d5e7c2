/// A comparison of two values, which finds their differences and the changes of a patch, both in the order of the new value.
///
/// Objects are compared in the order of the lengths of their paths, so that the shortest of several paths names a changed object:
///
///     {list: [Node #1 {next: → #2}, Node #2 {next: → #3, tag: 5}, …]}     list[1].tag, and not list[0].next.tag
struct ValueComparison {
  /// A change for a patch. Its path leads to the value after the preceding changes. The values have references in place of objects.
  enum Edit {
    case add(Value, at: ValuePath)
    case remove(at: ValuePath)
    case replace(Value, at: ValuePath)
    /// A value whose key changes.
    case rename(from: ValuePath, to: ValuePath)
    case list(Reordering)
    /// The changes in the document in data, or in a value that is compared with a document in data.
    indirect case data(ValueDifferences, at: ValuePath)
  }

  /// A list whose elements are removed, moved and added.
  struct Reordering {
    /// The new index of each old element, or -1 if it was removed.
    let matches: [Int]
    /// The new elements.
    let elements: [Value]
    let path: ValuePath
  }

  /// The differences.
  private(set) var differences: [ValueDifferences.Difference] = []
  /// The changes from which the operations of a patch are made.
  private(set) var edits: [Edit] = []

  var facts = ValueDifferences.Facts()

  /// The size of the paths of all differences in bytes, and its maximum. Each value deep inside a file has a long path.
  private var pathBytes = 0
  private let mostPathBytes: Int
  /// True if the paths would be larger than the maximum, so that differences are missing.
  private(set) var isTooLarge = false

  let old, new: ComparableValue
  let key: String?
  /// The differences that are left out.
  let ignored: IgnoredDifferences
  private let isArchive: Bool
  let moves: MovedValues
  let data: ComparedData?
  /// The objects in cycles of both values, by number.
  lazy var cycles = (old: old.numbersInCycles, new: new.numbersInCycles)
  var paths = PathPairs()
  /// The pairs of objects that were compared, so that cycles end.
  private var compared: Set<Pair> = []
  private var parts: [Part] = []
  /// The parts that are still to be compared, by the number of steps of their paths.
  private var waiting: [[Int]] = []
  /// The part that is being compared.
  private var current = 0

  private struct Pair: Hashable {
    let old: Int
    let new: Int
  }

  /// Two values that are compared by themselves: the roots, or objects.
  private struct Part {
    let old, new: Value
    let path: PathPairs.Index
    /// The differences and edits, in order.
    var findings: [Finding] = []
  }

  private enum Finding {
    case difference(ValueDifferences.Difference)
    case edit(Edit)
    /// The findings of another part. If `isEdited` is false, a value that contains the part is replaced as a whole.
    case part(Int, isEdited: Bool)
  }

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: The first version.
  ///   - new: The second version.
  ///   - key: The field that identifies records in lists, or nil to match records by their content.
  ///   - ignored: The differences that are left out. The values do not have the values that are not compared.
  ///   - isArchive: True if the values are from an archive. A path cannot add a key that is not a string to it.
  ///   - moves: The values that are found at other paths.
  ///   - data: The documents in data; nil to compare data by its bytes.
  ///   - mostPathBytes: The size of the paths of all differences in bytes at which the comparison ends.
  init(
    from old: ComparableValue, to new: ComparableValue, key: String?, ignored: IgnoredDifferences,
    isArchive: Bool, moves: MovedValues, data: ComparedData?, mostPathBytes: Int
  ) {
    (self.mostPathBytes, self.ignored) = (mostPathBytes, ignored)
    (self.old, self.new, self.key, self.isArchive, self.moves) = (old, new, key, isArchive, moves)
    self.data = data
    compareLater(old.root, new.root, PathPairs.root)
    compareParts()
    collect()
  }

  // MARK: Parts

  private mutating func compareLater(_ a: Value, _ b: Value, _ path: PathPairs.Index) {
    let steps = paths.count(path)
    while waiting.count <= steps { waiting.append([]) }
    waiting[steps].append(parts.count)
    parts.append(Part(old: a, new: b, path: path))
  }

  /// Compares the parts, those with short paths first.
  private mutating func compareParts() {
    var steps = 0
    while steps < waiting.count {
      var next = 0
      while next < waiting[steps].count {
        current = waiting[steps][next]
        next += 1
        let (a, b, path) = (parts[current].old, parts[current].new, parts[current].path)
        guard case .reference(let number) = a, case .reference(let other) = b else {
          compare(a, b, path)
          continue
        }
        guard let mine = old.objects[number], let others = new.objects[other],
          compared.insert(Pair(old: number, new: other)).inserted
        else { continue }
        compare(.object(mine), .object(others), path, in: b)
      }
      waiting[steps] = []
      steps += 1
    }
  }

  /// Puts the findings of all parts in order.
  private mutating func collect() {
    var open: [(part: Int, next: Int, isEdited: Bool)] = [(0, 0, true)]
    while let (part, next, isEdited) = open.popLast() {
      guard next < parts[part].findings.count else { continue }
      open.append((part, next + 1, isEdited))
      switch parts[part].findings[next] {
      case .difference(let difference): differences.append(difference)
      case .edit(let edit): if isEdited { edits.append(edit) }
      case .part(let other, let isOtherEdited): open.append((other, 0, isEdited && isOtherEdited))
      }
    }
    parts = []
  }

  mutating func add(
    _ change: ValueDifferences.Change, _ oldPath: ValuePath?, _ newPath: ValuePath?
  ) {
    let difference = ValueDifferences.Difference(change: change, oldPath: oldPath, newPath: newPath)
    pathBytes += difference.pathBytes
    guard pathBytes <= mostPathBytes else { return isTooLarge = true }
    parts[current].findings.append(.difference(difference))
  }

  mutating func add(_ edit: Edit) {
    if !isTooLarge { parts[current].findings.append(.edit(edit)) }
  }

  // MARK: Values

  /// Compares two values.
  ///
  /// - Parameter whole: The object, or the reference to the object, whose content the new value is; nil otherwise.
  private mutating func compare(
    _ a: Value, _ b: Value, _ path: PathPairs.Index, in whole: Value? = nil
  ) {
    guard old.content(of: a) != new.content(of: b) else { return }
    compareDifferent(a, b, path, in: whole)
  }

  mutating func compareDifferent(
    _ a: Value, _ b: Value, _ path: PathPairs.Index, in whole: Value? = nil
  ) {
    guard !isTooLarge else { return }
    if case .reference = a, case .reference = b,
      // Collections of different kinds are not objects of different classes.
      old.separated(a).kindNumber == new.separated(b).kindNumber
    {
      parts[current].findings.append(.part(parts.count, isEdited: true))
      return compareLater(a, b, path)
    }
    switch (old.resolved(a), new.resolved(b)) {
    case (.object(let mine), .object(let other)) where mine.type == other.type:
      compare(mine.content, other.content, path, in: whole ?? b)
    case (.dictionary(let mine), .dictionary(let other)): compare(mine, other, path, in: whole ?? b)
    case (.array(let mine), .array(let other)) where ignored.order: compareUnordered(mine, other, path)
    case (.array(let mine), .array(let other)): compare(mine, other, path)
    case (.set(let mine), .set(let other)): compareSets(mine, other, path)
    default: replace(a, by: b, path)
    }
  }

  private mutating func replace(_ a: Value, by b: Value, _ path: PathPairs.Index) {
    if let nested = openedDifferences(a, b, path) {
      facts.hasOpenedData = true
      return add(nested, inData: b, path)
    }
    if let nested = documentDifferences(a, b, path) { return add(nested, inData: b, path) }
    noteReplacedData([a], by: [b], path, areElements: false)
    add(.changed(from: old.whole(a), to: new.whole(b)), paths.old(path), paths.new(path))
    let edited = paths.edited(path)
    // Data that is compared by its documents stays data: a text may be its Base64.
    let keepsData = data != nil && old.resolved(a).isData && new.resolved(b).mayBeOfData
    guard !keepsData, old.shown(old.resolved(a)).givesType(to: new.shown(new.resolved(b))) else {
      return add(.replace(b, at: edited))
    }
    // `replace` keeps the type of the old value if it can: a text would become a date again, for example.
    put(b, at: edited)
  }

  /// Notes data that other values replace.
  ///
  /// - Parameters:
  ///   - removed: The values that only the old version has.
  ///   - added: The values that only the new version has in their place.
  ///   - path: The path of the value, or of the list or set.
  ///   - areElements: True if the values are removed and added elements, which may be unrelated.
  mutating func noteReplacedData(
    _ removed: some Collection<Value>, by added: some Collection<Value>, _ path: PathPairs.Index,
    areElements: Bool
  ) {
    guard let data, let search = data.replacements, facts.replacedData == nil, !added.isEmpty else { return }
    let gone = removed.map(old.whole)
    guard gone.contains(where: \.containsData) else { return }
    let found = added.map(new.whole)
    // Null in place of a collection removes the data in it. Nothing takes the place of the data.
    if !areElements, !gone.contains(where: \.isData), found.allSatisfy({ $0 == .null }) { return }
    let hasLess = gone.dataCount > found.dataCount && (!areElements || search == .allData)
    // The value of a document in data may have as much data.
    let isInPlace = !areElements && gone.allSatisfy(\.isData) && !found.allSatisfy(\.isData)
    let paths = (old: paths.old(path), new: paths.new(path))
    guard hasLess || isInPlace || data.areDocumentsReplaced(in: gone, by: found, at: paths) else { return }
    facts.replacedData = paths.old
  }

  /// Returns the differences between the documents in two data values; nil if they are not compared by their documents.
  private func documentDifferences(_ a: Value, _ b: Value, _ path: PathPairs.Index) -> ValueDifferences? {
    guard let data, case .data(let mine) = old.resolved(a), case .data(let others) = new.resolved(b) else {
      return nil
    }
    let paths = (old: paths.old(path), new: paths.new(path))
    guard let documents = data.documents(in: mine, others, at: paths) else { return nil }
    let inner = (old: ignored.inside(paths.old), new: ignored.inside(paths.new))
    var differences = ValueDifferences(
      from: inner.old.removing(from: documents.old.value.copyingCollections),
      to: inner.new.removing(from: documents.new.value.copyingCollections), ordersKeys: data.ordersKeys,
      key: key, ignored: inner.new, isArchive: documents.old.kind == .keyedArchive, moves: moves,
      data: data.inside(paths), mostPathBytes: mostPathBytes - pathBytes)
    differences.addArchiveEntries(
      from: documents.old.archiveEntries, to: documents.new.archiveEntries, ordersKeys: data.ordersKeys,
      ignoring: inner.new, mostPathBytes: mostPathBytes - pathBytes)
    return differences
  }

  /// Returns the differences between the document in data and a value that is not data; nil if they are not compared by the document, or if
  /// they differ as a whole.
  private func openedDifferences(_ a: Value, _ b: Value, _ path: PathPairs.Index) -> ValueDifferences? {
    guard let data else { return nil }
    let before: Value, after: Value
    switch (old.resolved(a), new.resolved(b)) {
    case (.data, .data): return nil
    case (.data(let bytes), let other):
      guard let value = data.value(inOld: bytes, besides: other) else { return nil }
      (before, after) = (value, new.whole(b, atMost: .max).value)
    case (let other, .data(let bytes)):
      guard let value = data.value(inNew: bytes, besides: other) else { return nil }
      (before, after) = (old.whole(a, atMost: .max).value, value)
    default: return nil
    }
    let inner = (old: ignored.inside(paths.old(path)), new: ignored.inside(paths.new(path)))
    let nested = ValueDifferences(
      from: inner.old.removing(from: before), to: inner.new.removing(from: after),
      ordersKeys: data.ordersKeys, key: key, ignored: inner.new, isArchive: isArchive, moves: moves,
      data: data.inside((paths.old(path), paths.new(path))), mostPathBytes: mostPathBytes - pathBytes)
    return nested.changesRoot ? nil : nested
  }

  /// Adds the differences between documents in data, or between one and another value.
  private mutating func add(_ nested: ValueDifferences, inData b: Value, _ path: PathPairs.Index) {
    let (oldPath, newPath, edited) = (paths.old(path), paths.new(path), paths.edited(path))
    if nested.isTooLarge { isTooLarge = true }
    for found in nested.all {
      let difference = found.inside(oldPath, newPath)
      add(difference.change, difference.oldPath, difference.newPath)
    }
    facts.add(nested.facts, at: oldPath, newPath)
    guard !nested.all.isEmpty else { return }
    // A change at the path of the data would replace the data itself.
    add(nested.changesRoot ? .replace(b, at: edited) : .data(nested, at: edited))
  }

  /// Adds the edits that put a value in place of another one.
  private mutating func put(_ value: Value, at path: ValuePath) {
    if case .index? = path.steps.last { add(.remove(at: path)) }
    add(.add(value, at: path))
  }

  private mutating func compare(
    _ a: KeyedValues, _ b: KeyedValues, _ path: PathPairs.Index, in whole: Value
  ) {
    // Keys may be objects, whose numbers differ from file to file.
    let (mine, others) = (old.entries(of: a), new.entries(of: b))
    let (names, newNames) = (Set(mine.map(\.content)), Set(others.map(\.content)))
    let known = Dictionary(mine.map { ($0.content, $0.value) }, uniquingKeysWith: { $1 })
    let first = parts[current].findings.count
    let (added, removed) = (
      others.filter { !names.contains($0.content) }, mine.filter { !newNames.contains($0.content) }
    )
    let oldEntries = oldEntries(
      of: added, among: removed, besides: mine.filter { newNames.contains($0.content) })
    let renamed = Set(oldEntries.values.map(\.content))
    for entry in removed where !renamed.contains(entry.content) { remove(entry, from: path) }
    var isSame = added.isEmpty && removed.isEmpty
    for entry in others {
      if let value = known[entry.content] {
        guard old.content(of: value) != new.content(of: entry.value) else { continue }
        isSame = false
        let step = ValuePath.Step.key(entry.name)
        compareDifferent(value, entry.value, paths.appending(step, step, to: path))
      } else if let oldEntry = oldEntries[entry.content] {
        rename(oldEntry, to: entry, in: path)
      } else {
        add(entry, to: path)
      }
    }
    if isArchive, added.contains(where: { !$0.isText && oldEntries[$0.content] == nil }) {
      dropEdits(from: first)
      put(whole, at: paths.edited(path))
    }
    // Only the order of the keys differs, and it matters.
    if isSame, !mine.map(\.content).elementsEqual(others.map(\.content)) {
      replace(.dictionary(a), by: .dictionary(b), path)
    }
  }

  private mutating func remove(_ entry: ComparableValue.Entry, from path: PathPairs.Index) {
    let step = ValuePath.Step.key(entry.name)
    add(.removed(old.whole(entry.value)), paths.old(path).appending(step), nil)
    add(.remove(at: paths.edited(path).appending(step)))
  }

  private mutating func add(_ entry: ComparableValue.Entry, to path: PathPairs.Index) {
    let step = ValuePath.Step.key(entry.name)
    add(.added(new.whole(entry.value)), nil, paths.new(path).appending(step))
    add(.add(entry.value, at: paths.edited(path).appending(step)))
  }

  /// Gives an entry of a dictionary a new key, and compares its values.
  private mutating func rename(
    _ oldEntry: ComparableValue.Entry, to entry: ComparableValue.Entry, in path: PathPairs.Index
  ) {
    let (oldStep, step) = (ValuePath.Step.key(oldEntry.name), ValuePath.Step.key(entry.name))
    let edited = paths.edited(path)
    add(.moved, paths.old(path).appending(oldStep), paths.new(path).appending(step))
    add(.rename(from: edited.appending(oldStep), to: edited.appending(step)))
    guard old.content(of: oldEntry.value) != new.content(of: entry.value) else { return }
    compareDifferent(oldEntry.value, entry.value, paths.appending(oldStep, step, to: path))
  }

  /// Returns the old entry of each value whose key has changed, by the content of its new key. A value has another key if it is long
  /// enough not to be the same by chance, and if exactly one removed and one added entry have it. Other values are paired if they
  /// are similar.
  ///
  /// - Parameter kept: The entries whose keys have not changed.
  private mutating func oldEntries(
    of added: [ComparableValue.Entry], among removed: [ComparableValue.Entry],
    besides kept: [ComparableValue.Entry]
  ) -> [Int: ComparableValue.Entry] {
    guard moves != .elements, !added.isEmpty, !removed.isEmpty else { return [:] }
    var found = oldEntriesWithEqualValues(of: added, among: removed)
    guard moves == .all else { return found }
    // Paths cannot tell other keys apart.
    let paired = Set(found.values.map(\.content))
    let gone = removed.filter { $0.isText && !paired.contains($0.content) }
    let others = added.filter { $0.isText && found[$0.content] == nil }
    guard !gone.isEmpty, !others.isEmpty else { return found }
    let (before, after) = features
    var similar = SimilarElements(
      gone.map { before($0.value) }, others.map { after($0.value) },
      besides: kept.lazy.map { before($0.value) })
    let count = kept.count + max(removed.count, added.count)
    for pair in similar.pairs(in: count) where gone[pair.old].name != others[pair.new].name {
      found[others[pair.new].content] = gone[pair.old]
      facts.hasSimilarPairs = true
    }
    return found
  }

  private func oldEntriesWithEqualValues(
    of added: [ComparableValue.Entry], among removed: [ComparableValue.Entry]
  ) -> [Int: ComparableValue.Entry] {
    let (before, after) = (old.entriesByContent(removed), new.entriesByContent(added))
    var found: [Int: ComparableValue.Entry] = [:]
    for (content, entries) in after {
      guard entries.count == 1, let others = before[content], others.count == 1,
        // Paths cannot tell other keys apart.
        entries[0].isText, others[0].isText, entries[0].name != others[0].name
      else { continue }
      found[entries[0].content] = others[0]
    }
    return found
  }

  /// Functions that return the features of values of the old and the new version.
  var features: (old: (Value) -> ElementFeatures, new: (Value) -> ElementFeatures) {
    mutating get {
      let (old, new, cycles) = (self.old, self.new, self.cycles)
      return (
        { old.features(of: $0, withoutObjects: cycles.old) },
        { new.features(of: $0, withoutObjects: cycles.new) }
      )
    }
  }

  /// Drops the edits of the current part from a finding on, because a whole value replaces what they change.
  private mutating func dropEdits(from first: Int) {
    let kept = parts[current].findings[first...].compactMap { finding -> Finding? in
      switch finding {
      case .difference: finding
      case .edit: nil
      case .part(let part, _): .part(part, isEdited: false)
      }
    }
    parts[current].findings.replaceSubrange(first..., with: kept)
  }
}

extension [Value] {
  /// The number of data values in the elements.
  fileprivate var dataCount: Int { reduce(0) { $0 + $1.dataCount } }
}

extension Value {
  fileprivate var isData: Bool { if case .data = self { true } else { false } }

  /// False for a text that is not Base64, which a patch refuses in the place of data.
  fileprivate var mayBeOfData: Bool {
    guard case .string(let text) = self else { return true }
    return (try? TextType.data.value(of: text)) != nil
  }

  /// True if JSON of the other value would get this value's type when it replaces this value.
  fileprivate func givesType(to other: Value) -> Bool {
    switch (self, other) {
    case (.object(let mine), .object(let other)): mine.type == other.type
    case (.real, .integer), (.single, .real), (.single, .integer): true
    case (.date, .string), (.data, .string), (.uid, .integer), (.uid, .string): true
    case (.object, _), (.set, .array): true
    default: false
    }
  }
}
