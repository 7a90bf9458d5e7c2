/// The decoded forms of an archive's objects, by a class catalog.
final class ArchiveMeanings {
  let objects: ArchiveObjects
  let catalogue: Catalogue
  let use: MeaningUse
  private let index: CatalogueIndex
  /// The nodes of objects without a decoded form, so that a repeated object is examined once.
  private var without: Set<Int> = []
  /// The objects that do not fit a class file, by class.
  private var misfits: [(type: ObjectClass, count: Int, why: String)] = []

  init(of objects: ArchiveObjects, _ catalogue: Catalogue, _ use: MeaningUse) {
    self.objects = objects
    self.catalogue = catalogue
    self.use = use
    index = CatalogueIndex(catalogue)
  }

  private var nodes: any PropertyListNodes { objects.nodes }

  /// An object with its decoded form.
  struct Object {
    let type: ObjectClass
    let entry: CatalogueEntry
    let meaning: Meaning
  }

  /// Returns the decoded form of the object at a node; nil if the catalog has no codec for it, or need not
  /// decode it, and for a node that is not an object.
  func object(at node: Int) throws(Failure) -> Object? {
    guard case .dictionary(let count) = try nodes.kind(of: node), !without.contains(node),
      let type = try objects.type(of: node, count: count),
      let meaning = try meaning(of: type, node, count), let entry = index[type]
    else { return nil }
    return Object(type: type, entry: entry, meaning: meaning)
  }

  /// Returns the decoded form of an object of a known class.
  func meaning(of type: ObjectClass, _ node: Int, _ count: Int) throws(Failure) -> Meaning? {
    guard let entry = index[type], entry.isScalar || use == .all, !without.contains(node) else { return nil }
    var object = try ArchivedObject(type, at: node, count: count, in: objects)
    if let meaning = try entry.meaning.meaning(of: &object), object.isEmpty, try isUsed(meaning) {
      return meaning
    }
    without.insert(node)
    if entry.isGiven { try noteMisfit(type, entry, node, count) }
    return nil
  }

  private func noteMisfit(
    _ type: ObjectClass, _ entry: CatalogueEntry, _ node: Int, _ count: Int
  ) throws(Failure) {
    if let index = misfits.firstIndex(where: { $0.type === type }) {
      misfits[index].count += 1
    } else {
      let object = try ArchivedObject(type, at: node, count: count, in: objects)
      misfits.append((type, 1, try entry.meaning.misfit(of: object) ?? "its value is a dictionary"))
    }
  }

  /// Sentences about the classes of a class file that do not fit their objects, one for each class.
  ///
  ///     2 objects of MyPoint keep their archived keys:
  ///     the file of classes does not fit (the first has no key px)
  var notes: [String] {
    misfits.map { type, count, why in
      let objects =
        count == 1 ? "1 object of \(type.name) keeps its" : "\(count) objects of \(type.name) keep their"
      return
        "\(objects) archived keys: the file of classes does not fit (\(count == 1 ? "it" : "the first") \(why))"
    }
  }

  private func isUsed(_ meaning: Meaning) throws(Failure) -> Bool {
    if use == .all { return true }
    switch meaning {
    case .scalar: return true
    case .archived(let node): return try isScalar(node)
    case .list, .record: return false
    }
  }

  // MARK: Scalars

  /// Returns the scalar for which the object at a node stands; nil for other nodes.
  func scalar(at node: Int) throws(Failure) -> (type: ObjectClass, value: Value)? {
    guard let object = try object(at: node) else { return nil }
    switch object.meaning {
    case .scalar(let value): return (object.type, value)
    case .archived(let node): return try scalar(behind: node).map { (object.type, $0) }
    case .list, .record: return nil
    }
  }

  /// Returns the scalar that a node holds or refers to.
  private func scalar(behind node: Int) throws(Failure) -> Value? {
    guard try isScalar(node) else { return nil }
    let builder = ValueBuilder()
    try nodes.replay(try target(of: node), into: builder, budget: Budget())
    return try builder.result()
  }

  /// Returns a decoded form that consists only of scalars as a value; nil for any other.
  func value(of meaning: Meaning) throws(Failure) -> Value? {
    switch meaning {
    case .scalar(let value): return value
    case .archived(let node): return try scalar(behind: node)
    case .list(let parts):
      var values: [Value] = []
      for part in parts {
        guard let value = try value(of: part) else { return nil }
        values.append(value)
      }
      return .array(values)
    case .record(let parts):
      var entries = KeyedValues()
      for part in parts {
        guard let value = try value(of: part.meaning) else { return nil }
        entries[part.name] = value
      }
      return .dictionary(entries)
    }
  }

  /// Returns true if a decoded form consists only of scalars.
  func isLeaf(_ meaning: Meaning) throws(Failure) -> Bool {
    switch meaning {
    case .scalar: return true
    case .archived(let node): return try isScalar(node)
    case .list(let parts):
      for part in parts where try !isLeaf(part) { return false }
      return true
    case .record(let parts):
      for part in parts where try !isLeaf(part.meaning) { return false }
      return true
    }
  }

  /// Returns true if a node is a scalar, or refers to one that is an object without a class.
  func isScalar(_ node: Int) throws(Failure) -> Bool {
    switch try nodes.kind(of: try target(of: node)) {
    case .array, .set, .dictionary, .uid: false
    default: true
    }
  }

  /// Returns the target of a reference, or the node itself.
  func target(of node: Int) throws(Failure) -> Int {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return node }
    return try objects.node(of: uid, referredFrom: node)
  }
}
