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
    names.append(Self.cut(name))
    return names.count - 1
  }

  private static func cut(_ name: borrowing BorrowedText) -> String {
    guard name.utf8.count > longest else { return String(name) }
    let start = name.utf8.extracting(first: longest)
    // The name must not be truncated inside a UTF-8 sequence.
    var end = longest
    while end > 0, start[end - 1] & 0xc0 == 0x80 { end -= 1 }
    if end > 0, start[end - 1] >= 0xc0 { end -= 1 }
    return start.extracting(first: end).decodedString + "…"
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
