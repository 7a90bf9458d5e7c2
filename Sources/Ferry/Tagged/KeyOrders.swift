/// The orders of the keys of an archive's objects that differ from those of a hash table.
///
/// They are noted by class, so that an edit that changes the numbers of objects leaves them to the same objects:
///
///     "keys": {"Person": "1 0 2; 3: 2 0 1"}
///
/// Of the objects of the class that have three keys, `$class` among them, those from the first on have one order, and those from the fourth
/// on (3, counted from 0) another one.
struct KeyOrders {
  /// An order of keys.
  struct Entry: Hashable {
    /// The number of objects of the class that have as many keys, before the first one with the order.
    var index: Int
    /// The keys, as indices into the order of encoding, with `$class` last. The order applies to the object at the index, and to all
    /// following objects of the class that have the same keys.
    var order: [Int]
  }

  /// The number of the class descriptions, in place of that of a class.
  static let descriptions = -1

  /// The objects of a class that have a number of keys.
  private struct Group: Hashable {
    let type: Int
    let keyCount: Int
  }

  /// A list of keys of a class.
  private struct KeyList: Hashable {
    let type: Int
    let list: Int
  }

  /// The noted orders, by the indices of the objects.
  private var noted: [Group: [Int: [Int]]] = [:]
  /// The number of objects so far.
  private var counts: [Group: Int] = [:]
  /// The order that was noted last for each list of keys.
  private var orders: [KeyList: [Int]] = [:]

  init() {}

  /// Creates the orders of a layout for the classes of a graph.
  init(_ layout: ArchiveLayout, _ types: [ObjectClass]) throws(FerryError) {
    add(layout.classKeys, ofType: Self.descriptions)
    guard !layout.keys.isEmpty else { return }
    var unused = Set(layout.keys.keys)
    for (index, type) in types.enumerated() {
      let name = ExactString(type.name)
      if unused.remove(name) != nil { add(layout.keys[name] ?? [], ofType: index) }
    }
    // An edit may have removed the objects of a class. But a number is that of an object, in a document of an earlier Ferry.
    guard let number = unused.compactMap({ Int($0.string) }).min() else { return }
    throw FerryError(.typed(.badLayout("\"\(number)\" in keys is not the name of a class")))
  }

  private mutating func add(_ entries: [Entry], ofType type: Int) {
    for entry in entries {
      noted[Group(type: type, keyCount: entry.order.count), default: [:]][entry.index] = entry.order
    }
  }

  /// Returns the index of the next object among those of its class that have as many keys.
  private mutating func nextIndex(_ group: Group) -> Int {
    let index = counts[group, default: 0]
    counts[group] = index + 1
    return index
  }

  /// Returns the order of the keys of the next object: the noted one, or else that of a hash table.
  mutating func order(ofType type: Int, list: Int, usual: [Int]) -> [Int] {
    guard !noted.isEmpty else { return usual }
    let (group, keys) = (Group(type: type, keyCount: usual.count), KeyList(type: type, list: list))
    let index = nextIndex(group)
    if let order = noted[group]?[index], order.sorted() == Array(usual.indices) { orders[keys] = order }
    return orders[keys] ?? usual
  }

  /// Returns the entry for the order of the keys of the next object; nil if the order follows from those before.
  mutating func entry(_ order: [Int], ofType type: Int, list: Int, usual: [Int]) -> Entry? {
    let keys = KeyList(type: type, list: list)
    let index = nextIndex(Group(type: type, keyCount: order.count))
    guard order != orders[keys] ?? usual else { return nil }
    orders[keys] = order
    return Entry(index: index, order: order)
  }

  /// Counts the next objects of a class, which have the keys and the order of the object before.
  mutating func skip(_ objects: Int, ofType type: Int, keyCount: Int) {
    counts[Group(type: type, keyCount: keyCount), default: 0] += objects
  }

  // MARK: Text

  static func text(of entries: [Entry]) -> String {
    entries.map { entry in
      (entry.index == 0 ? "" : "\(entry.index): ") + entry.order.map(String.init).joined(separator: " ")
    }.joined(separator: "; ")
  }

  /// Parses the orders of a class.
  static func entries(_ text: String) throws(FerryError) -> [Entry] {
    var entries: [Entry] = []
    for item in text.split(separator: ";") {
      let halves = item.split(separator: ":", omittingEmptySubsequences: false)
      let words = (halves.last ?? "").split(separator: " ")
      let order = words.compactMap { Int($0) }
      let index = halves.count == 2 ? Int(halves[0].drop { $0 == " " }) : 0
      guard let index, index >= 0, halves.count <= 2, !order.isEmpty, order.count == words.count
      else {
        let shown = MessageText.quoted(String(item.drop { $0 == " " }))
        throw FerryError(.typed(.badLayout("\(shown) is not an order of keys")))
      }
      entries.append(Entry(index: index, order: order))
    }
    return entries
  }
}
