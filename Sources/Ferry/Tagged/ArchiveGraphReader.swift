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
    var objects: [NodeID] = []
    try nodes.appendReferences(of: archive.objects, to: &objects)
    var reader = ArchiveGraphReader(archive, objects, sharesEmptyArrays: sharesEmptyArrays)
    try reader.readAll()
    let (entries, nameWeight) = (reader.entries, reader.nameWeight)
    self = reader.finish()
    guard try isLighter(than: limit, nameWeight: nameWeight) else { throw Self.notPlain }
    try arrange { entries[$0] == .type }
  }
}

/// A reader of the objects in an archive, one at a time. `ArchiveGraphWriter` is the inverse.
private struct ArchiveGraphReader: ~Copyable {
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
    /// The number of the list of the keys without `$class`.
    var keys: Int
    /// The number of bytes that the keys take in the typed form, without `$class`.
    var weight = 0
  }

  private let archive: ArchiveObjects
  private let objects: [NodeID]
  private let nodes: any PropertyListNodes
  /// The nodes, if they are those of a binary file.
  private let file: Unretained<BinaryPropertyList>?
  private let sharesEmptyArrays: Bool
  private var graph: ArchiveGraph
  /// The kinds of the entries of `$objects` that were examined.
  private(set) var entries: [Entry]
  /// The number of bytes that the names of classes and keys of all objects take in the typed form.
  private(set) var nameWeight = 0
  private var typeNames: Set<ExactString> = []
  private var typesByNumber: [UInt64: Int] = [:]
  private var shapes: [Shape] = []
  /// A buffer for the references of an object.
  private var references: [NodeID] = []
  /// A buffer for the object numbers to which these refer.
  private var uids: [UInt64] = []
  /// Dictionaries with some recent shapes, and the indices of the shapes.
  private var recentShapes: [(node: NodeID, shape: Int)] = []
  /// The indices of shapes by their keys.
  private var shapeIndices: [[NodeID]: Int] = [:]
  /// The index of the shape of each entry of `$objects` that is an object.
  private var shapesOfObjects: [UInt32]
  /// For each node, true if it is a collection that was read.
  private var isRead: [Bool]

  /// - Parameter objects: The nodes of the objects.
  init(_ archive: ArchiveObjects, _ objects: [NodeID], sharesEmptyArrays: Bool) {
    self.archive = archive
    self.objects = objects
    self.sharesEmptyArrays = sharesEmptyArrays
    nodes = archive.nodes
    graph = ArchiveGraph(
      scalars: nodes, bare: BareScalars(nodes: nodes, objects: objects), archiver: archive.archiver)
    file = graph.file
    graph.occurrences = ArchiveGraph.Occurrences(ofIdentities: archive.count + nodes.nodeCount)
    entries = [Entry](repeating: .unknown, count: archive.count)
    shapesOfObjects = [UInt32](repeating: 0, count: archive.count)
    isRead = [Bool](repeating: false, count: nodes.nodeCount)
  }

  private var notPlain: FerryError { FerryError(.typed(.notExact)) }

  /// Marks a collection as read. Throws if it has two references, because the graph would have it twice.
  private mutating func read(_ node: NodeID) throws(FerryError) {
    guard !isRead[node.index] else { throw notPlain }
    isRead[node.index] = true
  }

  /// Reads all objects and roots.
  mutating func readAll() throws(FerryError) {
    try read(nodes.root)
    for key: StaticString in ["$top", "$objects"] {
      if let node = try nodes.value(key, of: nodes.root) { try read(node) }
    }
    guard try nodes.isString(node(of: .null), "$null") else { throw notPlain }
    graph.objects.reserveCapacity(archive.count)
    // Most references have a node of their own.
    graph.parts.reserveCapacity(nodes.nodeCount)
    for number in archive.numbers { graph.objects.append(try object(number)) }
    for (name, node) in archive.top { graph.top.append((name, try part(node))) }
  }

  /// Returns the graph.
  consuming func finish() -> ArchiveGraph { graph }

  private func node(of number: ObjectNumber) -> NodeID { objects[number.index] }

  @inline(__always)
  private func outline(of node: NodeID) throws(FerryError) -> NodeOutline {
    // This is called for each reference, and a call without a witness takes less time.
    guard let file else { return try nodes.outline(of: node) }
    return try file.lend(throwing: { file throws(FerryError) in try file.outline(of: node) })
  }

  /// Returns an object with a class, or nil for a class description or a scalar.
  private mutating func object(_ number: ObjectNumber) throws(FerryError) -> ArchiveGraph.Object? {
    switch try entry(number) {
    case .object: return try object(node(of: number), shapes[Int(shapesOfObjects[number.index])])
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
    let node = node(of: number)
    let entry: Entry
    switch try outline(of: node) {
    case .boolean: entry = .scalar
    case .scalar(let kind, _) where kind != .null && kind != .text: entry = .scalar
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
    for index in recentShapes.indices {
      let recent = recentShapes[index]
      guard try file.lend(throwing: { file throws(FerryError) in try file.haveSameKeys(recent.node, node) })
      else { continue }
      if index > 0 { recentShapes.swapAt(0, index) }
      return recent.shape
    }
    let shape = try findShape(of: node, count)
    if recentShapes.count == 4 { recentShapes.removeLast() }
    recentShapes.insert((node, shape), at: 0)
    return shape
  }

  private mutating func findShape(of node: NodeID, _ count: Int) throws(FerryError) -> Int {
    var keys: [NodeID] = []
    keys.reserveCapacity(2 * count)
    try nodes.appendReferences(of: node, to: &keys)
    keys.removeLast(count)
    if let known = shapeIndices[keys] { return known }
    var (classIndex, isType): (Int?, Bool) = (nil, false)
    for (index, key) in keys.enumerated() {
      if try nodes.isString(key, "$class") { classIndex = index }
      if try nodes.isString(key, "$classname") { isType = true }
    }
    var fieldKeys = keys
    if let classIndex { fieldKeys.remove(at: classIndex) }
    var shape = Shape(
      isPlain: try nodes.hasPlainKeys(node, count), classIndex: classIndex, isType: isType,
      keys: try graph.keyLists.number(of: fieldKeys))
    if shape.isPlain {
      for key in fieldKeys { shape.weight += try Budget.valueCost + nodes.length(of: key) }
    }
    shapeIndices[keys] = shapes.count
    shapes.append(shape)
    return shapes.count - 1
  }

  private mutating func object(_ node: NodeID, _ shape: Shape) throws(FerryError) -> ArchiveGraph.Object {
    try findValues(of: node)
    let count = references.count
    guard shape.isPlain, let classIndex = shape.classIndex,
      uids[classIndex] != BinaryPropertyList.noUID, let type = try type(uids[classIndex])
    else { throw notPlain }
    try read(node)
    addWeight(shape.weight + graph.types[type].name.utf8.count)
    let values = try graph.addParts(count - 1)
    let dictionaryKeys = graph.keyLists[shape.keys].indexOfDictionaryKeys
    var field = 0
    for index in 0..<count where index != classIndex {
      let areKeys = field == dictionaryKeys
      let isReference = uids[index] != BinaryPropertyList.noUID
      graph.parts[values.indices.lowerBound + field] =
        try isReference ? part(uids[index], areKeys: areKeys) : part(references[index], areKeys: areKeys)
      field += 1
    }
    return ArchiveGraph.Object(type: type, keys: shape.keys, values: values)
  }

  /// Finds the values of a dictionary, and the object numbers of those that are references.
  private mutating func findValues(of node: NodeID) throws(FerryError) {
    references.removeAll(keepingCapacity: true)
    uids.removeAll(keepingCapacity: true)
    if let file {
      return try file.lend(throwing: { file throws(FerryError) in
        try file.appendValues(of: node, to: &references, uids: &uids)
      })
    }
    guard case .dictionary(let count) = try nodes.kind(of: node) else { throw notPlain }
    for index in 0..<count {
      let value = try nodes.value(index, of: node)
      references.append(value)
      guard case .uid(let uid) = try nodes.kind(of: value) else {
        uids.append(BinaryPropertyList.noUID)
        continue
      }
      uids.append(uid)
    }
  }

  /// Adds the weight of names. Many objects may share long keys.
  private mutating func addWeight(_ weight: Int) { nameWeight = min(nameWeight + weight, .max / 2) }

  /// Returns the type of a class description.
  private mutating func type(_ uid: UInt64) throws(FerryError) -> Int? {
    if let known = typesByNumber[uid] { return known }
    let type = try archive.type(uid, referredFrom: nodes.root)
    guard let number = archive.number(uid), !type.name.isEmpty, typeNames.insert(type.name).inserted,
      try isPlainType(number)
    else { throw notPlain }
    typesByNumber[uid] = graph.types.count
    graph.types.append(type)
    graph.typeNumbers.append(number)
    return graph.types.count - 1
  }

  /// Returns true if a class description has only a name, a chain of superclasses and hints.
  private mutating func isPlainType(_ number: ObjectNumber) throws(FerryError) -> Bool {
    let node = node(of: number)
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

  /// Returns the part for a node, and counts the objects and scalars in it. Inline collections are normally shallow;
  /// nesting deeper than 16 levels throws.
  ///
  /// - Parameter areKeys: True if scalars are keys of a dictionary, which are not counted, because a key is always written in full.
  private mutating func part(
    _ node: NodeID, areKeys: Bool = false, depth: Int = 0
  ) throws(FerryError) -> ArchiveGraph.Part {
    guard depth < 16 else { throw notPlain }
    switch try outline(of: node) {
    case .uid(let uid): return try part(uid, areKeys: areKeys)
    case .array(let count):
      if count > 0 || !sharesEmptyArrays { try read(node) }
      return .list(try elements(count, of: node, areKeys: areKeys, depth: depth))
    case .set(let count):
      try read(node)
      return .set(try elements(count, of: node, areKeys: areKeys, depth: depth))
    case .dictionary(let count):
      guard try nodes.hasPlainKeys(node, count) else { throw notPlain }
      try read(node)
      let entries = try graph.addParts(2 * count)
      for index in 0..<count {
        let (key, value) = try nodes.entry(index, of: node)
        graph.parts[entries.keys.lowerBound + index] = .scalar(key)
        graph.parts[entries.values.lowerBound + index] = try part(
          value, areKeys: areKeys, depth: depth + 1)
      }
      return .dictionary(entries)
    case .scalar(.null, _): throw notPlain
    case .scalar, .boolean:
      if !areKeys { count(archive.count + node.index) }
      return .scalar(node)
    }
  }

  /// Returns the parts for the elements of an array or a set.
  private mutating func elements(
    _ count: Int, of node: NodeID, areKeys: Bool, depth: Int
  ) throws(FerryError) -> ArchiveGraph.Parts {
    let elements = try graph.addParts(count)
    let list = try nodes.list(of: node)
    for index in 0..<count {
      let element = try nodes.element(index, in: list)
      graph.parts[elements.indices.lowerBound + index] = try part(element, areKeys: areKeys, depth: depth + 1)
    }
    return elements
  }

  /// Returns the part for a reference.
  private mutating func part(_ uid: UInt64, areKeys: Bool) throws(FerryError) -> ArchiveGraph.Part {
    guard uid != 0 else { return .nothing }
    guard let number = archive.number(uid) else { throw notPlain }
    switch try entry(number) {
    case .object:
      count(number.index)
      return .object(number.index)
    case .scalar:
      let scalar = NodeID(number.index)
      if areKeys {
        addWeight(try graph.bare.lengthOfStringOrData(scalar) ?? 0)
      } else {
        count(scalar.index)
      }
      return .bare(scalar)
    case .type, .unknown: throw notPlain
    }
  }

  /// Counts an occurrence of an object or scalar.
  private mutating func count(_ identity: Int) { graph.occurrences.add(identity) }
}
