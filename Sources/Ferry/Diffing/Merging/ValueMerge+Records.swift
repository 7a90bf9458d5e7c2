extension ValueMerge {
  /// The records of a list in three versions. Each record has a number; versions of one record have the same
  /// number.
  private struct Matching {
    /// The field that identifies records, or nil if their content identifies them.
    var field: String?
    /// The type of that field, or nil if it has none.
    var type: FieldType?
    var numbers = Versions<[Int]>(base: [], ours: [], theirs: [])
    /// The records that a side has changed so much that they may be different records, by number.
    var replaced: [MergeSide: Set<Int>] = [:]
    /// The records that a side has added in place of others.
    var replacements = RecordReplacements()
  }

  /// Merges lists of records. Returns nil if the elements are not records or, with `onlyByKey`, if they have
  /// no key; also if the changes of one side to records that the other has replaced together leave the result unknown.
  func mergeRecords(
    _ lists: Versions<[Value]>, at position: Position, onlyByKey: Bool
  ) throws(MergeError) -> [Value]? {
    for side in MergeSide.allCases {
      guard lists[side].allSatisfy({ resolved($0, side).isRecord }) else { return nil }
    }
    let items = position.elementType
    var matching: Matching
    if let field = try keyField(lists, items, position.isInRecord) {
      matching = try matchByKey(field, options.type(of: .string(field), in: items), lists, at: position.trail)
    } else {
      guard !onlyByKey else { return nil }
      guard let found = matchByContent(lists) else { return nil }
      guard !hasCopies(lists, found) else {
        let records = conflict(lists.map { .array($0) }, at: position.trail)
        return records?.listElements ?? lists.ours
      }
      matching = found
      matchMoved(lists, &matching)
    }
    return try merge(lists, matching, at: position)
  }

  private func merge(
    _ lists: Versions<[Value]>, _ matching: Matching, at position: Position
  ) throws(MergeError) -> [Value] {
    let (trail, items) = (position.trail, position.elementType)
    let indices = matching.numbers.map { numbers in
      var indices: [Int: Int] = [:]
      indices.reserveCapacity(numbers.count)
      for (index, number) in numbers.enumerated() { indices[number] = index }
      return indices
    }
    func record(_ number: Int, _ side: MergeSide) -> Value? { indices[side][number].map { lists[side][$0] } }
    let order = matching.replacements.order(of: matching.numbers)
    var merged: [Value] = []
    merged.reserveCapacity(order.count)
    for number in order {
      var values = Values(
        base: record(number, .base), ours: record(number, .ours), theirs: record(number, .theirs))
      let index = indices.ours[number] ?? indices.base[number] ?? indices.theirs[number] ?? 0
      var step = MergeTrail.Step.path(.index(index))
      if let field = matching.field {
        for side in MergeSide.allCases {
          if let value = values[side].flatMap({ resolved($0, side)[field] }) {
            step = .record(field: field, value)
          }
        }
        if matching.type != nil { values = withOneNotation(values, of: field) }
      }
      let recordTrail = MergeTrail(trail, step)
      if trail == nil { values = withoutRemovedColumns(values, at: recordTrail) }
      let isOther = matching.replaced.values.contains { $0.contains(number) }
      let value =
        isOther && !Self.areSame(values.base, values.ours) && !Self.areSame(values.base, values.theirs)
          && !Self.areSame(values.ours, values.theirs)
        ? conflict(values, at: recordTrail)
        : try merge(
          values, at: Position(trail: recordTrail, type: items, dictionary: position.dictionary))
      if let value { merged.append(value) }
    }
    return merged
  }

  /// Returns versions of a record in which both sides have the same notation of the key if both have changed it.
  /// The keys are equal, so the changes are not a conflict.
  private func withOneNotation(_ values: Values, of field: String) -> Values {
    guard let ours = values.ours?[field], let theirs = values.theirs?[field], ours != theirs,
      values.base?[field] != ours, values.base?[field] != theirs
    else { return values }
    var values = values
    if options.favored == .theirs {
      values.ours = values.ours?.withEntry(field, theirs)
    } else {
      values.theirs = values.theirs?.withEntry(field, ours)
    }
    return values
  }

  /// Returns versions of a row of a table without new cells in columns that the other side has removed or renamed, because a column is in all
  /// rows or in none. A cell that is not empty is a conflict.
  private func withoutRemovedColumns(_ values: Values, at trail: MergeTrail) -> Values {
    var values = values
    for (side, other) in MergeSide.eachWithOther {
      for column in options.removedColumns[other] ?? [] {
        guard values.base?[column] == nil, case .dictionary(var cells)? = values[side],
          let cell = cells[column]
        else { continue }
        if cell != .string(""), cell != .null {
          var cells = Values(base: nil, ours: nil, theirs: nil)
          cells[side] = cell
          let cellTrail = MergeTrail(trail, .key(.string(column)))
          guard conflict(cells, at: cellTrail, inRemoved: column) == nil else { continue }
        }
        cells[column] = nil
        values[side] = .dictionary(cells)
      }
    }
    return values
  }

  // MARK: By key

  /// Returns the field that identifies the records of a list: the requested field, the schema's key, or a
  /// field with a usual name and distinct values.
  private func keyField(
    _ lists: Versions<[Value]>, _ items: FieldType?, _ isInRecord: Bool
  ) throws(MergeError) -> String? {
    if !isInRecord, let key = options.key {
      let records = MergeSide.allCases.flatMap { side in lists[side].map { resolved($0, side) } }
      return records.keyField(named: options.keyName(key))
    }
    if case .record(let record)? = items, let key = record.key { return options.keyName(key, of: record) }
    if let key = options.key.map({ options.keyName($0) }),
      let field = [key, "@\(key)"].first(where: { hasKeys(lists, $0, items) })
    {
      return field
    }
    return Self.usualKeys.first { hasKeys(lists, $0, items) }
  }

  /// Throws if records at the top of the versions have no field with the given key, which may be misspelt. The lists that a merge does not
  /// divide, because a side has not changed them, are checked here only.
  func checkKey(of roots: Values) throws(MergeError) {
    guard let key = options.key.map({ options.keyName($0) }) else { return }
    var missing: MergeError?
    func hasKey(_ value: Value) -> Bool { value[key] != nil || value["@\(key)"] != nil }
    for side in MergeSide.allCases {
      guard let root = roots[side] else { continue }
      var waiting: [(value: Value, path: ValuePath)] = [(root, ValuePath())]
      var seen: Set<Int> = []
      while let (value, path) = waiting.popLast() {
        if case .reference(let number) = value, !seen.insert(number).inserted { continue }
        let value = resolved(value, side)
        if hasKey(value) { return }
        let content = if case .object(let object) = value { object.content } else { value }
        switch content {
        case .array(let elements):
          let records = elements.map { resolved($0, side) }
          guard missing == nil || records.contains(where: hasKey), records.allSatisfy(\.isRecord) else {
            continue
          }
          if records.contains(where: hasKey) { return }
          do throws(FerryError) { _ = try RecordIndex(records, key: key) } catch {
            missing = MergeError(
              side: side, error: FerryError(error.reason, path: path.appending(error.path.steps[...])))
          }
        case .dictionary(let entries):
          waiting += entries.map { ($0.value, path.appending(.key($0.key.stringValue ?? ""))) }.reversed()
        default: break
        }
      }
    }
    if let missing { throw missing }
  }

  /// The usual names of fields that identify records.
  static let usualKeys = ["id", "uuid", "identifier", "guid", "key", "itemKey", "ID", "UUID", "_id"]

  private func hasKeys(_ lists: Versions<[Value]>, _ field: String, _ items: FieldType?) -> Bool {
    let type = options.type(of: .string(field), in: items)
    return MergeSide.allCases.allSatisfy { side in
      var values: Set<RecordKey> = []
      return lists[side].allSatisfy { record in
        guard let value = resolved(record, side)[field], !value.isCollection else { return false }
        return values.insert(RecordKey(value, type)).inserted
      }
    }
  }

  private func matchByKey(
    _ field: String, _ type: FieldType?, _ lists: Versions<[Value]>, at trail: MergeTrail?
  ) throws(MergeError) -> Matching {
    var matching = Matching(field: field, type: type)
    var symbols = Symbols<RecordKey>()
    for side in MergeSide.allCases {
      let index: RecordIndex
      do throws(FerryError) {
        index = try RecordIndex(lists[side].map { resolved($0, side) }, key: field, type: type)
      } catch {
        var error = error
        if let path = trail?.path { error.path.steps.insert(contentsOf: path.steps, at: 0) }
        throw MergeError(side: side, error: error)
      }
      matching.numbers[side] = symbols.of(index.keys.map { RecordKey(resolved($0, side), type) })
    }
    return matching
  }

  // MARK: By content

  /// A record that a side has added.
  private struct Addition: Hashable {
    /// The number of its content.
    let symbol: Int
    /// The number of the last other record before it that all versions have, or -1.
    let last: Int
  }

  /// Returns nil if a side has torn apart, changed or replaced records that the other has replaced together.
  private func matchByContent(_ lists: Versions<[Value]>) -> Matching? {
    var matching = Matching()
    var symbols = Symbols<Value>()
    let old = symbols.of(lists.base)
    matching.numbers.base = Array(old.indices)
    var alignments: [MergeSide: RecordAlignment] = [:]
    let versions = [MergeSide.ours, .theirs].map { side in
      let new = symbols.of(lists[side])
      var numbers = [Int](repeating: -1, count: new.count)
      let alignment = RecordAlignment(
        old, new, base: { self.resolved(lists.base[$0], .base) },
        side: { self.resolved(lists[side][$0], side) })
      alignments[side] = alignment
      for (index, match) in alignment.matches.enumerated() where match >= 0 { numbers[match] = index }
      matching.replaced[side] = alignment.unlike
      return (side: side, symbols: new, numbers: numbers)
    }
    let common = Set(versions[0].numbers).intersection(versions[1].numbers).subtracting([-1])
    var count = old.count
    // An equal record that both sides added at one position becomes one record.
    var added: [Addition: ArraySlice<Int>] = [:]
    for (side, symbols, oldNumbers) in versions {
      var numbers = oldNumbers
      // The last record that all versions have, and the last one of them before equal ones.
      var (last, lastOfOthers) = (-1, -1)
      for (index, number) in oldNumbers.enumerated() {
        if common.contains(number) {
          if last < 0 || old[last] != old[number] { lastOfOthers = last }
          last = number
        }
        guard number < 0 else { continue }
        let isEqual = last >= 0 && old[last] == symbols[index]
        let addition = Addition(symbol: symbols[index], last: isEqual ? lastOfOthers : last)
        if side == .theirs, let number = added[addition]?.popFirst() {
          numbers[index] = number
        } else {
          numbers[index] = count
          if side == .ours { added[addition, default: []].append(count) }
          count += 1
        }
      }
      matching.numbers[side] = numbers
    }
    guard let replacements = RecordReplacements(alignments, &matching.numbers, &matching.replaced) else {
      return nil
    }
    matching.replacements = replacements
    return matching
  }

  /// Returns true if the result would have two versions of a record of the base that both sides have moved and changed.
  private func hasCopies(_ lists: Versions<[Value]>, _ matching: Matching) -> Bool {
    let (mine, others) = (matching.numbers.ours, matching.numbers.theirs)
    let known = Set(mine).union(others)
    let gone = lists.base.indices.filter { !known.contains($0) }
    func hasAdded(_ numbers: [Int]) -> Bool { numbers.contains { $0 >= lists.base.count } }
    guard !gone.isEmpty, hasAdded(mine), hasAdded(others) else { return false }
    let theirVersions = versions(of: gone, in: lists, .theirs, others)
    return versions(of: gone, in: lists, .ours, mine).contains { record, index in
      theirVersions[record].map { others[$0] != mine[index] } ?? false
    }
  }

  /// Matches the records that one side has moved and changed, and the other has changed or removed, with those of the base. They are in conflict.
  private func matchMoved(_ lists: Versions<[Value]>, _ matching: inout Matching) {
    let base = lists.base
    for (side, other) in MergeSide.eachWithOther {
      let (numbers, otherNumbers) = (matching.numbers[side], matching.numbers[other])
      guard numbers.contains(where: { $0 >= base.count }) else { continue }
      let known = Set(numbers)
      let gone = base.indices.filter { !known.contains($0) }
      guard !gone.isEmpty else { continue }
      let indices = Dictionary(zip(otherNumbers, otherNumbers.indices)) { first, _ in first }
      func isTouched(_ record: Int) -> Bool {
        indices[record].map { !Self.areSame(base[record], lists[other][$0]) } ?? true
      }
      guard gone.contains(where: isTouched) else { continue }
      let kept = KeptRecords(numbers, base.count)
      for (record, index) in versions(of: gone, in: lists, side, numbers)
      where isTouched(record) && indices[numbers[index]] == nil && kept.hasMoved(record, to: index) {
        matching.numbers[side][index] = record
        matching.replaced[side, default: []].insert(record)
      }
    }
  }

  /// The records of the base that a side has kept, in the order of the side.
  private struct KeptRecords {
    /// For each index, the greatest number before it.
    private var greatest: [Int]
    /// For each index, the least number after it.
    private var least: [Int]

    /// - Parameters:
    ///   - numbers: The numbers of the records of the side.
    ///   - count: The number of records of the base.
    init(_ numbers: [Int], _ count: Int) {
      greatest = [Int](repeating: -1, count: numbers.count)
      least = [Int](repeating: count, count: numbers.count)
      for index in numbers.indices.dropFirst() {
        let number = numbers[index - 1]
        greatest[index] = max(greatest[index - 1], number < count ? number : -1)
      }
      for index in numbers.indices.dropLast().reversed() {
        least[index] = min(least[index + 1], numbers[index + 1])
      }
    }

    /// Returns true if a record that comes before the given one in the base is after its version, or the reverse.
    func hasMoved(_ record: Int, to index: Int) -> Bool { greatest[index] > record || least[index] < record }
  }

  /// Returns the indices of the records that a side has added as versions of some of the base, by those of the base.
  private func versions(
    of gone: [Int], in lists: Versions<[Value]>, _ side: MergeSide, _ numbers: [Int]
  ) -> [Int: Int] {
    let (base, records) = (lists.base, lists[side])
    func features(_ record: Value, _ side: MergeSide) -> ElementFeatures {
      ElementFeatures(of: resolved(record, side), hash: \.hashValue)
    }
    let others = Set(base.indices).subtracting(gone)
    let kept = base.indices.lazy.filter(others.contains).map { features(base[$0], .base) }
    let indices = numbers.indices.filter { numbers[$0] >= base.count }
    var similar = SimilarElements(
      gone.map { features(base[$0], .base) }, indices.map { features(records[$0], side) }, besides: kept)
    let pairs = similar.pairs(in: max(base.count, records.count))
    return Dictionary(uniqueKeysWithValues: pairs.map { (gone[$0.old], indices[$0.new]) })
  }
}
