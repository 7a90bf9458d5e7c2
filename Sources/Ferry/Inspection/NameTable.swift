/// A table of distinct names, numbered in the order of their first occurrence. It keeps a limited number of
/// names, and only the beginning of a long one.
struct NameTable {
  private(set) var names: [String] = []
  /// The number of each name by the hash of the whole name. The hash is seeded, so no input can provoke
  /// collisions.
  private var numbers: [Int: Int] = [:]
  /// True if every requested name has a number.
  private(set) var isComplete = true
  private static let limit = 1 << 14
  private static let longest = 256

  /// Returns the number of a name; nil if the table is full.
  mutating func number(of name: borrowing BorrowedText) -> Int? {
    let hash = name.utf8.hashOfBytes
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
    // The cut must not fall inside a character.
    var end = longest
    while end > 0, start[end - 1] & 0xc0 == 0x80 { end -= 1 }
    if end > 0, start[end - 1] >= 0xc0 { end -= 1 }
    return start.extracting(first: end).decodedString + "…"
  }
}

/// The counts of a key's values.
struct KeyCount {
  var count = 0
  var kinds = KindCounts()
  /// The kinds of those values that are objects of an archive; nil outside archives.
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
