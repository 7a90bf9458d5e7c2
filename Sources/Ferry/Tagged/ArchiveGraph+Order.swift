extension ArchiveGraph {
  /// Sorts the fields of objects in the order in which they were encoded, as far as object numbers show it.
  /// An object is numbered at its first reference, so the field that leads to the smallest new number was
  /// encoded first.
  ///
  /// - Parameter isType: Returns true if the object with a number is a class description.
  mutating func arrange(isType: (Int) -> Bool) throws(FerryError) {
    var orders = FieldOrders(keyLists, scalars)
    var isVisited = [Bool](repeating: false, count: objects.count)
    for root in top { try arrange(from: root.value, &orders, &isVisited) }
    // Objects that no root can reach follow.
    for rest in objects.indices where rest > 0 && !isVisited[rest] && !isType(rest) {
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
        if !rest.isEmpty { work.append(rest) }
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
