extension ArchiveGraph {
  /// Returns the identity of an inline scalar in the typed form. It is greater than the identities of all
  /// objects.
  func identity(ofScalar node: NodeID) -> Int { objects.count + node.index }

  /// Returns the number of occurrences of each object and scalar in the roots and in objects, by identity. Scalars that are keys of
  /// dictionaries are not counted, because a key is always written in full.
  func countedOccurrences() throws(FerryError) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: objects.count + scalars.nodeCount)
    for top in top { count(top.value, in: &counts) }
    for object in objects {
      guard let object else { continue }
      for field in object.fields {
        count(field.value, areKeys: try isKeyList(field.key, of: object), in: &counts)
      }
    }
    return counts
  }

  /// Adds an object that no root can reach, and its occurrence among the others.
  mutating func addOther(_ number: Int) {
    others.append(objects[number] == nil ? .bare(NodeID(number)) : .object(number))
    if occurrences[number] < .max { occurrences[number] += 1 }
  }

  /// Adds the occurrences of objects and scalars in a part.
  private func count(_ part: Part, areKeys: Bool = false, in counts: inout [UInt32]) {
    let identity: Int
    switch part {
    case .nothing: return
    case .object(let number): identity = number
    case .bare(let number) where !areKeys: identity = number.index
    case .scalar(let node) where !areKeys: identity = self.identity(ofScalar: node)
    case .bare, .scalar: return
    case .list(let parts), .set(let parts):
      for part in parts { count(part, areKeys: areKeys, in: &counts) }
      return
    case .dictionary(let entries):
      for entry in entries { count(entry.value, areKeys: areKeys, in: &counts) }
      return
    }
    if counts[identity] < .max { counts[identity] += 1 }
  }

  /// Returns true if the typed form is no larger than a limit in bytes. The typed form contains each object
  /// once, with the names of its class and its keys, and repeats strings and data as `RepeatedScalars`
  /// decides.
  ///
  /// - Parameter keyWeight: The weight of the keys of all fields.
  func isLighter(than limit: Int, keyWeight: Int) throws(FerryError) -> Bool {
    var rest = limit - keyWeight
    for type in types { rest -= type.chain.reduce(0) { $0 + $1.utf8.count } }
    let lengthsOfNames = types.map(\.name.utf8.count)
    for object in objects {
      guard let object, rest >= 0 else { continue }
      rest -= lengthsOfNames[object.type]
      for field in object.fields where try isKeyList(field.key, of: object) {
        rest -= try weight(ofKeys: field.value)
      }
    }
    for (identity, count) in occurrences.enumerated() where count > 0 && rest >= 0 {
      guard let length = try length(ofScalar: identity) else { continue }
      rest -= RepeatedScalars.weight(length: length, occurrences: Int(count))
    }
    return rest >= 0
  }

  /// Returns the number of bytes in the list of a dictionary's keys.
  private func weight(ofKeys list: Part) throws(FerryError) -> Int {
    guard case .list(let keys) = list else { return 0 }
    var weight = 0
    for case .bare(let number) in keys { weight += try bare.lengthOfStringOrData(number) ?? 0 }
    return weight
  }

  /// Returns the length of the string or data with an identity, or nil for other identities.
  func length(ofScalar identity: Int) throws(FerryError) -> Int? {
    let isObject = identity < objects.count
    guard !isObject || objects[identity] == nil else { return nil }
    let node = isObject ? try bare.node(NodeID(identity)) : NodeID(identity - objects.count)
    return try scalars.lengthOfStringOrData(node)
  }
}
