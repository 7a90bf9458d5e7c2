/// The classes in an archive, with the numbers of their objects and keys.
struct ArchiveClasses {
  struct Entry {
    let type: ObjectClass
    /// The first object that describes the class.
    let description: ObjectNumber
    var count = 0
    var keys: [Int: KeyCount] = [:]
  }

  private var entries: [Entry] = []
  private var indices: [ObjectClass: Int] = [:]
  /// For each object, the index plus one of the class that it describes; 0 if the object was not examined
  /// yet, and the maximum if it describes no class.
  private var described: [UInt32]

  init(objectCount: Int) { described = [UInt32](repeating: 0, count: objectCount) }

  subscript(index: Int) -> Entry { entries[index] }

  /// Returns the index of the class that an object describes. The result is nil if the object was not
  /// examined yet, and `.some(nil)` if it describes no class.
  func index(ofDescription object: ObjectNumber) -> Int?? {
    switch described[object.index] {
    case 0: nil
    case .max: .some(nil)
    case let index: Int(index) - 1
    }
  }

  /// Records that an object describes no class.
  mutating func refuse(_ object: ObjectNumber) { described[object.index] = .max }

  /// Adds a class and returns its index. Equal descriptions count as one class.
  mutating func add(_ type: ObjectClass, description: ObjectNumber) -> Int {
    let index = indices[type] ?? entries.count
    if index == entries.count {
      entries.append(Entry(type: type, description: description))
      indices[type] = index
    }
    described[description.index] = UInt32(index + 1)
    return index
  }

  mutating func count(_ index: Int) { entries[index].count += 1 }

  mutating func countKey(
    _ name: Int, _ kind: ValueKind?, className: String?, isObject: Bool, of index: Int
  ) {
    entries[index].keys[name, default: KeyCount(objects: KindCounts())].count += 1
    if let className {
      entries[index].keys[name]?.classes.add(className)
    } else if let kind {
      entries[index].keys[name]?.kinds[kind] += 1
      if isObject { entries[index].keys[name]?.objects?[kind] += 1 }
    }
  }

  /// Returns the classes, most objects first, and the new index of each class.
  func sorted(_ names: NameTable) -> (classes: [Inspection.Class], newIndices: [Int]) {
    let order = entries.indices.sorted { a, b in
      let (a, b) = (entries[a], entries[b])
      return a.count != b.count ? a.count > b.count : a.type.name.precedes(b.type.name)
    }
    var newIndices = [Int](repeating: 0, count: entries.count)
    for (newIndex, index) in order.enumerated() { newIndices[index] = newIndex }
    let classes = order.map { index in
      let entry = entries[index]
      return Inspection.Class(
        name: entry.type.name, superclasses: entry.type.superclasses, hints: entry.type.hints,
        count: entry.count, keys: entry.keys.keys(names))
    }
    return (classes, newIndices)
  }
}
