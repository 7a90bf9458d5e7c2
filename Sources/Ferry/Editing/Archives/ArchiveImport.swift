/// The objects that an archiver writes for a value, to be imported into another archive.
///
/// `ArchiveWriter` archives an array with the value as its only element, and the objects of that element are
/// imported. So the layout of each class is implemented only once.
struct ArchiveImport {
  private let tree: PropertyListTree
  private let objects: ArchiveObjects
  /// The number of the value's own object.
  private let root: ObjectNumber
  private let shared: EditedObjects?
  /// The numbers of the objects with an identity.
  private let identities: [Int: ObjectNumber]

  /// - Parameters:
  ///   - value: The value.
  ///   - catalog: The classes whose objects have a decoded form.
  ///   - storage: The storage of scalars in the objects.
  ///   - shared: The objects that references in the value mean; nil for a value without such references.
  ///   - budget: The limits of the other archive.
  init(
    _ value: Value, _ catalog: ClassCatalog, storage: ArchivedStorage, _ shared: EditedObjects?,
    budget: Budget
  ) throws(FerryError) {
    tree = PropertyListTree(for: "an archive", budget: budget)
    let writer = ArchiveWriter(to: tree, keyOrder: .buckets, catalog: catalog, storage: storage)
    try writer.beginArray(count: 1)
    try (shared?.expanded(value) ?? value).replay(into: writer)
    try writer.endArray()
    try writer.finish()
    objects = try ArchiveObjects(tree)
    guard let top = objects.top.first, case .uid(let array) = try tree.kind(of: top.node) else {
      throw FerryError(.archive(.badEvents("an archive holds one whole value")))
    }
    let node = try objects.node(of: array, referredFrom: top.node)
    // Arrays of the other archive may have their elements as entries.
    let list = try tree.value("NS.objects", of: node)
    let element =
      if let list { try tree.element(0, of: list) } else { try tree.value("NS.object.0", of: node) }
    guard let element, case .uid(let uid) = try tree.kind(of: element), let root = objects.number(uid) else {
      throw FerryError(.archive(.badEvents("an archive holds one whole value")))
    }
    self.root = root
    self.shared = shared
    identities = writer.numbersByIdentity
  }

  /// The value if its object is a scalar without a class (a string, a number or data), otherwise nil.
  var bareScalar: Value? {
    get throws(FerryError) { try Self.bareScalar(try node(of: root), in: tree) }
  }

  /// Returns the value of a string, a number or data, or nil for other nodes.
  static func bareScalar(_ node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> Value? {
    switch try nodes.kind(of: node) {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .single(let value): .single(value)
    case .string: try nodes.withText(of: node) { text throws(FerryError) in Value(text) }
    case .data: try nodes.withData(of: node) { bytes throws(FerryError) in .data([UInt8](copying: bytes)) }
    default: nil
    }
  }

  private func node(of number: ObjectNumber) throws(FerryError) -> NodeID {
    try objects.node(of: number)
  }

  /// Adds the nodes of the value's objects.
  ///
  /// - Parameters:
  ///   - list: The list that gets the nodes.
  ///   - rootNumber: The number for the value's own object.
  ///   - free: The numbers for the objects after the value's own.
  ///   - existing: Returns the existing object that equals a node of the value, or nil.
  /// - Returns: The node of the value's own object, which is not in the archive yet, and the nodes of the
  ///   other objects in order.
  func nodes(
    in list: EditedPropertyList, rootNumber: ObjectNumber, free: FreeNumbers,
    existing: (NodeID, PropertyListTree) throws(FerryError) -> ObjectNumber?
  ) throws(FerryError) -> (root: NodeID, others: [NodeID]) {
    var numbers: [ObjectNumber: ObjectNumber] = [.null: .null, root: rootNumber]
    var (free, new): (FreeNumbers, [ObjectNumber]) = (free, [])
    for (number, represented) in try reachable() {
      if let represented {
        numbers[number] = represented
      } else if let known = try existing(try node(of: number), tree) {
        numbers[number] = known
      } else {
        numbers[number] = free.take()
        new.append(number)
      }
    }
    func newUID(_ uid: UInt64) -> UInt64 { objects.number(uid).flatMap { numbers[$0] }?.uid ?? 0 }
    let rootNode = try list.add(copyOf: node(of: root), in: tree, uid: newUID)
    var others: [NodeID] = []
    for number in new { others.append(try list.add(copyOf: node(of: number), in: tree, uid: newUID)) }
    for (identity, number) in identities { if let new = numbers[number] { shared?.add(identity, new) } }
    return (rootNode, others)
  }

  /// Returns the numbers of the objects that the root refers to, directly or indirectly, in order. Of a placeholder,
  /// also returns the number of the object that it represents.
  private func reachable() throws(FerryError) -> [(number: ObjectNumber, represented: ObjectNumber?)] {
    var found: [ObjectNumber: ObjectNumber?] = [.null: nil, root: nil]
    var waiting = [try node(of: root)]
    while let node = waiting.popLast() {
      if case .uid(let uid) = try tree.kind(of: node) {
        guard let number = objects.number(uid), found[number] == nil else { continue }
        let target = try self.node(of: number)
        let represented = try objectRepresented(by: target)
        found[number] = .some(represented)
        if represented == nil { waiting.append(target) }
      } else {
        try tree.forEachChild(of: node) { child throws(FerryError) in waiting.append(child) }
      }
    }
    let numbers = found.keys.filter { $0 != .null && $0 != root }.sorted()
    return numbers.map { ($0, found[$0] ?? nil) }
  }

  /// Returns the number of the object that a placeholder represents, or nil for other objects.
  private func objectRepresented(by node: NodeID) throws(FerryError) -> ObjectNumber? {
    guard let shared, case .dictionary(let count) = try tree.kind(of: node),
      let type = try objects.type(of: node, count: count)
    else { return nil }
    return shared.number(representedBy: type)
  }
}
