/// The lists of the keys of an archive's objects, each put in order once.
///
///     first, last, $class       as encoded
///     last, first, $class       as written, in the order of the buckets of a hash table
struct ArchivedKeyLists {
  struct List {
    /// The keys in the order in which they are written.
    let keys: BinaryObjectBuilder.Keys
    /// For each of them, its index as encoded.
    let order: [Int]
  }

  private let keyOrder: ArchiveKeyOrder
  /// The lists of fields, with their keys as encoded and without `$class`.
  private var fields: [(names: [String], list: List)] = []
  /// The index of a list of fields by a hash of its keys.
  private var indices: [UInt64: Int] = [:]
  private var count = 0
  /// The number of keys that lists to be kept may still have.
  private var rest = 1 << 16

  init(_ keyOrder: ArchiveKeyOrder) { self.keyOrder = keyOrder }

  /// Returns a list of names.
  ///
  /// - Parameter isRepeated: True if the caller keeps the list for other objects.
  mutating func list(_ names: [String], isRepeated: Bool = true) -> List {
    let order: [Int] =
      switch keyOrder {
      case .buckets: KeyOrder.indices(of: names.map { KeyOrder.hash(Array($0.utf16)) })
      case .sorted: names.indices.sorted { names[$0].utf16.lexicographicallyPrecedes(names[$1].utf16) }
      }
    if isRepeated { count += 1 }
    let keys = BinaryObjectBuilder.Keys(names: order.map { names[$0] }, number: isRepeated ? count - 1 : nil)
    return List(keys: keys, order: order)
  }

  /// Returns the list of the keys at some tape indices, followed by `$class`.
  mutating func list(ofFields keys: [TapeIndex], on tape: EventTape) -> List {
    var hash = WordHash()
    for key in keys { hash.combine(tape.text(at: key).utf8.hashOfBytes) }
    if let known = indices[hash.value], fields[known].names.count == keys.count {
      var isEqual = true
      for (key, name) in zip(keys, fields[known].names) {
        isEqual = isEqual && tape.text(at: key).utf8.equals(name.utf8.span)
      }
      if isEqual { return fields[known].list }
    }
    // A text with unpaired surrogates is repaired, and therefore never equal to its name.
    let names = keys.map { tape.string(at: $0) }
    let isKept = keys.count <= rest && indices[hash.value] == nil
    let list = list(names.map(\.asArchivedKey) + ["$class"], isRepeated: isKept)
    guard isKept else { return list }
    rest -= keys.count
    indices[hash.value] = fields.count
    fields.append((names, list))
    return list
  }
}
