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
    try arrange(entries)
  }

  /// Sorts the fields of objects in the order in which they were encoded, as far as object numbers show it.
  /// An object is numbered at its first reference, so the field that leads to the smallest new number was
  /// encoded first.
  private mutating func arrange(_ entries: [ArchiveGraphReader.Entry]) throws(FerryError) {
    var orders = FieldOrders(keyLists, scalars)
    var isVisited = [Bool](repeating: false, count: objects.count)
    for root in top { try arrange(from: root.value, &orders, &isVisited) }
    // Objects that no root can reach follow.
    for rest in objects.indices where rest > 0 && !isVisited[rest] && entries[rest] != .type {
      addOther(rest)
      for other in others.suffix(1) { try arrange(from: other, &orders, &isVisited) }
    }
  }

  /// Sorts the fields of the objects that a part leads to and that were not visited yet.
  private mutating func arrange(
    from part: Part, _ orders: inout FieldOrders, _ isVisited: inout [Bool]
  ) throws(FerryError) {
    var work = [try arrange(part, &orders, &isVisited)]
    while var rest = work.popLast() {
      while let index = rest.first {
        rest = index + 1..<rest.upperBound
        let part = parts[index]
        if part.isLeaf {
          if let scalar = part.reference { isVisited[scalar] = true }
          continue
        }
        // The parts of the part come before the next ones.
        let inner = try arrange(part, &orders, &isVisited)
        guard !inner.isEmpty else { continue }
        work.append(rest)
        rest = inner
      }
    }
  }

  /// Sorts the fields of a part that is an object and was not visited yet. Returns the indices of the parts that it leads to.
  private mutating func arrange(
    _ part: Part, _ orders: inout FieldOrders, _ isVisited: inout [Bool]
  ) throws(FerryError) -> Range<Int> {
    guard let number = part.reference else { return parts.indices(in: part) }
    guard !isVisited[number] else { return 0..<0 }
    isVisited[number] = true
    guard let object = objects[number] else { return 0..<0 }
    if let order = try orders.order(of: object, in: parts, isVisited) {
      parts.arrange(object.values.indices, order.fields)
      objects.set(number, Object(type: object.type, keys: order.keys, values: object.values))
    }
    return object.values.indices
  }
}

/// The orders in which the fields of objects were encoded. Each is found once for the same keys and the same order of
/// new objects.
private struct FieldOrders {
  /// An order of fields.
  struct Order {
    /// The indices of the fields.
    let fields: [Int]
    /// The number of the list of keys in this order.
    let keys: Int
  }

  private let keyLists: KeyLists
  private let nodes: any PropertyListNodes
  /// The orders, or nil if fields stay as they are.
  private var known: [[Int]: Order?] = [:]
  private var numbers: [(number: Int, field: Int)] = []
  /// The last pattern of keys and new objects, and its order.
  private var last: (pattern: [Int], order: Order?) = ([], nil)
  private var pattern: [Int] = []
  /// The keys and the fields that lead to new objects, as bits, of the last object whose new objects were sorted.
  private var lastSorted: (keys: Int, fields: UInt64)?

  init(_ keyLists: KeyLists, _ nodes: any PropertyListNodes) {
    (self.keyLists, self.nodes) = (keyLists, nodes)
  }

  /// Returns the order in which the fields of an object were encoded, or nil if they have that order. Fields that lead to new
  /// objects are sorted by object number, the others in the order of an archiver's hash table.
  mutating func order(of object: ArchiveGraph.Object, in parts: ArchiveGraph.PartList, _ isVisited: [Bool])
    throws(FerryError) -> Order?
  {
    let fields = object.values.indices
    guard fields.count > 1 else { return nil }
    // Most objects have the pattern of the object before, and new objects in the order of their numbers.
    let sorted = sortedFields(fields, in: parts, isVisited)
    if let sorted, let lastSorted, lastSorted == (object.keys, sorted) { return last.order }
    lastSorted = sorted.map { (object.keys, $0) }
    numbers.removeAll(keepingCapacity: true)
    var isSorted = true
    for (field, index) in fields.enumerated() {
      guard let number = newReference(in: parts[index], parts, isVisited) else { continue }
      if let last = numbers.last { isSorted = isSorted && last.number < number }
      numbers.append((number, field))
    }
    if !isSorted { numbers.sort { $0 < $1 } }
    pattern.removeAll(keepingCapacity: true)
    pattern.append(object.keys)
    for new in numbers { pattern.append(new.field) }
    if pattern != last.pattern { last = (pattern, try knownOrder(of: keyLists[object.keys].keys)) }
    return last.order
  }

  /// Returns the fields that lead to new objects as bits. Returns nil if the new objects are not in the order of their numbers, or if there
  /// are too many fields.
  private func sortedFields(
    _ fields: Range<Int>, in parts: ArchiveGraph.PartList, _ isVisited: [Bool]
  ) -> UInt64? {
    guard fields.count <= UInt64.bitWidth else { return nil }
    var (bits, bit, last): (UInt64, UInt64, Int) = (0, 1, -1)
    for index in fields {
      if let number = newReference(in: parts[index], parts, isVisited) {
        guard number > last else { return nil }
        last = number
        bits |= bit
      }
      bit <<= 1
    }
    return bits
  }

  /// Returns the first number of an object in a part that was not visited yet. Most parts are references or scalars.
  @inline(__always)
  private func newReference(
    in part: ArchiveGraph.Part, _ parts: ArchiveGraph.PartList, _ isVisited: [Bool]
  ) -> Int? {
    if let number = part.reference { return isVisited[number] ? nil : number }
    return part.isLeaf ? nil : parts.firstReference(in: part) { !isVisited[$0] }
  }

  /// Returns the order of fields with the current pattern.
  private mutating func knownOrder(of keys: [NodeID]) throws(FerryError) -> Order? {
    if let order = known[pattern] { return order }
    let fields = try order(of: keys, new: numbers.map(\.field))
    var changed: Order?
    if fields != Array(keys.indices) {
      changed = Order(fields: fields, keys: try keyLists.number(of: fields.map { keys[$0] }))
    }
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
      let order = try keyLists.order(of: keyLists.number(of: candidate.map { keys[$0] })).hashOrder
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
}

extension ArchiveGraph.PartList {
  /// Returns the indices of the parts in a part: the elements of a list, or the values of a dictionary.
  fileprivate func indices(in part: Element) -> Range<Int> {
    switch part {
    case .nothing, .object, .bare, .scalar: 0..<0
    case .list(let parts), .set(let parts): parts.indices
    case .dictionary(let entries): entries.values
    }
  }

  /// Returns the first object number of a reference in a part that meets a condition.
  fileprivate func firstReference(in part: Element, where isWanted: (Int) -> Bool) -> Int? {
    if let number = part.reference { return isWanted(number) ? number : nil }
    for index in indices(in: part) {
      if let number = firstReference(in: self[index], where: isWanted) { return number }
    }
    return nil
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
  private let file: BinaryPropertyList?
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
    file = archive.nodes as? BinaryPropertyList
    graph = ArchiveGraph(
      scalars: nodes, bare: BareScalars(nodes: nodes, objects: objects), archiver: archive.archiver)
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
    return try file.outline(of: node)
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
    for (index, recent) in recentShapes.enumerated() where try file.haveSameKeys(recent.node, node) {
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
    if let file { return try file.appendValues(of: node, to: &references, uids: &uids) }
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
