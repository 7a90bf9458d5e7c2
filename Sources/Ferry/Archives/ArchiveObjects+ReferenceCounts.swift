extension ArchiveObjects {
  /// Returns the number of references to each object, counted up to 2. References to classes are not counted.
  ///
  /// References in inline values count too. A binary file may share an inline value; it is then visited a
  /// second time, because its references occur a second time.
  ///
  /// - Parameters:
  ///   - part: The node inside which references are followed and counted; nil for the whole archive, with the
  ///     objects that nothing refers to.
  ///   - visit: Receives the number of the object of each reference.
  func referenceCounts(within part: NodeID? = nil, _ visit: (ObjectNumber) -> Void = { _ in })
    throws(FerryError)
    -> [UInt8]
  {
    if let file = nodes as? BinaryPropertyList, !file.mayExceedTokenBytes {
      return try file.withTable { table throws(FerryError) in
        var counter = BinaryReferenceCounter(self, in: file)
        try counter.count(within: part, in: part == nil ? 0..<count : 0..<0, table, visit)
        return counter.counts
      }
    }
    var steps = visitLimit
    var counts = [UInt8](repeating: 0, count: count)
    var visits = [UInt8](repeating: 0, count: nodes.nodeCount)
    var waiting = part.map { [$0] } ?? top.map(\.node)
    var rest = part == nil ? 0..<count : 0..<0
    while true {
      guard let node = waiting.popLast() else {
        guard let next = rest.popFirst() else { return counts }
        waiting.append(try nodes.element(next, of: objects))
        continue
      }
      let kind = try nodes.kind(of: node)
      if case .uid(let uid) = kind {
        guard let number = number(uid) else { continue }
        let index = number.index
        if part != nil, counts[index] == 0 { waiting.append(try nodes.element(index, of: objects)) }
        counts[index] = min(counts[index] + 1, 2)
        visit(number)
      } else if visits[node.index] < 2 {
        visits[node.index] += 1
        let known = waiting.count
        guard steps >= kind.childCount else { throw FerryError(.archive(.malformed("its objects overlap"))) }
        try addChildren(of: node, kind, to: &waiting)
        steps -= waiting.count - known
      }
    }
  }

  /// The number of references that may be visited. Overlapping objects may each have the references of all others; a valid file
  /// has no more than it has bytes.
  var visitLimit: Int { 2 * nodes.byteCount + count }

  private func addChildren(of node: NodeID, _ kind: NodeKind, to waiting: inout [NodeID]) throws(FerryError) {
    switch kind {
    case .array(let elements), .set(let elements):
      for index in 0..<elements { waiting.append(try nodes.element(index, of: node)) }
    case .dictionary(let entries):
      for index in 0..<entries {
        if try nodes.isString(nodes.key(index, of: node), "$class") { continue }
        waiting.append(try nodes.value(index, of: node))
      }
    default: break
    }
  }
}

/// A counter of the references in a binary archive, whose bytes are borrowed once for all of them. It visits the nodes in the
/// order of `referenceCounts`, and throws the same errors.
struct BinaryReferenceCounter {
  private let archive: ArchiveObjects
  private(set) var counts: [UInt8]
  private var visits: [UInt8]
  private var waiting: [NodeID] = []
  private var steps: Int
  /// The number of references that have been visited.
  var stepCount: Int { archive.visitLimit - steps }
  /// For each node, 1 if it is the key `$class` and 2 if it is another key, or 0 if that is not known.
  private var keys: [UInt8]

  init(_ archive: ArchiveObjects, in file: BinaryPropertyList) {
    self.archive = archive
    counts = [UInt8](repeating: 0, count: archive.count)
    visits = [UInt8](repeating: 0, count: file.nodeCount)
    keys = visits
    steps = archive.visitLimit
  }

  /// Counts the references in a part of the archive, or in all objects of a range.
  ///
  /// - Parameters:
  ///   - part: The node inside which references are followed and counted; nil to count those in objects.
  ///   - numbers: The numbers of the objects. The roots of the archive belong to the first object.
  mutating func count(
    within part: NodeID?, in numbers: Range<Int>, _ table: BinaryObjectTable,
    _ visit: (ObjectNumber) -> Void
  ) throws(FerryError) {
    let all = try table.object(archive.objects)
    waiting = part.map { [$0] } ?? (numbers.lowerBound == 0 ? archive.top.map(\.node) : [])
    var rest = numbers
    while true {
      guard let node = waiting.popLast() else {
        guard let next = rest.popFirst() else { return }
        waiting.append(try table.reference(next, of: all))
        continue
      }
      let object = try table.object(node)
      switch object.kind {
      case 0x8:
        let uid = table.uid(object)
        guard uid < UInt64(counts.count) else { continue }
        let index = Int(uid)
        if part != nil, counts[index] == 0 { waiting.append(try table.reference(index, of: all)) }
        if counts[index] < 2 { counts[index] += 1 }
        visit(ObjectNumber(index))
      case 0xa, 0xc, 0xd:
        guard visits[node.index] < 2 else { continue }
        visits[node.index] += 1
        try addChildren(of: object, table)
      default: _ = try table.kind(of: object)
      }
    }
  }

  /// Adds the elements of a collection, or the values of an object except for its class.
  private mutating func addChildren(
    of object: BinaryObjectTable.Object, _ table: BinaryObjectTable
  ) throws(FerryError) {
    guard steps >= object.count else { throw FerryError(.archive(.malformed("its objects overlap"))) }
    let known = waiting.count
    let isDictionary = object.kind == 0xd
    for index in 0..<object.count {
      if isDictionary {
        guard try !isClassKey(table.reference(index, of: object), table) else { continue }
      }
      waiting.append(try table.reference(isDictionary ? object.count + index : index, of: object))
    }
    steps -= waiting.count - known
  }

  /// Returns true if a key is `$class`. Most keys belong to many objects, so each is examined once.
  @inline(__always)
  private mutating func isClassKey(_ key: NodeID, _ table: BinaryObjectTable) throws(FerryError) -> Bool {
    if keys[key.index] == 0 { keys[key.index] = try findClassKey(key, table) ? 1 : 2 }
    return keys[key.index] == 1
  }

  private func findClassKey(_ key: NodeID, _ table: BinaryObjectTable) throws(FerryError) -> Bool {
    let object = try table.object(key)
    guard object.kind == 0x5, object.count == 6 else { return table.isString(object, "$class") }
    return try table.ascii(object).equals("$class")
  }
}
