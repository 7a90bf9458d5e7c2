extension ArchiveGraph {
  /// The error for an archive that a graph cannot represent. Such an archive is shown as its raw property
  /// list.
  private static var notPlain: FerryError { FerryError(.typed(.notExact)) }

  /// Reads the graph of an archive, up to a size limit.
  ///
  /// - Throws: `.typed(.notExact)` if a graph cannot represent the archive (it has dangling references,
  ///   additional keys next to `$top`, two classes with the same name …), or if the graph would be too large.
  init(_ archive: ArchiveObjects, limit: Int) throws(FerryError) {
    let nodes = archive.nodes
    guard case .dictionary(4) = try nodes.kind(of: nodes.root), archive.count > 0 else { throw Self.notPlain }
    scalars = nodes
    bare = BareScalars(nodes: nodes, archive: archive)
    archiver = archive.archiver
    var reader = GraphReader(archive)
    objects = try reader.objects()
    types = reader.types
    for (name, node) in archive.top { top.append((name, try reader.part(node))) }
    guard try isLighter(than: limit) else { throw Self.notPlain }
    try arrange(archive)
  }

  /// Sorts the fields of objects in the order in which they were encoded, as far as object numbers show it.
  /// An object is numbered at its first reference, so the field that leads to the smallest new number was
  /// encoded first.
  private mutating func arrange(_ archive: ArchiveObjects) throws(FerryError) {
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
        guard var object = objects[number] else { continue }
        try order(&object.fields, of: number, isVisited, archive)
        objects[number] = object
        for field in object.fields.reversed() { work.append(field.value) }
      }
      // Objects that no root can reach follow.
      while rest < objects.count, isVisited[rest] || archive.isType(ObjectNumber(rest)) { rest += 1 }
      guard rest < objects.count else { return }
      let part = objects[rest] == nil ? Part.bare(NodeID(rest)) : .object(rest)
      others.append(part)
      work.append(part)
    }
  }

  /// Sorts the fields of an object. Fields that lead to new objects are sorted by object number, the others
  /// in the order of an archiver's hash table.
  private func order(
    _ fields: inout [(key: NodeID, value: Part)], of number: Int, _ isVisited: [Bool],
    _ archive: ArchiveObjects
  ) throws(FerryError) {
    guard fields.count > 1 else { return }
    var firsts: [Int?] = []
    for field in fields {
      var first: Int?
      field.value.forEachReference { part in
        if first == nil, let number = part.reference, !isVisited[number] { first = number }
      }
      firsts.append(first)
    }
    let new = fields.indices.filter { firsts[$0] != nil }.sorted { (firsts[$0] ?? 0) < (firsts[$1] ?? 0) }
    let old = fields.indices.filter { firsts[$0] == nil }
    var remaining = new.makeIterator()
    let keptOrder = fields.indices.map { firsts[$0] == nil ? $0 : remaining.next() ?? $0 }
    let stored = fields.indices.map { $0 }
    var chosen = keptOrder
    for candidate in [keptOrder, old + new, new + old] {
      let order = try hashOrder(of: candidate.map { fields[$0].key })
      if order.filter({ $0 < candidate.count }).map({ candidate[$0] }) == stored {
        chosen = candidate
        break
      }
    }
    fields = chosen.map { fields[$0] }
    // The keys of a dictionary are encoded before its values, regardless of object numbers.
    if fields.count == 2, try scalars.isString(fields[0].key, "NS.objects"),
      try scalars.isString(fields[1].key, "NS.keys")
    {
      fields.swapAt(0, 1)
    }
  }

  /// Returns the indices of keys, followed by `$class`, in the order of an archiver's hash table.
  func hashOrder(of keys: [NodeID]) throws(FerryError) -> [Int] {
    var hashes: [UInt64] = []
    for key in keys {
      hashes.append(try scalars.withText(of: key) { text throws(FerryError) in KeyOrder.hash(text.utf16) })
    }
    hashes.append(Self.hashOfClass)
    return KeyOrder.indices(of: hashes)
  }

  private static let hashOfClass = KeyOrder.hash(Array("$class".utf16))
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
  func pushReferences(to work: inout [Self]) {
    var parts: [Self] = []
    forEachReference { parts.append($0) }
    work.append(contentsOf: parts.reversed())
  }
}

/// A parser of the objects in an archive, one at a time.
private struct GraphReader {
  private let archive: ArchiveObjects
  private let nodes: any PropertyListNodes
  private(set) var types: [ObjectClass] = []
  private var typeNames: Set<ExactString> = []
  private var typeNumbers: [UInt64: Int] = [:]
  /// The parts for references, by object number. They are reused, because an object may have many references.
  private var references: [UInt64: ArchiveGraph.Part] = [:]

  init(_ archive: ArchiveObjects) {
    self.archive = archive
    nodes = archive.nodes
  }

  private var notPlain: FerryError { FerryError(.typed(.notExact)) }

  mutating func objects() throws(FerryError) -> [ArchiveGraph.Object?] {
    var objects: [ArchiveGraph.Object?] = []
    objects.reserveCapacity(archive.count)
    guard try nodes.isString(archive.node(of: .null), "$null") else { throw notPlain }
    for number in archive.numbers { objects.append(try object(number)) }
    return objects
  }

  /// Returns an object with a class, or nil for a class description or a scalar.
  private mutating func object(_ number: ObjectNumber) throws(FerryError) -> ArchiveGraph.Object? {
    let node = try archive.node(of: number)
    switch try nodes.kind(of: node) {
    case .string, .data, .integer, .real, .single, .boolean, .date: return nil
    case .dictionary(let count):
      if try nodes.value("$classname", of: node) != nil {
        // The graph cannot represent a class description without an object of the class.
        guard try typeNumber(number.uid) != nil else { throw notPlain }
        return nil
      }
      return try object(node, count)
    default: throw notPlain
    }
  }

  private mutating func object(_ node: NodeID, _ count: Int) throws(FerryError) -> ArchiveGraph.Object {
    guard try nodes.hasPlainKeys(node, count) else { throw notPlain }
    var fields: [(key: NodeID, value: ArchiveGraph.Part)] = []
    var type: Int?
    for index in 0..<count {
      let key = try nodes.key(index, of: node)
      let value = try nodes.value(index, of: node)
      if try nodes.isString(key, "$class") {
        guard case .uid(let uid) = try nodes.kind(of: value) else { throw notPlain }
        type = try typeNumber(uid)
      } else {
        fields.append((key, try part(value)))
      }
    }
    guard let type else { throw notPlain }
    return ArchiveGraph.Object(type: type, fields: fields)
  }

  private mutating func typeNumber(_ uid: UInt64) throws(FerryError) -> Int? {
    if let known = typeNumbers[uid] { return known }
    let type = try archive.type(uid, referredFrom: nodes.root)
    guard typeNames.insert(type.name).inserted, try archive.isPlainType(uid) else { throw notPlain }
    types.append(type)
    typeNumbers[uid] = types.count - 1
    return types.count - 1
  }

  mutating func part(_ node: NodeID) throws(FerryError) -> ArchiveGraph.Part { try part(node, depth: 0) }

  /// Returns the part for a node. Inline collections are normally shallow; nesting deeper than 16 levels
  /// throws.
  private mutating func part(_ node: NodeID, depth: Int) throws(FerryError) -> ArchiveGraph.Part {
    guard depth < 16 else { throw notPlain }
    switch try nodes.kind(of: node) {
    case .uid(0): return .nothing
    case .uid(let uid):
      if let known = references[uid] { return known }
      guard let number = archive.number(uid), !archive.isType(number) else { throw notPlain }
      let target = try nodes.kind(of: archive.node(of: number))
      let part: ArchiveGraph.Part =
        if case .dictionary = target { .object(number.index) } else { .bare(NodeID(number.index)) }
      references[uid] = part
      return part
    case .array(let count), .set(let count):
      var parts: [ArchiveGraph.Part] = []
      for index in 0..<count { parts.append(try part(nodes.element(index, of: node), depth: depth + 1)) }
      if case .set = try nodes.kind(of: node) { return .set(parts) }
      return .list(parts)
    case .dictionary(let count):
      guard try nodes.hasPlainKeys(node, count) else { throw notPlain }
      var entries: [(key: NodeID, value: ArchiveGraph.Part)] = []
      for index in 0..<count {
        let value = try part(nodes.value(index, of: node), depth: depth + 1)
        entries.append((try nodes.key(index, of: node), value))
      }
      return .dictionary(entries)
    case .null: throw notPlain
    default: return .scalar(node)
    }
  }
}

extension ArchiveObjects {
  /// Returns true if an object is a class description.
  func isType(_ number: ObjectNumber) -> Bool {
    guard let node = try? node(of: number) else { return false }
    return (try? nodes.value("$classname", of: node)) != nil
  }

  /// Returns true if a class description has only a name, a chain of superclasses and hints.
  fileprivate func isPlainType(_ uid: UInt64) throws(FerryError) -> Bool {
    let node = try node(of: uid, referredFrom: nodes.root)
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return false }
    let known: [StaticString] = ["$classname", "$classes", "$classhints"]
    var found = 0
    for key in known {
      guard let value = try nodes.value(key, of: node) else { continue }
      found += 1
      // The typed form does not distinguish an empty list from a missing one.
      if case .array(0) = try nodes.kind(of: value) { return false }
    }
    return found == count
  }
}
