/// The writer of a changed binary property list. Unchanged objects keep their bytes, apart from the numbers of the objects to which they
/// refer.
struct BinaryEdits {
  private let list: EditedPropertyList
  private let layout: BinaryLayout
  private let storage: KeptStorage

  /// Creates the writer of a list whose base is a file with this layout.
  init(of list: EditedPropertyList, over file: BinaryPropertyList, _ layout: BinaryLayout) throws(FerryError)
  {
    (self.list, self.layout) = (list, layout)
    storage = KeptStorage(file: file, replaced: try list.replacedNodes())
  }

  /// Returns the bytes of the changed file.
  ///
  /// - Parameter shared: The objects of equal scalars that new scalars would share in this file.
  func bytes(sharing shared: [NodeID: NodeID]) throws(FerryError) -> [UInt8] {
    list.sharedScalars = try kept(shared)
    defer { list.sharedScalars = [:] }
    let output = MemoryOutput()
    // A layout without a known rule is stored as a patch, which fits only the unchanged file.
    guard layout.patch == nil else {
      let kept = try KeptOrder(of: list, storage)
      var objects = BinaryObjects(
        nodes: kept.nodes, numbers: kept.numbers, of: list, keeping: storage, layout: layout, to: output)
      try objects.write(sequence: kept.sequence)
      return output.bytes
    }
    let order = try ObjectOrder(of: list, layout: layout, sharing: .settled)
    try BinaryObjects.write(order, of: list, layout: layout, to: output)
    return output.bytes
  }

  /// Returns the shared objects of new scalars without those whose sharing would change other objects of the file.
  private func kept(_ shared: [NodeID: NodeID]) throws(FerryError) -> [NodeID: NodeID] {
    guard !shared.isEmpty else { return [:] }
    let separate = try separateScalars()
    var kept: [NodeID: NodeID] = [:]
    for (node, object) in shared where !separate.contains(node) {
      // A file that is written anew stores equal scalars alike.
      let isAlike = try layout.patch == nil ? true : storage.storesAlike(node, object, in: list)
      if isAlike { kept[node] = object }
    }
    return kept
  }

  /// Returns the new scalars that are equal and replace equal ones. If those were several objects, the program that wrote
  /// the file did not share them, so the new scalars are several objects, too:
  ///
  ///     old    2 "Person" as $classname    4 "Person" in $classes
  ///     new    2 "Human" as $classname     4 "Human" in $classes
  private func separateScalars() throws(FerryError) -> Set<NodeID> {
    struct Change: Hashable {
      let old: NodeID
      let new: NodeID
    }
    var values = ScalarTable<EditedPropertyList>(list)
    var changes: [Change: (nodes: [NodeID], first: NodeID, isSeparate: Bool)] = [:]
    for (node, old) in storage.replaced {
      guard try !list.kind(of: node).isCollection, try !list.base.kind(of: old).isCollection else { continue }
      let change = Change(old: try values.first(equalTo: old), new: try values.first(equalTo: node))
      changes[change, default: ([], old, false)].nodes.append(node)
      if changes[change]?.first != old { changes[change]?.isSeparate = true }
    }
    return Set(changes.values.lazy.filter(\.isSeparate).flatMap(\.nodes))
  }
}

extension EditedPropertyList {
  /// Returns, for each new node, the node of the base with the same key or index in the same collection, if there is one.
  fileprivate func replacedNodes() throws(FerryError) -> [NodeID: NodeID] {
    var replaced: [NodeID: NodeID] = [:]
    // A new collection may be a changed copy of one with several references.
    var waiting = changedNodes.filter { $0 < firstNewNode }.map { (new: $0, old: $0) }
    func pair(_ new: NodeID, _ old: NodeID) throws(FerryError) {
      guard new >= firstNewNode, replaced[new] == nil else { return }
      replaced[new] = old
      if try kind(of: new).isCollection { waiting.append((new, old)) }
    }
    try pair(root, base.root)
    while let (new, old) = waiting.popLast() {
      switch (try kind(of: new), try base.kind(of: old)) {
      case (.dictionary(let count), .dictionary(let oldCount)):
        try pairEntries(of: new, count, old, oldCount, pair)
      case (.array(let count), .array(let oldCount)), (.set(let count), .set(let oldCount)):
        try pairElements(of: new, count, old, oldCount, pair)
      default: break
      }
    }
    return replaced
  }

  /// Pairs the values of equal keys, and other entries with equal indices.
  private func pairEntries(
    of new: NodeID, _ count: Int, _ old: NodeID, _ oldCount: Int,
    _ pair: (NodeID, NodeID) throws(FerryError) -> Void
  ) throws(FerryError) {
    var oldIndices: [NodeID: Int] = [:]
    for index in 0..<oldCount { oldIndices[try base.key(index, of: old)] = index }
    for index in 0..<count {
      let (key, value) = (try key(index, of: new), try value(index, of: new))
      if let oldIndex = oldIndices[key] {
        try pair(value, base.value(oldIndex, of: old))
      } else if count == oldCount {
        try pair(key, base.key(index, of: old))
        try pair(value, base.value(index, of: old))
      }
    }
  }

  /// Pairs the elements with equal indices before the equal ones at the end.
  private func pairElements(
    of new: NodeID, _ count: Int, _ old: NodeID, _ oldCount: Int,
    _ pair: (NodeID, NodeID) throws(FerryError) -> Void
  ) throws(FerryError) {
    var end = (new: count, old: oldCount)
    while end.new > 0, end.old > 0, try element(end.new - 1, of: new) == base.element(end.old - 1, of: old) {
      end = (end.new - 1, end.old - 1)
    }
    for index in 0..<min(end.new, end.old) { try pair(element(index, of: new), base.element(index, of: old)) }
  }
}
