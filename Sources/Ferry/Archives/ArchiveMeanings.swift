/// What the objects of an archive mean, by a catalogue.
final class ArchiveMeanings {
  private let objects: ArchiveObjects
  private let index: CatalogueIndex
  private let use: MeaningUse
  /// Objects that turned out to have no meaning, so that one that is met often is looked at once.
  private var without: Set<UInt64> = []

  init(of objects: ArchiveObjects, _ catalogue: Catalogue, _ use: MeaningUse) {
    self.objects = objects
    self.use = use
    index = CatalogueIndex(catalogue)
  }

  private var nodes: any PropertyListNodes { objects.nodes }

  /// What an object means; nil for one that the catalogue does not understand, or need not.
  func meaning(of type: ObjectClass, _ uid: UInt64, _ node: Int, _ count: Int) throws(Failure) -> Meaning? {
    guard let entry = index[type], entry.isScalar || use == .all, !without.contains(uid) else { return nil }
    var object = try ArchivedObject(type, at: node, count: count, in: objects)
    if let meaning = try entry.meaning.meaning(of: &object), object.isEmpty, try isUsed(meaning) {
      return meaning
    }
    without.insert(uid)
    return nil
  }

  private func isUsed(_ meaning: Meaning) throws(Failure) -> Bool {
    if use == .all { return true }
    switch meaning {
    case .scalar: return true
    case .archived(let node): return try isScalar(node)
    case .list, .record: return false
    }
  }

  /// Whether nothing is inside a meaning but scalars.
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

  /// Whether a node is a scalar, or refers to one that stands bare.
  func isScalar(_ node: Int) throws(Failure) -> Bool {
    switch try nodes.kind(of: try target(of: node)) {
    case .array, .set, .dictionary, .uid: false
    default: true
    }
  }

  private func target(of node: Int) throws(Failure) -> Int {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return node }
    return try objects.node(of: uid, referredFrom: node)
  }
}
