extension ArchiveGraph {
  /// The error for an archive that a graph cannot represent. Such an archive is shown as its raw property
  /// list.
  private static var notPlain: FerryError { FerryError(.typed(.notExact)) }

  /// Reads the graph of an archive, up to a size limit.
  ///
  /// - Parameter sharesEmptyArrays: True if all empty arrays of the file may be one object.
  /// - Throws: A `FerryError` with the reason `.typed(.notExact)` if a graph cannot represent the archive (it has dangling references,
  ///   additional keys next to `$top`, two classes with the same name, a collection with two references …), or if the graph
  ///   would be too large.
  init(_ archive: ArchiveObjects, limit: Int, sharesEmptyArrays: Bool) throws(FerryError) {
    let nodes = archive.nodes
    guard case .dictionary(4) = try nodes.kind(of: nodes.root), archive.count > 0 else { throw Self.notPlain }
    self.init(
      scalars: nodes, bare: BareScalars(nodes: nodes, archive: archive), archiver: archive.archiver)
    var reader = try ArchiveGraphReader(archive, sharesEmptyArrays: sharesEmptyArrays)
    objects = try reader.objects()
    (types, typeNumbers) = (reader.types, reader.typeNumbers)
    for (name, node) in archive.top { top.append((name, try reader.part(node))) }
    occurrences = try countedOccurrences()
    guard try isLighter(than: limit, keyWeight: reader.keyWeight) else { throw Self.notPlain }
    try arrange(reader.entries)
  }

  /// Sorts the fields of objects in the order in which they were encoded, as far as object numbers show it.
  /// An object is numbered at its first reference, so the field that leads to the smallest new number was
  /// encoded first.
  private mutating func arrange(_ entries: [ArchiveGraphReader.Entry]) throws(FerryError) {
    var orders = FieldOrders(keyLists, scalars)
    var isVisited = [Bool](repeating: false, count: objects.count)
    var work: [Part] = top.reversed().map(\.value)
    var rest = 1
    while true {
      while let part = work.popLast() {
        guard let number = part.reference else {
          part.pushReferences(to: &work)
          continue
        }
        guard !isVisited[number] else { continue }
        isVisited[number] = true
        guard var fields = objects[number]?.fields else { continue }
        if let order = try orders.order(of: fields, isVisited) {
          fields = order.map { fields[$0] }
          objects[number]?.fields = fields
        }
        // The first fields without parts of their own need not wait for others.
        let leafCount = fields.firstIndex { !$0.value.isLeaf } ?? fields.count
        for field in fields[..<leafCount] {
          if let scalar = field.value.reference { isVisited[scalar] = true }
        }
        for field in fields[leafCount...].reversed() { work.append(field.value) }
      }
      // Objects that no root can reach follow.
      while rest < objects.count, isVisited[rest] || entries[rest] == .type { rest += 1 }
      guard rest < objects.count else { return }
      addOther(rest)
      work.append(contentsOf: others.suffix(1))
    }
  }
}

/// The orders in which the fields of objects were encoded. Each is found once for the same keys and the same order of
/// new objects.
private struct FieldOrders {
  private let keyLists: KeyLists
  private let nodes: any PropertyListNodes
  /// The orders, or nil if fields stay as they are.
  private var known: [[Int]: [Int]?] = [:]
  private var numbers: [(number: Int, field: Int)] = []
  /// The last pattern of keys and new objects, and its order.
  private var last: (pattern: [Int], order: [Int]?) = ([], nil)
  private var pattern: [Int] = []

  init(_ keyLists: KeyLists, _ nodes: any PropertyListNodes) {
    (self.keyLists, self.nodes) = (keyLists, nodes)
  }

  /// Returns the indices of fields in the order of encoding, or nil if that is their order. Fields that lead to new
  /// objects are sorted by object number, the others in the order of an archiver's hash table.
  mutating func order(of fields: [(key: NodeID, value: ArchiveGraph.Part)], _ isVisited: [Bool])
    throws(FerryError) -> [Int]?
  {
    guard fields.count > 1 else { return nil }
    numbers.removeAll(keepingCapacity: true)
    for (index, field) in fields.enumerated() {
      if let number = field.value.firstReference(where: { !isVisited[$0] }) {
        numbers.append((number, index))
      }
    }
    numbers.sort { $0 < $1 }
    pattern.removeAll(keepingCapacity: true)
    pattern.append(fields.count)
    for field in fields { pattern.append(field.key.index) }
    for new in numbers { pattern.append(new.field) }
    if pattern != last.pattern { last = (pattern, try knownOrder(of: fields)) }
    return last.order
  }

  /// Returns the order of fields with the current pattern.
  private mutating func knownOrder(of fields: [(key: NodeID, value: ArchiveGraph.Part)])
    throws(FerryError) -> [Int]?
  {
    if let order = known[pattern] { return order }
    let order = try order(of: fields.map(\.key), new: numbers.map(\.field))
    let changed = order == Array(fields.indices) ? nil : order
    known[pattern] = .some(changed)
    return changed
  }

  /// - Parameter new: The indices of the keys that lead to new objects, in the order of these.
  private func order(of keys: [NodeID], new: [Int]) throws(FerryError) -> [Int] {
    let isNew = Set(new)
    let old = keys.indices.filter { !isNew.contains($0) }
    var remaining = new.makeIterator()
    let kept = keys.indices.map { isNew.contains($0) ? remaining.next() ?? $0 : $0 }
    var chosen = kept
    for candidate in [kept, old + new, new + old] {
      let order = try keyLists.keys(candidate.map { keys[$0] }).hashOrder
      if order.filter({ $0 < candidate.count }).map({ candidate[$0] }) == Array(keys.indices) {
        chosen = candidate
        break
      }
    }
    // The keys of a dictionary are encoded before its values, regardless of object numbers.
    if chosen.count == 2, try nodes.isString(keys[chosen[0]], "NS.objects"),
      try nodes.isString(keys[chosen[1]], "NS.keys")
    {
      chosen.swapAt(0, 1)
    }
    return chosen
  }
}

extension ArchiveGraph.Part {
  /// The object number if the part is a reference, otherwise nil.
  var reference: Int? {
    switch self {
    case .object(let number): number
    case .bare(let node): node.index
    default: nil
    }
  }

  /// Pushes the references in this part onto a stack, so that the first reference is on top.
  fileprivate func pushReferences(to work: inout [Self]) {
    let count = work.count
    forEachReference { work.append($0) }
    work[count...].reverse()
  }

  /// Returns the first object number of a reference in this part that meets a condition.
  fileprivate func firstReference(where isWanted: (Int) -> Bool) -> Int? {
    switch self {
    case .nothing, .scalar: return nil
    case .object, .bare: return reference.flatMap { isWanted($0) ? $0 : nil }
    case .list, .set, .dictionary:
      var first: Int?
      forEachReference { part in
        if first == nil, let number = part.reference, isWanted(number) { first = number }
      }
      return first
    }
  }
}

/// A reader of the objects in an archive, one at a time. `ArchiveGraphWriter` is the inverse.
private struct ArchiveGraphReader {
  /// The kind of an entry of `$objects`.
  enum Entry: UInt8 { case unknown, type, object, scalar }

  /// The properties of a list of keys as stored, with `$class`.
  private struct Shape {
    /// True if the keys are distinct strings.
    var isPlain: Bool
    /// The index of `$class`.
    var classIndex: Int?
    /// True if the dictionary is a class description.
    var isType: Bool
    /// True if one of the keys is `NS.keys`.
    var hasKeyList = false
    /// The number of bytes that the keys take in the typed form, without `$class`.
    var weight = 0
  }

  private let archive: ArchiveObjects
  private let nodes: any PropertyListNodes
  /// The nodes, if they are those of a binary file.
  private let file: BinaryPropertyList?
  private let sharesEmptyArrays: Bool
  private(set) var types: [ObjectClass] = []
  /// The object numbers of the class descriptions, by type.
  private(set) var typeNumbers: [ObjectNumber] = []
  /// The kinds of the entries of `$objects` that were examined.
  private(set) var entries: [Entry]
  /// The number of bytes that the keys of all fields take in the typed form.
  private(set) var keyWeight = 0
  private var typeNames: Set<ExactString> = []
  private var typesByNumber: [UInt64: Int] = [:]
  private var shapes: [Shape] = []
  /// A buffer for the references of an object.
  private var references: [NodeID] = []
  /// Dictionaries with some recent shapes, and the indices of the shapes.
  private var recentShapes: [(node: NodeID, shape: Int)] = []
  /// The indices of shapes by their keys.
  private var shapeIndices: [[NodeID]: Int] = [:]
  /// The index of the shape of each entry of `$objects` that is an object.
  private var shapesOfObjects: [UInt32]
  /// For each node, true if it is a collection that was read.
  private var isRead: [Bool]

  init(_ archive: ArchiveObjects, sharesEmptyArrays: Bool) throws(FerryError) {
    self.archive = archive
    self.sharesEmptyArrays = sharesEmptyArrays
    nodes = archive.nodes
    file = archive.nodes as? BinaryPropertyList
    entries = [Entry](repeating: .unknown, count: archive.count)
    shapesOfObjects = [UInt32](repeating: 0, count: archive.count)
    isRead = [Bool](repeating: false, count: nodes.nodeCount)
    try read(nodes.root)
    for key: StaticString in ["$top", "$objects"] {
      if let node = try nodes.value(key, of: nodes.root) { try read(node) }
    }
  }

  private var notPlain: FerryError { FerryError(.typed(.notExact)) }

  /// Marks a collection as read. Throws if it has two references, because the graph would have it twice.
  private mutating func read(_ node: NodeID) throws(FerryError) {
    guard !isRead[node.index] else { throw notPlain }
    isRead[node.index] = true
  }

  mutating func objects() throws(FerryError) -> [ArchiveGraph.Object?] {
    var objects: [ArchiveGraph.Object?] = []
    objects.reserveCapacity(archive.count)
    guard try nodes.isString(archive.node(of: .null), "$null") else { throw notPlain }
    for number in archive.numbers { objects.append(try object(number)) }
    return objects
  }

  /// Returns an object with a class, or nil for a class description or a scalar.
  private mutating func object(_ number: ObjectNumber) throws(FerryError) -> ArchiveGraph.Object? {
    switch try entry(number) {
    case .object: return try object(archive.node(of: number), shapes[Int(shapesOfObjects[number.index])])
    case .type:
      // The graph cannot represent a class description without an object of the class.
      guard try type(number.uid) != nil else { throw notPlain }
      return nil
    case .scalar, .unknown: return nil
    }
  }

  /// Returns the kind of an entry. Throws for a collection that is not a dictionary.
  private mutating func entry(_ number: ObjectNumber) throws(FerryError) -> Entry {
    if entries[number.index] != .unknown { return entries[number.index] }
    let node = try archive.node(of: number)
    let entry: Entry
    switch try nodes.kind(of: node) {
    case .string, .data, .integer, .real, .single, .boolean, .date: entry = .scalar
    case .dictionary(let count):
      let shape = try shapeIndex(of: node, count)
      shapesOfObjects[number.index] = UInt32(shape)
      entry = shapes[shape].isType ? .type : .object
    default: throw notPlain
    }
    entries[number.index] = entry
    return entry
  }

  /// Returns the index of the shape of a dictionary.
  private mutating func shapeIndex(of node: NodeID, _ count: Int) throws(FerryError) -> Int {
    guard let file else { return try findShape(of: node, count) }
    // Most objects have the keys of one of the objects before.
    for recent in recentShapes where try file.haveSameKeys(recent.node, node) { return recent.shape }
    let shape = try findShape(of: node, count)
    if recentShapes.count == 4 { recentShapes.removeFirst() }
    recentShapes.append((node, shape))
    return shape
  }

  private mutating func findShape(of node: NodeID, _ count: Int) throws(FerryError) -> Int {
    var keys: [NodeID] = []
    keys.reserveCapacity(2 * count)
    try nodes.appendReferences(of: node, to: &keys)
    keys.removeLast(count)
    if let known = shapeIndices[keys] { return known }
    var shape = Shape(isPlain: try nodes.hasPlainKeys(node, count), isType: false)
    for (index, key) in keys.enumerated() {
      if try nodes.isString(key, "$class") { shape.classIndex = index }
      if try nodes.isString(key, "$classname") { shape.isType = true }
      if try nodes.isString(key, "NS.keys") { shape.hasKeyList = true }
    }
    if shape.isPlain {
      for (index, key) in keys.enumerated() where index != shape.classIndex {
        shape.weight += try Budget.valueCost + nodes.length(of: key)
      }
    }
    shapeIndices[keys] = shapes.count
    shapes.append(shape)
    return shapes.count - 1
  }

  private mutating func object(_ node: NodeID, _ shape: Shape) throws(FerryError) -> ArchiveGraph.Object {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { throw notPlain }
    references.removeAll(keepingCapacity: true)
    try nodes.appendReferences(of: node, to: &references)
    guard shape.isPlain, let classIndex = shape.classIndex,
      case .uid(let uid) = try nodes.kind(of: references[count + classIndex]), let type = try type(uid)
    else { throw notPlain }
    try read(node)
    var fields: [(key: NodeID, value: ArchiveGraph.Part)] = []
    fields.reserveCapacity(count - 1)
    for index in 0..<count where index != classIndex {
      fields.append((references[index], try part(references[count + index])))
    }
    // Many objects may share long keys.
    keyWeight = min(keyWeight + shape.weight, .max / 2)
    return ArchiveGraph.Object(type: type, fields: fields, mayHaveKeyList: shape.hasKeyList)
  }

  /// Returns the type of a class description.
  private mutating func type(_ uid: UInt64) throws(FerryError) -> Int? {
    if let known = typesByNumber[uid] { return known }
    let type = try archive.type(uid, referredFrom: nodes.root)
    guard let number = archive.number(uid), !type.name.isEmpty, typeNames.insert(type.name).inserted,
      try isPlainType(number)
    else { throw notPlain }
    types.append(type)
    typeNumbers.append(number)
    typesByNumber[uid] = types.count - 1
    return types.count - 1
  }

  /// Returns true if a class description has only a name, a chain of superclasses and hints.
  private mutating func isPlainType(_ number: ObjectNumber) throws(FerryError) -> Bool {
    let node = try archive.node(of: number)
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return false }
    try read(node)
    guard let name = try nodes.value("$classname", of: node), try nodes.kind(of: name) == .string else {
      return false
    }
    var found = 1
    for key: StaticString in ["$classes", "$classhints"] {
      guard let value = try nodes.value(key, of: node) else { continue }
      found += 1
      guard case .array(let count) = try nodes.kind(of: value) else { return false }
      // The typed form does not distinguish an empty list from a missing one.
      guard count > 0 else { return false }
      try read(value)
    }
    return found == count
  }

  mutating func part(_ node: NodeID) throws(FerryError) -> ArchiveGraph.Part { try part(node, depth: 0) }

  /// Returns the part for a node. Inline collections are normally shallow; nesting deeper than 16 levels
  /// throws.
  private mutating func part(_ node: NodeID, depth: Int) throws(FerryError) -> ArchiveGraph.Part {
    guard depth < 16 else { throw notPlain }
    let kind = try nodes.kind(of: node)
    switch kind {
    case .uid(0): return .nothing
    case .uid(let uid):
      guard let number = archive.number(uid) else { throw notPlain }
      switch try entry(number) {
      case .object: return .object(number.index)
      case .scalar: return .bare(NodeID(number.index))
      case .type, .unknown: throw notPlain
      }
    case .array(let count), .set(let count):
      if kind != .array(count: 0) || !sharesEmptyArrays { try read(node) }
      var parts: [ArchiveGraph.Part] = []
      parts.reserveCapacity(count)
      let list = try nodes.list(of: node)
      for index in 0..<count { parts.append(try part(nodes.element(index, in: list), depth: depth + 1)) }
      if case .set = kind { return .set(parts) }
      return .list(parts)
    case .dictionary(let count):
      guard try nodes.hasPlainKeys(node, count) else { throw notPlain }
      try read(node)
      var entries: [(key: NodeID, value: ArchiveGraph.Part)] = []
      for index in 0..<count {
        let entry = try nodes.entry(index, of: node)
        entries.append((entry.key, try part(entry.value, depth: depth + 1)))
      }
      return .dictionary(entries)
    case .null: throw notPlain
    default: return .scalar(node)
    }
  }
}
