extension ArchiveGraph {
  /// Returns the identity of an inline scalar in the typed form. It is greater than the identities of all
  /// objects.
  func identity(ofScalar node: NodeID) -> Int { objects.count + node.index }

  /// Returns the identity of an object or a scalar in the typed form, or nil for other parts.
  func identity(of part: Part) -> Int? {
    switch part {
    case .object(let number): number
    case .bare(let node): node.index
    case .scalar(let node): identity(ofScalar: node)
    case .nothing, .list, .set, .dictionary: nil
    }
  }

  /// Returns the number of occurrences of each object and scalar, by identity. Scalars that are keys of
  /// dictionaries are not counted, because a key is always written in full.
  func occurrences() throws(FerryError) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: objects.count + scalars.nodeCount)
    for top in top { count(top.value, in: &counts) }
    for object in objects {
      for field in object?.fields ?? [] {
        count(field.value, areKeys: try scalars.isString(field.key, "NS.keys"), in: &counts)
      }
    }
    for part in others { count(part, in: &counts) }
    return counts
  }

  /// Adds the occurrences of strings and data in a part.
  private func count(_ part: Part, areKeys: Bool = false, in counts: inout [UInt32]) {
    part.forEachLeaf { leaf in
      if areKeys {
        guard case .object = leaf else { return }
      }
      if let identity = identity(of: leaf), counts[identity] < .max { counts[identity] += 1 }
    }
  }

  /// Returns true if the typed form is no larger than a limit in bytes. The typed form contains each object
  /// once, with the names of its class and its keys, and repeats strings and data as `RepeatedScalars`
  /// decides.
  func isLighter(than limit: Int) throws(FerryError) -> Bool {
    var rest = limit
    for type in types { rest -= type.chain.reduce(0) { $0 + $1.utf8.count } }
    for object in objects {
      guard let object, rest >= 0 else { continue }
      rest -= types[object.type].name.utf8.count
      for field in object.fields { rest -= try weightOfKeys(of: field) }
    }
    for (identity, count) in try occurrences().enumerated() where count > 0 && rest >= 0 {
      guard let length = try length(ofScalar: identity) else { continue }
      rest -= RepeatedScalars.weight(length: length, occurrences: Int(count))
    }
    return rest >= 0
  }

  /// Returns the number of bytes for the key of a field. If the field is the list of a dictionary's keys,
  /// these are included.
  private func weightOfKeys(of field: (key: NodeID, value: Part)) throws(FerryError) -> Int {
    var weight = try Budget.valueCost + scalars.length(of: field.key)
    guard try scalars.isString(field.key, "NS.keys"), case .list(let keys) = field.value else {
      return weight
    }
    for case .bare(let number) in keys {
      switch try bare.kind(of: number) {
      case .string, .data: weight += try bare.length(of: number)
      default: break
      }
    }
    return weight
  }

  /// Returns the length of the string or data with an identity, or nil for other identities.
  func length(ofScalar identity: Int) throws(FerryError) -> Int? {
    let isObject = identity < objects.count
    guard !isObject || objects[identity] == nil else { return nil }
    let node = isObject ? try bare.node(NodeID(identity)) : NodeID(identity - objects.count)
    switch try bare.nodes.kind(of: node) {
    case .string, .data: return try bare.nodes.length(of: node)
    default: return nil
    }
  }
}

extension ArchiveGraph.Part {
  /// Calls a function with each reference and each scalar in a part, in order, including those in inline
  /// collections.
  func forEachLeaf(_ body: (Self) -> Void) {
    switch self {
    case .nothing: break
    case .scalar, .object, .bare: body(self)
    case .list(let parts), .set(let parts): for part in parts { part.forEachLeaf(body) }
    case .dictionary(let entries): for entry in entries { entry.value.forEachLeaf(body) }
    }
  }
}
