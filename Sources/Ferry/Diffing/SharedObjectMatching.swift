/// A search for the objects of one version of a value that are objects of another version, the base.
///
///     base    [Person #1 {name: "Ada", group: → #2}, Person #3 {name: "Alan", group: → #2}]
///     version [Person #5 {name: "Eve", group: → #6}, Person #7 {name: "Ada", group: → #8}, …]    →    [7: 1, …]
///
/// Two objects are the same if they have the same content, and no other object of their versions has it. The others are
/// compared at the same paths from the root, and records in lists by their keys, so that a changed object, and one of
/// several equal objects, is found by the object that refers to it. The equal objects that remain are matched in order.
///
/// The content includes all objects to which the object refers, directly or indirectly. At the same path, the content
/// of the nearest ones is enough.
struct SharedObjectMatching {
  /// For each object that both versions have, its number in the base by its number in the version.
  private(set) var numbers: [Int: Int] = [:]
  /// The numbers of objects that were probably changed and moved: each differs in one field from only one of the
  /// objects that the version lacks.
  private(set) var similar: [Int: Int] = [:]

  /// The matched objects, by their numbers in the base, that have hardly a field in common. They may be different objects
  /// at the same path.
  private(set) var doubtful: Set<Int> = []

  private let base, version: SharedObjects
  /// The contents of the objects and of those near them, by number.
  private let baseContents, versionContents: [Int: Int]
  /// The whole contents, by number.
  let wholeBaseContents, wholeContents: [Int: Int]
  /// For each object of the base that has a match or a similar object, its number in the version.
  private var versionNumbers: [Int: Int] = [:]
  /// The objects of the base that have a match.
  private var isMatched: Set<Int> = []
  /// For each content, the numbers of objects of the base and of the version that have no match yet.
  private var open: [Int: (base: Int, version: Int)] = [:]
  /// The objects of the base whose contents have been compared in the current pass.
  private var visited: Set<Int> = []
  /// The matched objects whose contents are still to be compared.
  private var waiting: [(Int, Int)] = []

  /// The names of the fields that identify records. Records with different values there are different.
  private let keys: [String]

  init(_ version: SharedObjects, to base: SharedObjects, keys: [String] = []) {
    (self.base, self.version) = (base, version)
    self.keys = keys
    (baseContents, wholeBaseContents) = (SharedContents.near(in: base), SharedContents.whole(in: base))
    (versionContents, wholeContents) = (SharedContents.near(in: version), SharedContents.whole(in: version))
    guard !base.objects.isEmpty, !version.objects.isEmpty else { return }
    for content in baseContents.values { open[content, default: (0, 0)].base += 1 }
    for content in versionContents.values { open[content, default: (0, 0)].version += 1 }
    matchUnique()
    matchByPath()
    matchInOrder()
    findSimilar()
  }

  /// Returns true if the version has an object of the base, or one that is similar to it, with another content.
  func hasChanged(_ number: Int) -> Bool {
    guard let other = versionNumbers[number] else { return false }
    return wholeBaseContents[number] != wholeContents[other]
  }

  private mutating func match(_ number: Int, with other: Int) {
    numbers[other] = number
    versionNumbers[number] = other
    isMatched.insert(number)
    if let content = baseContents[number] { open[content]?.base -= 1 }
    if let content = versionContents[other] { open[content]?.version -= 1 }
  }

  // MARK: By content

  private mutating func matchUnique() {
    let unique = Self.unique(wholeBaseContents)
    for (content, other) in Self.unique(wholeContents) {
      if let other, let number = unique[content] ?? nil { match(number, with: other) }
    }
  }

  /// Returns the only object with each content; nil for a content of several objects.
  private static func unique(_ contents: [Int: Int]) -> [Int: Int?] {
    var objects: [Int: Int?] = [:]
    for (number, content) in contents {
      objects[content] = objects[content] == nil ? .some(number) : .some(nil)
    }
    return objects
  }

  private mutating func matchInOrder() {
    var waiting: [Int: [Int]] = [:]
    for number in wholeBaseContents.keys.sorted(by: >) where !isMatched.contains(number) {
      if let content = wholeBaseContents[number] { waiting[content, default: []].append(number) }
    }
    for other in wholeContents.keys.sorted() where numbers[other] == nil {
      if let content = wholeContents[other], let number = waiting[content]?.popLast() {
        match(number, with: other)
      }
    }
  }

  private mutating func findSimilar() {
    let mine = base.objects.keys.filter { !isMatched.contains($0) }.sorted()
    let others = version.objects.keys.filter { numbers[$0] == nil }.sorted()
    guard mine.count * others.count <= Self.comparisons else { return }
    var pairs: [(number: Int, other: Int)] = []
    var (counts, otherCounts): ([Int: Int], [Int: Int]) = ([:], [:])
    for number in mine {
      for other in others
      where base.objects[number]?.type == version.objects[other]?.type && differInOneField(number, other) {
        pairs.append((number, other))
        counts[number, default: 0] += 1
        otherCounts[other, default: 0] += 1
      }
    }
    for (number, other) in pairs where counts[number] == 1 && otherCounts[other] == 1 {
      similar[other] = number
      versionNumbers[number] = other
    }
  }

  // MARK: By path

  /// The maximum number of passes over both versions. An object that one pass has matched can show the next pass how the
  /// elements of a list correspond.
  private static let passes = 4

  private mutating func matchByPath() {
    for _ in 0..<Self.passes {
      let count = numbers.count
      visited = []
      // The fields of matched objects are compared before the root with its lists, in which a path does not tell equal
      // objects apart. They are sorted, because the order of a dictionary differs from run to run.
      waiting += numbers.map { ($0.value, $0.key) }.sorted { $0.0 > $1.0 }
      compareWaiting()
      compare(base.root, version.root)
      compareWaiting()
      guard numbers.count > count else { return }
    }
  }

  private mutating func compareWaiting() {
    while let (number, other) = waiting.popLast() {
      guard visited.insert(number).inserted, let mine = base.objects[number],
        let others = version.objects[other]
      else { continue }
      compare(mine.content, others.content)
    }
  }

  private mutating func compare(_ mine: Value, _ other: Value) {
    switch (mine, other) {
    case (.reference(let number), .reference(let other)):
      if mayMatch(number, other) {
        if hasOtherFields(number, other) { doubtful.insert(number) }
        match(number, with: other)
      }
      if numbers[other] == number { waiting.append((number, other)) }
    case (.object(let mine), .object(let other)):
      if mine.type == other.type { compare(mine.content, other.content) }
    case (.dictionary(let mine), .dictionary(let others)):
      for (key, value) in mine where !key.hasReferences {
        if let other = others[key] { compare(value, other) }
      }
    case (.array(let mine), .array(let others)): compare(mine, others)
    case (.set(let mine), .set(let others)): compareSets(mine, others)
    default: return
    }
  }

  /// Compares the members without a match: members with the same key, and similar members.
  private mutating func compareSets(_ mine: [Value], _ others: [Value]) {
    func left(_ mine: [Value], _ others: [Value]) -> (mine: [Value], others: [Value]) {
      let (isMatched, numbers) = (isMatched, numbers)
      return (
        mine.filter { if case .reference(let number) = $0 { !isMatched.contains(number) } else { false } },
        others.filter { if case .reference(let number) = $0 { numbers[number] == nil } else { false } }
      )
    }
    var (mine, others) = left(mine, others)
    _ = compareByKey(mine, others, besides: mine.map { _ in -1 })
    (mine, others) = left(mine, others)
    compareSimilar(mine[...], others[...])
  }

  /// Returns true if two objects at the same path may be the same object: they have the same content, or a
  /// content that no other object of the other version has.
  private func mayMatch(_ number: Int, _ other: Int) -> Bool {
    guard numbers[other] == nil, !isMatched.contains(number), let mine = baseContents[number],
      let others = versionContents[other], base.objects[number]?.type == version.objects[other]?.type
    else { return false }
    if mine == others { return true }
    return open[mine]?.version == 0 && open[others]?.base == 0
      && areAlike(.reference(number), .reference(other))
  }

  /// Returns true if two objects have several fields and less than a quarter of them in common. Fields that are null in
  /// both do not count.
  private func hasOtherFields(_ number: Int, _ other: Int) -> Bool {
    guard let mine = Value.reference(number).fields(base),
      let others = Value.reference(other).fields(version),
      let fields = commonFields(of: .reference(number), .reference(other))
    else { return false }
    let nulls = mine.count { $0.value == .null && others[$0.key] == .null }
    return fields.all - nulls > 2 && 4 * (fields.same - nulls) < fields.all - nulls
  }

  /// Returns true if an object may be a changed version of the object at the same path: if one of its fields is the same,
  /// or if it has few fields.
  private func areAlike(_ mine: Value, _ other: Value) -> Bool {
    guard !areOtherRecords(mine, other) else { return false }
    guard let fields = commonFields(of: mine, other) else { return true }
    return fields.all <= 2 || fields.same > 0
  }

  /// Returns true if two records have different values in a field that identifies them.
  private func areOtherRecords(_ mine: Value, _ other: Value) -> Bool {
    guard let mine = mine.fields(base), let others = other.fields(version) else { return false }
    return keys.contains { key in
      guard let value = mine[.string(key)], let other = others[.string(key)], !value.hasReferences,
        !other.hasReferences
      else { return false }
      return value != other
    }
  }

  private mutating func compare(_ mine: [Value], _ others: [Value]) {
    guard mine.contains(where: \.hasReferences), others.contains(where: \.hasReferences) else { return }
    let symbols = mine.map { [isMatched, baseContents] value in
      SharedContents.hash(of: value) {
        isMatched.contains($0) ? .matched($0) : .content(baseContents[$0])
      }
    }
    let otherSymbols = others.map { [numbers, versionContents] value in
      SharedContents.hash(of: value) { number in
        numbers[number].map { .matched($0) } ?? .content(versionContents[number])
      }
    }
    let matches = SequenceAlignment(symbols, otherSymbols).matches
    let keyed = compareByKey(mine, others, besides: matches)
    var (first, otherFirst) = (0, 0)
    for (index, match) in matches.enumerated() where match >= 0 {
      compareChanged(mine[first..<index], others[otherFirst..<match], besides: keyed)
      compare(mine[index], others[match])
      (first, otherFirst) = (index + 1, match + 1)
    }
    compareChanged(mine[first...], others[otherFirst...], besides: keyed)
  }

  /// Compares the changed records with the same key, wherever they are in the list. Returns the index of each in the
  /// other list.
  private mutating func compareByKey(
    _ mine: [Value], _ others: [Value], besides matches: [Int]
  ) -> [Int: Int] {
    let known = Set(matches)
    var keyed: [RecordName: Int] = [:]
    for (index, other) in others.enumerated() where !known.contains(index) {
      if let name = name(of: other.fields(version)) { keyed[name] = index }
    }
    var compared: [Int: Int] = [:]
    guard !keyed.isEmpty else { return compared }
    for (index, match) in matches.enumerated() where match < 0 {
      guard let name = name(of: mine[index].fields(base)), let other = keyed[name] else { continue }
      compared[index] = other
      compare(mine[index], others[other])
    }
    return compared
  }

  /// The first field of a record that identifies it.
  private struct RecordName: Hashable {
    let key: Value
    let value: Value
  }

  private func name(of fields: KeyedValues?) -> RecordName? {
    guard let fields else { return nil }
    for key in keys {
      if let value = fields[.string(key)], !value.hasReferences {
        return RecordName(key: .string(key), value: value)
      }
    }
    return nil
  }

  /// Compares the changed elements between two equal elements of lists: one by one if there are as many, and
  /// otherwise with the first similar element.
  private mutating func compareChanged(
    _ mine: ArraySlice<Value>, _ others: ArraySlice<Value>, besides keyed: [Int: Int]
  ) {
    guard mine.count == others.count else { return compareSimilar(mine, others, besides: keyed) }
    for (index, other) in zip(mine.indices, others.indices)
    where keyed[index] == nil && mayReplace(mine[index], others[other]) {
      compare(mine[index], others[other])
    }
  }

  /// Returns true if an element of a list may be another one that was changed: a similar record, or a value that is not
  /// a record of several fields.
  private func mayReplace(_ mine: Value, _ other: Value) -> Bool {
    guard let fields = commonFields(of: mine, other), fields.all > 1 else {
      return !areOtherRecords(mine, other)
    }
    return areSimilar(mine, other)
  }

  /// Compares each element with the first similar one, except for the elements in `keyed`.
  private mutating func compareSimilar(
    _ mine: ArraySlice<Value>, _ others: ArraySlice<Value>, besides keyed: [Int: Int] = [:]
  ) {
    guard mine.count * others.count <= Self.comparisons else { return }
    var others = others
    for index in mine.indices where keyed[index] == nil {
      guard let match = others.firstIndex(where: { areSimilar(mine[index], $0) }) else { continue }
      compare(mine[index], others[match])
      others = others[(match + 1)...]
    }
  }

  /// The maximum number of pairs of changed elements that are compared.
  private static let comparisons = 4096

  /// Returns true if half of the fields of two records are the same.
  private func areSimilar(_ mine: Value, _ other: Value) -> Bool {
    guard !areOtherRecords(mine, other), let fields = commonFields(of: mine, other) else { return false }
    return fields.same > 0 && 2 * fields.same >= fields.all
  }

  /// Returns true if two objects are the same in all fields but one, and in two fields at least.
  private func differInOneField(_ number: Int, _ other: Int) -> Bool {
    let (mine, other) = (Value.reference(number), Value.reference(other))
    guard !areOtherRecords(mine, other), let fields = commonFields(of: mine, other) else { return false }
    return fields.same >= 2 && fields.same == fields.all - 1
  }

  /// Returns the number of equal fields of two records, and the number of fields that can be compared: all but those with
  /// objects that have no match yet.
  private func commonFields(of mine: Value, _ other: Value) -> (same: Int, all: Int)? {
    guard let fields = mine.fields(base), let others = other.fields(version) else { return nil }
    var (same, all) = (0, others.keys.count { fields[$0] == nil })
    for (key, value) in fields where !key.hasReferences {
      guard let other = others[key] else {
        all += 1
        continue
      }
      switch (value, other) {
      case (.reference(let number), .reference(let other))
      where isMatched.contains(number) || numbers[other] != nil:
        if numbers[other] == number { same += 1 }
      case _ where value.hasReferences && other.hasReferences:
        guard value.references.allSatisfy(isMatched.contains),
          other.references.allSatisfy({ numbers[$0] != nil })
        else { continue }
        let known = SharedContents.hash(of: other) { .matched(numbers[$0] ?? $0) }
        let mine = SharedContents.hash(of: value) { .matched($0) }
        if mine == known { same += 1 }
      default: if value == other { same += 1 }
      }
      all += 1
    }
    return (same, all)
  }
}

extension Value {
  /// The fields of a record, or of the record that a reference refers to; nil for other values.
  fileprivate func fields(_ shared: SharedObjects) -> KeyedValues? {
    switch self {
    case .dictionary(let fields): fields
    case .object(let object): object.content.fields(shared)
    case .reference(let number):
      if case .dictionary(let fields)? = shared.objects[number]?.content { fields } else { nil }
    default: nil
    }
  }
}
