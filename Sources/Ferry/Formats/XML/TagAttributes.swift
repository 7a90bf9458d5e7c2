/// The attributes of a start tag that is still incomplete, by their names as keys without `@`.
struct TagAttributes {
  private(set) var all: [(key: [UInt8], value: [UInt8])] = []
  /// The keys, if they are many: comparing each pair of keys would take quadratic time.
  private var manyKeys: Set<[UInt8]> = []
  /// True if one of the attributes declares a prefix.
  private(set) var declarePrefix = false

  /// The largest number of keys that are compared one by one.
  private static let mostCompared = 32

  var isEmpty: Bool { all.isEmpty }

  mutating func append(_ key: [UInt8], _ value: [UInt8]) {
    all.append((key, value))
    if key.starts(with: "xmlns:".utf8) { declarePrefix = true }
    guard all.count > Self.mostCompared else { return }
    if manyKeys.isEmpty { manyKeys = Set(all.map(\.key)) } else { manyKeys.insert(key) }
  }

  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    declarePrefix = false
    if !manyKeys.isEmpty { manyKeys = [] }
  }

  /// Returns true if there is an attribute with a key.
  func contains(_ key: ArraySlice<UInt8>) -> Bool {
    guard manyKeys.isEmpty else { return manyKeys.contains(Array(key)) }
    return all.contains { $0.key.elementsEqual(key) }
  }
}
