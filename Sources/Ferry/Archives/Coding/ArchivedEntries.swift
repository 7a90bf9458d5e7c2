internal import OrderedCollections

/// What an object holds, by name: its archived keys, or the entries of a dictionary whose keys are strings.
struct ArchivedFields {
  /// Nodes by name.
  private var values: OrderedDictionary<ExactString, Int> = [:]

  /// Nil when the node is no dictionary and no object.
  init?(_ frame: ArchivedFrame, in decoding: ArchiveDecoding) throws(Failure) {
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
        // The archiver puts a `$` before names that begin with one.
        add(name.hasPrefix("$$") ? String(name.dropFirst()) : name, try nodes.value(index, of: node))
      }
    }
  }

  /// Of two equal names the first counts, as in CoreFoundation.
  private mutating func add(_ name: String, _ node: Int) {
    let name = ExactString(name)
    if values[name] == nil { values[name] = node }
  }

  /// The names in the file's order.
  var names: [String] { values.keys.map(\.string) }

  /// The node of a value, or nil.
  func value(_ name: String) -> Int? { values[ExactString(name)] }
}
