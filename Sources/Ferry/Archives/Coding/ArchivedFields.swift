internal import OrderedCollections

/// The fields of an object by name: its archived keys, or the entries of a dictionary whose keys are strings.
struct ArchivedFields {
  /// The value nodes by name.
  private var values: OrderedDictionary<ExactString, NodeID> = [:]

  /// Collects the fields of an object. Fails if the node is neither a dictionary nor an object.
  init?(_ frame: ArchivedFrame, in decoding: ArchiveDecoding) throws(FerryError) {
    guard let node = frame.target, case .dictionary(let count) = try decoding.nodes.kind(of: node) else {
      return nil
    }
    let nodes = decoding.nodes
    if let pairs = try ArchivedCollection(node, frame.objectClass, in: nodes), pairs.kind == .dictionary {
      for index in 0..<pairs.count {
        guard let key = try decoding.resolve(pairs.key(index, in: nodes)).target,
          let name = try decoding.keyText(key)
        else { continue }
        add(name, try pairs.element(index, in: nodes))
      }
    } else {
      for index in 0..<count {
        guard let name = try decoding.keyText(nodes.key(index, of: node)), name != "$class" else { continue }
        // The archiver adds a `$` to names that begin with `$`.
        add(name.begins(with: "$$") ? name.droppingFirst() : name, try nodes.value(index, of: node))
      }
    }
  }

  /// Adds a field. If two names are equal, the first is used, as in CoreFoundation.
  private mutating func add(_ name: String, _ node: NodeID) {
    let name = ExactString(name)
    if values[name] == nil { values[name] = node }
  }

  /// The names, in the order of the file.
  var names: [String] { values.keys.map(\.string) }

  /// Returns the node of a value, or nil if the name is missing.
  func value(_ name: String) -> NodeID? { values[ExactString(name)] }
}
