/// The old elements on which the new elements of a list are based, when JSON replaces the list.
///
///     ["Ada", {"n": 1, "x": 2}, "Cy"]     →     [{"n": 1, "x": 3}, "Cy"]
///     The record is based on the old record, although its content and its index differ.
struct ElementPartners {
  /// For each new element, the index of the old one, or nil if it is based on none.
  private(set) var indices: [Int?]

  /// The indices of the old elements that are not used yet.
  private var free: Set<Int>

  /// The maximum number of pairs of elements that are compared.
  private static let comparisons = 1 << 16

  /// Finds the old elements.
  ///
  /// - Parameters:
  ///   - new: The new elements as JSON.
  ///   - shown: The old elements as JSON.
  ///   - old: The old elements.
  init(of new: [Value], in shown: [Value], _ old: [Value]) {
    indices = Array(repeating: nil, count: new.count)
    free = Set(shown.indices.prefix(old.count))
    findUnmoved(new, shown)
    findEqual(new, shown)
    let isChangedInPlace = new.count == shown.count
    if isChangedInPlace { findAtSameIndex(new, shown) { $0.isAlike($1) } }
    findAlike(new, shown)
    if isChangedInPlace { findAtSameIndex(new, shown) { _, _ in true } }
    findOfSameType(new, old)
    findWithRecordGroup(new, shown)
    for kind in [Kind.list, .dictionary, .scalar] { findInOrder(of: kind, new, shown, old) }
  }

  private mutating func use(_ index: Int, for element: Int) {
    indices[element] = index
    free.remove(index)
  }

  private func without() -> [Int] { indices.indices.filter { indices[$0] == nil } }

  /// Finds elements that did not change at the beginning and the end of the list or, if it has the same length, at the
  /// same index.
  private mutating func findUnmoved(_ new: [Value], _ shown: [Value]) {
    let length = min(new.count, free.count)
    let isSameLength = new.count == shown.count
    var first = 0
    for index in 0..<length {
      guard shown[index] == new[index] else {
        if isSameLength { continue }
        break
      }
      use(index, for: index)
      first = index + 1
    }
    guard !isSameLength, shown.count == free.count + first else { return }
    for distance in 1...max(length - first, 1) where distance <= length - first {
      guard shown[shown.count - distance] == new[new.count - distance] else { return }
      use(shown.count - distance, for: new.count - distance)
    }
  }

  /// Finds elements that did not change, wherever they are.
  private mutating func findEqual(_ new: [Value], _ shown: [Value]) {
    // For each element, the indices of the old ones that are equal to it, in order.
    var equal: [Value: [Int]] = [:]
    // For each index, the next index of an equal element that may be free. Used indices are skipped by shortening these links.
    var following = [Int](repeating: shown.count, count: shown.count)
    for index in free.sorted() { equal[shown[index], default: []].append(index) }
    for indices in equal.values {
      for (index, next) in zip(indices, indices.dropFirst()) { following[index] = next }
    }
    /// Returns the first free index of an equal element from an index on.
    func firstFree(from index: Int) -> Int? {
      var end = index
      while end < shown.count, !free.contains(end) { end = following[end] }
      // Later searches skip the used indices.
      var used = index
      while used != end {
        let next = following[used]
        following[used] = end
        used = next
      }
      return end < shown.count ? end : nil
    }
    var last = -1
    for (element, json) in new.enumerated() where indices[element] == nil {
      guard let known = equal[json], let smallest = known.first else { continue }
      // Of several equal elements, the first one after the last match is used, to keep the order.
      let position = known.position(after: last)
      let later = position < known.count ? firstFree(from: known[position]) : nil
      guard let index = later ?? firstFree(from: smallest) else { continue }
      last = index
      use(index, for: element)
    }
  }

  private mutating func findAtSameIndex(
    _ new: [Value], _ shown: [Value], where isPartner: (Value, Value) -> Bool
  ) {
    for element in without() where free.contains(element) && isPartner(shown[element], new[element]) {
      use(element, for: element)
    }
  }

  /// Finds records that have half of their fields in common.
  private mutating func findAlike(_ new: [Value], _ shown: [Value]) {
    let elements = without()
    guard elements.count * free.count <= Self.comparisons else { return }
    for element in elements {
      if let index = free.sorted().first(where: { shown[$0].isAlike(new[element]) }) {
        use(index, for: element)
      }
    }
  }

  /// Finds dates, data and other scalars that JSON cannot tell from texts and numbers.
  private mutating func findOfSameType(_ new: [Value], _ old: [Value]) {
    // A scalar can be retyped like all old values of a type or like none, so only the first free one of each type is tried.
    var candidates: [RetypingType: ArraySlice<Int>] = [:]
    for index in free.sorted() {
      if let type = RetypingType(of: old[index]) { candidates[type, default: []].append(index) }
    }
    for element in without() {
      guard !candidates.isEmpty else { return }
      var found: (type: RetypingType, index: Int)?
      for (type, indices) in candidates {
        guard let index = indices.first, index < found?.index ?? .max,
          new[element].retyped(like: old[index]) != new[element]
        else { continue }
        found = (type, index)
      }
      guard let found else { continue }
      candidates[found.type]?.removeFirst()
      if candidates[found.type]?.isEmpty == true { candidates[found.type] = nil }
      use(found.index, for: element)
    }
  }

  /// The types of old values to which texts and numbers of JSON are converted (see `Value.retyped(like:)`).
  private enum RetypingType {
    case date, data, real, single

    init?(of old: Value) {
      switch old {
      case .date: self = .date
      case .data: self = .data
      case .real: self = .real
      case .single: self = .single
      default: return nil
      }
    }
  }

  /// Finds records with the same keys. Of several, finds one that has the most fields in common.
  private mutating func findWithRecordGroup(_ new: [Value], _ shown: [Value]) {
    func keys(_ json: Value) -> [Value]? {
      guard case .dictionary(let entries) = json, !entries.isEmpty else { return nil }
      return entries.keys.sorted {
        ($0.stringValue ?? "").utf8.lexicographicallyPrecedes(($1.stringValue ?? "").utf8)
      }
    }
    var groups: [[Value]: Int] = [:]
    var candidates: [RecordGroup] = []
    for index in free.sorted() {
      guard let keys = keys(shown[index]) else { continue }
      let group = groups[keys] ?? candidates.count
      groups[keys] = group
      if group == candidates.count { candidates.append(RecordGroup()) }
      candidates[group].indices.append(index)
      candidates[group].freeCount += 1
    }
    var comparisons = Self.comparisons
    for element in without() {
      guard let keys = keys(new[element]), let group = groups[keys], candidates[group].freeCount > 0 else {
        continue
      }
      while !free.contains(candidates[group].indices[candidates[group].first]) {
        candidates[group].first += 1
      }
      let old = candidates[group].indices[candidates[group].first...]
      var best = old[old.startIndex]
      comparisons -= candidates[group].freeCount
      if comparisons > 0, case .dictionary(let entries) = new[element] {
        func common(_ index: Int) -> Int {
          guard case .dictionary(let other) = shown[index] else { return 0 }
          return entries.count { other[$0.key] == $0.value }
        }
        var most = common(best)
        for index in old.dropFirst() where free.contains(index) {
          let count = common(index)
          if count > most { (best, most) = (index, count) }
        }
      }
      candidates[group].freeCount -= 1
      use(best, for: element)
    }
  }

  /// The old records with the same keys, in order.
  private struct RecordGroup {
    var indices: [Int] = []
    /// The position in `indices` of the first record that may be free.
    var first = 0
    /// The number of free records.
    var freeCount = 0
  }

  private enum Kind {
    case list, dictionary, scalar

    init(_ json: Value) {
      switch json {
      case .dictionary(let entries) where entries.isScalarNotation: self = .scalar
      case .array: self = .list
      case .dictionary: self = .dictionary
      default: self = .scalar
      }
    }
  }

  /// Bases the elements of a kind that remain on the old ones that remain, if these are of one class.
  private mutating func findInOrder(of kind: Kind, _ new: [Value], _ shown: [Value], _ old: [Value]) {
    let elements = without().filter { Kind(new[$0]) == kind }
    let indices = free.filter { Kind(shown[$0]) == kind }.sorted()
    guard Set(indices.map { old[$0].className }).count == 1 else { return }
    for (element, index) in zip(elements, indices) { use(index, for: element) }
  }
}

extension [Int] {
  /// Returns the position of the first number that is greater than another one. The numbers are in ascending order.
  fileprivate func position(after number: Int) -> Int {
    var range = indices
    while let first = range.first {
      let middle = first + range.count / 2
      range = self[middle] > number ? first..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}

extension Value {
  /// The name of the class of an object; nil for other values.
  fileprivate var className: String? {
    if case .object(let object) = self { object.type.name } else { nil }
  }
}
