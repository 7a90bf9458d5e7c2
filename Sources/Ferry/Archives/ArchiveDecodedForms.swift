/// The decoded forms of the objects in an archive, as the codecs of a class catalog make them.
final class ArchiveDecodedForms {
  let objects: ArchiveObjects
  let catalog: ClassCatalog
  let use: DecodedFormUse
  private let index: ClassCatalogIndex
  /// The indices of the nodes of objects without a decoded form. They are cached, so that a repeated object
  /// is examined once.
  private var without: Set<Int> = []
  /// The classes of a class file that do not match their objects, with the number of such objects, and the reason and the
  /// location of the first one.
  private var misfits: [(type: ObjectClass, count: Int, why: String, first: InputLocation)] = []

  init(of objects: ArchiveObjects, _ catalog: ClassCatalog, _ use: DecodedFormUse) {
    self.objects = objects
    self.catalog = catalog
    self.use = use
    index = ClassCatalogIndex(catalog)
  }

  private var nodes: any PropertyListNodes { objects.nodes }

  /// An object with its decoded form.
  struct Object {
    let type: ObjectClass
    let entry: ClassCatalogEntry
    let decodedForm: DecodedForm
  }

  /// Returns the decoded form of the object at a node. Returns nil if the node is not an object, if the
  /// catalog has no codec for its class, or if `use` excludes it.
  func object(at node: NodeID) throws(FerryError) -> Object? {
    guard case .dictionary(let count) = try nodes.kind(of: node), !without.contains(node.index),
      let type = try objects.type(of: node, count: count),
      let decodedForm = try decodedForm(of: type, node, count), let entry = index[type]
    else { return nil }
    return Object(type: type, entry: entry, decodedForm: decodedForm)
  }

  /// Returns the decoded form of an object whose class is known.
  func decodedForm(of type: ObjectClass, _ node: NodeID, _ count: Int) throws(FerryError) -> DecodedForm? {
    guard mayDecode(type), let entry = index[type], !without.contains(node.index) else { return nil }
    var object = try ArchivedObject(type, at: node, count: count, in: objects)
    if let decodedForm = try entry.codec.decode(&object), object.isEmpty, try isUsed(decodedForm) {
      return decodedForm
    }
    without.insert(node.index)
    if entry.isGiven { try noteMisfit(type, entry, node, count) }
    return nil
  }

  /// Returns the entry of the catalog for a class, or nil if it has none.
  func entry(for type: ObjectClass) -> ClassCatalogEntry? { index[type] }

  /// Returns true if objects of a class may have a decoded form.
  func mayDecode(_ type: ObjectClass) -> Bool {
    guard let entry = index[type] else { return false }
    return entry.isScalar || use == .all
  }

  private func noteMisfit(
    _ type: ObjectClass, _ entry: ClassCatalogEntry, _ node: NodeID, _ count: Int
  ) throws(FerryError) {
    if let index = misfits.firstIndex(where: { $0.type === type }) {
      misfits[index].count += 1
    } else {
      let object = try ArchivedObject(type, at: node, count: count, in: objects)
      let why = try entry.codec.misfit(of: object) ?? "its value is a dictionary"
      misfits.append((type, 1, why, nodes.location(of: node)))
    }
  }

  /// A note about each class of a class file that does not match its objects.
  var notes: [Note] {
    misfits.map { .classMisfit($0.type.name, count: $0.count, why: $0.why, first: $0.first) }
  }

  private func isUsed(_ decodedForm: DecodedForm) throws(FerryError) -> Bool {
    if use == .all { return true }
    switch decodedForm {
    case .scalar: return true
    case .archived(let node): return try isScalar(node)
    case .list, .record: return false
    }
  }

  // MARK: Scalars

  /// Returns the scalar that the object at a node represents, or nil for other nodes.
  func scalar(at node: NodeID) throws(FerryError) -> (type: ObjectClass, value: Value)? {
    guard let object = try object(at: node) else { return nil }
    switch object.decodedForm {
    case .scalar(let value): return (object.type, value)
    case .archived(let node): return try scalar(resolving: node).map { (object.type, $0) }
    case .list, .record: return nil
    }
  }

  /// Returns the scalar at a node, following a reference.
  private func scalar(resolving node: NodeID) throws(FerryError) -> Value? {
    guard try isScalar(node) else { return nil }
    let builder = ValueBuilder()
    try nodes.send(scalar: target(of: node), to: builder)
    return try builder.result()
  }

  /// Returns a decoded form as a value if it consists only of scalars, otherwise nil.
  func value(of decodedForm: DecodedForm) throws(FerryError) -> Value? {
    switch decodedForm {
    case .scalar(let value): return value
    case .archived(let node): return try scalar(resolving: node)
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
        guard let value = try value(of: part.decodedForm) else { return nil }
        entries[part.name] = value
      }
      return .dictionary(entries)
    }
  }

  /// Returns true if a decoded form consists only of scalars.
  func isLeaf(_ decodedForm: DecodedForm) throws(FerryError) -> Bool {
    switch decodedForm {
    case .scalar: return true
    case .archived(let node): return try isScalar(node)
    case .list(let parts):
      for part in parts where try !isLeaf(part) { return false }
      return true
    case .record(let parts):
      for part in parts where try !isLeaf(part.decodedForm) { return false }
      return true
    }
  }

  /// Returns true if a node is a scalar, or a reference to a scalar object without a class.
  func isScalar(_ node: NodeID) throws(FerryError) -> Bool {
    switch try nodes.kind(of: try target(of: node)) {
    case .array, .set, .dictionary, .uid: false
    default: true
    }
  }

  /// Returns the target of a reference, or the node itself.
  func target(of node: NodeID) throws(FerryError) -> NodeID {
    guard case .uid(let uid) = try nodes.kind(of: node) else { return node }
    return try objects.node(of: uid, referredFrom: node)
  }
}
