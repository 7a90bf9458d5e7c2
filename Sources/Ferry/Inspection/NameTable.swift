/// A table that numbers distinct names in the order of their first occurrence. It stores a limited number of
/// names, and truncates long ones.
struct NameTable {
  private(set) var names: [String] = []
  /// The number of each name, by the hash of the whole name. The hash is seeded, so that no input can provoke
  /// collisions.
  private var numbers: [Int: Int] = [:]
  /// True if no name was refused because the table was full.
  private(set) var isComplete = true
  private static let limit = 1 << 14
  private static let longest = 256

  /// Returns the number of a name, adding it if it is new, or nil if the table is full.
  mutating func number(of name: borrowing BorrowedText) -> Int? {
    var hasher = Hasher()
    hasher.combine(span: name.utf8)
    let hash = hasher.finalize()
    if let known = numbers[hash] { return known }
    guard names.count < Self.limit else {
      isComplete = false
      return nil
    }
    numbers[hash] = names.count
    names.append(name.cut(toBytes: Self.longest))
    return names.count - 1
  }
}

/// Statistics of the values of one key.
struct KeyCount {
  var count = 0
  var kinds = KindCounts()
  /// The kinds of the values that are separate objects of an archive, or nil outside of archives.
  var objects: KindCounts?
  var classes = Tally<String>(limit: 64)
}

extension [Int: KeyCount] {
  /// Returns the keys by name, most frequent first.
  func keys(_ names: NameTable) -> [Inspection.Key] {
    let keys = map { number, key in
      Inspection.Key(
        name: names.names[number], count: key.count, kinds: key.kinds, objects: key.objects,
        classes: key.classes)
    }
    return keys.sorted { $0.count != $1.count ? $0.count > $1.count : $0.name.precedes($1.name) }
  }
}
