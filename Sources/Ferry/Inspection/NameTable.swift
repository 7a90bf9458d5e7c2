/// Names, each once, numbered in the order they were met. Only so many are kept, and of a long one only its beginning.
struct NameTable {
  private(set) var names: [String] = []
  /// By the seeded hash of the whole name, which no input can make collide.
  private var numbers: [Int: Int] = [:]
  /// Whether all names that were asked for have a number.
  private(set) var isComplete = true
  private static let limit = 1 << 14
  private static let longest = 256

  /// The number of a name; nil when there are too many.
  mutating func number(of name: borrowing Text) -> Int? {
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

  private static func cut(_ name: borrowing Text) -> String {
    guard name.utf8.count > longest else { return String(name) }
    let start = name.utf8.extracting(first: longest)
    // Not in the middle of a character.
    var end = longest
    while end > 0, start[end - 1] & 0xc0 == 0x80 { end -= 1 }
    if end > 0, start[end - 1] >= 0xc0 { end -= 1 }
    return start.extracting(first: end).decodedString + "…"
  }
}

/// What is known of a key while its values are counted.
struct KeyCount {
  var count = 0
  var kinds = KindCounts()
  /// Of these the values that are objects of an archive; nil outside archives.
  var objects: KindCounts?
  var classes = Tally<String>(limit: 64)
}

extension [Int: KeyCount] {
  /// The keys by name, the most frequent first.
  func keys(_ names: NameTable) -> [Inspection.Key] {
    let keys = map { number, key in
      Inspection.Key(
        name: names.names[number], count: key.count, kinds: key.kinds, objects: key.objects,
        classes: key.classes)
    }
    return keys.sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }
}
