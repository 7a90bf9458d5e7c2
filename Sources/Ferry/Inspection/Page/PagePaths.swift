/// The rows of a page by path.
struct PagePaths {
  private let nodes: PageNodes
  /// For each row, the index after its last part.
  private let ends: [Int]
  /// The row of each object with an identity.
  private let targets: [Int: Int]
  private var parts: [Int: Parts] = [:]

  /// The parts of a collection.
  private struct Parts {
    var list: [Int] = []
    /// The parts by the number of their key's name. Nil for several keys of one name, which a path cannot tell apart.
    var byName: [Int: Int?] = [:]
  }

  init(_ nodes: PageNodes) {
    self.nodes = nodes
    ends = nodes.ends
    let identified = nodes.objects.compactMap { object in object.identity.map { ($0, object.node) } }
    targets = Dictionary(identified, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the row of the value at a path, or nil if the page does not show it.
  mutating func node(at path: ValuePath) -> Int? {
    guard nodes.count > 0 else { return nil }
    var node = 0
    for step in path.steps {
      let parts = parts(of: target(of: node))
      switch step {
      case .index(let index) where parts.list.indices.contains(index): node = parts.list[index]
      case .key(let name):
        guard let part = nodes.names.existingNumber(of: name).flatMap({ parts.byName[$0] ?? nil }) else {
          return nil
        }
        node = part
      default: return nil
      }
    }
    return node
  }

  /// Returns the object of a reference, or the row itself.
  private func target(of node: Int) -> Int {
    nodes.kinds[node] == ValueKind.reference.letter ? targets[nodes.values[node]] ?? node : node
  }

  private mutating func parts(of node: Int) -> Parts {
    if let known = parts[node] { return known }
    var found = Parts()
    var part = node + 1
    while part < ends[node] {
      found.list.append(part)
      if nodes.keys[part] != 0 {
        let name = abs(nodes.keys[part]) - 1
        found.byName.updateValue(found.byName[name] == nil ? part : nil, forKey: name)
      }
      part = ends[part]
    }
    parts[node] = found
    return found
  }
}

extension PageNodes {
  /// For each row, the index after its last part.
  fileprivate var ends: [Int] {
    var ends = [Int](repeating: 0, count: count)
    for node in (0..<count).reversed() {
      var end = node + 1
      if isCollection(node) { for _ in 0..<values[node] { end = ends[end] } }
      ends[node] = end
    }
    return ends
  }

  private func isCollection(_ node: Int) -> Bool {
    switch kinds[node] {
    case ValueKind.array.letter, ValueKind.set.letter, ValueKind.dictionary.letter: true
    default: false
    }
  }
}
