extension ArchiveGraph {
  /// Returns the identity of an inline scalar in the typed form. It is greater than the identities of all
  /// objects.
  func identity(ofScalar node: NodeID) -> Int { objects.count + node.index }

  /// Adds an object that no root can reach, and its occurrence among the others.
  mutating func addOther(_ number: Int) {
    others.append(objects.hasObject(number) ? .object(number) : .bare(NodeID(number)))
    occurrences.add(number)
  }

  /// Returns true if the typed form is no larger than a limit in bytes. The typed form contains each object
  /// once, with the names of its class and its keys, and repeats strings and data as `RepeatedScalars`
  /// decides.
  ///
  /// - Parameter nameWeight: The weight of the names of classes and keys of all objects.
  func isLighter(than limit: Int, nameWeight: Int) throws(FerryError) -> Bool {
    var rest = limit - nameWeight
    for type in types { rest -= type.chain.reduce(0) { $0 + $1.utf8.count } }
    for identity in 0..<occurrences.count where rest >= 0 && occurrences.contains(identity) {
      guard let length = try length(ofScalar: identity) else { continue }
      rest -= RepeatedScalars.weight(length: length, occurrences: occurrences[identity])
    }
    return rest >= 0
  }

  /// Returns the length of the string or data with an identity, or nil for other identities.
  func length(ofScalar identity: Int) throws(FerryError) -> Int? {
    let isObject = identity < objects.count
    guard !isObject || !objects.hasObject(identity) else { return nil }
    let node = isObject ? bare.node(NodeID(identity)) : NodeID(identity - objects.count)
    guard let file else { return try scalars.lengthOfStringOrData(node) }
    return try file.lend(throwing: { file throws(FerryError) in try file.lengthOfStringOrData(node) })
  }
}
