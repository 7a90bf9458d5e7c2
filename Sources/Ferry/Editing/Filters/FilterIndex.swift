/// The elements of a list by the scalars to which the path of a filter's condition leads.
///
/// The index knows the collections that were read to find the scalars of an element, and reads the element again after one of these has
/// changed. It finds all elements that meet the condition, and may find others.
final class FilterIndex {
  /// The indices of each element, which may be in the list twice.
  private var indices: [NodeID: [Int]] = [:]
  private var keys: [NodeID: [FilterKey]] = [:]
  private var elements: [FilterKey: Set<NodeID>] = [:]
  /// The elements that have no keys, because they cannot be read, or have a value that no key finds.
  private var unknown: Set<NodeID> = []
  /// The elements for which each collection was read.
  private var readers: [NodeID: Readers] = [:]
  /// The elements to read again.
  private var changed: Set<NodeID> = []
  /// The elements of the list by index, as of the last update.
  private var nodesByIndex: [NodeID] = []
  /// The indices of elements that were replaced since then.
  private var replaced: Set<Int> = []
  /// True if elements may have moved since then.
  private var isListChanged = true
  /// The collections in which the objects of an archive are found.
  private var outer: Set<NodeID> = []

  /// The elements for which one collection was read.
  private struct Readers {
    /// The elements for which its kind, its count or its keys were read.
    var ofAll: [NodeID] = []
    /// The elements for which one of its elements, or the value of an entry, was read, by its index.
    var ofChildren: [Int: [NodeID]] = [:]
  }

  /// Returns the indices of the elements that have one of some keys, in order, with those of elements without keys.
  func indices(of keys: [FilterKey]) -> [Int] {
    var found = unknown
    for key in keys { if let elements = elements[key] { found.formUnion(elements) } }
    return found.flatMap { indices[$0] ?? [] }.sorted()
  }

  /// Notes that a collection changes. Returns false if the index has to be made again.
  func note(_ change: FilterLookups.Change, of node: NodeID, isList: Bool) -> Bool {
    guard !outer.contains(node) else { return false }
    if isList {
      switch change {
      case .children(let indices): replaced.formUnion(indices)
      case .addition: break
      case .others: isListChanged = true
      }
    }
    guard var readers = readers[node] else { return true }
    switch change {
    case .children(let indices):
      for index in indices {
        if let elements = readers.ofChildren.removeValue(forKey: index) { changed.formUnion(elements) }
      }
    case .addition:
      changed.formUnion(readers.ofAll)
      readers.ofAll = []
    case .others:
      changed.formUnion(readers.ofAll)
      for elements in readers.ofChildren.values { changed.formUnion(elements) }
      readers = Readers()
    }
    self.readers[node] = readers
    return true
  }

  /// Reads the elements that are new or have changed.
  func update(
    _ path: [ValuePath.Step], in list: ValueLocation, count: Int, of nodes: EditedPropertyList,
    by walker: PathWalker
  ) throws(FerryError) {
    let isLonger = count > nodesByIndex.count
    guard isListChanged || isLonger || !replaced.isEmpty || !changed.isEmpty else { return }
    let recorder = ReadRecorder(nodes)
    let walker = try walker.reading(recorder)
    outer = Set(recorder.children.map(\.node))
    var unread = changed
    if isListChanged {
      indices.removeAll(keepingCapacity: true)
      nodesByIndex.removeAll(keepingCapacity: true)
      replaced = []
    }
    for index in replaced where nodesByIndex.indices.contains(index) {
      let (old, new) = (nodesByIndex[index], try nodes.element(index, of: list.node))
      indices[old]?.removeAll { $0 == index }
      if indices[old]?.isEmpty == true {
        indices[old] = nil
        forget(old)
        unread.remove(old)
      }
      nodesByIndex[index] = new
      add(index, of: new, to: &unread)
    }
    for index in nodesByIndex.count..<max(count, nodesByIndex.count) {
      let element = try nodes.element(index, of: list.node)
      nodesByIndex.append(element)
      add(index, of: element, to: &unread)
    }
    (isListChanged, replaced, changed) = (false, [], [])
    for element in unread {
      guard let index = indices[element]?.first else {
        forget(element)
        continue
      }
      recorder.removeAll()
      let location = ValueLocation(trail: list.trail.appending(.element(index)), node: element)
      let keys = try? keys(of: location, at: path, by: walker)
      set(keys, of: element)
      add(element, asReaderOf: recorder)
    }
  }

  private func add(_ index: Int, of element: NodeID, to unread: inout Set<NodeID>) {
    indices[element, default: []].append(index)
    if keys[element] == nil { unread.insert(element) }
  }

  /// Returns the keys of the scalars to which a path leads from an element; nil if one of these has none.
  private func keys(
    of element: ValueLocation, at path: [ValuePath.Step], by walker: PathWalker
  ) throws(FerryError) -> [FilterKey]? {
    var keys: [FilterKey] = []
    for part in try walker.filteredParts(at: path, from: element) {
      guard let scalar = try walker.filteredScalar(of: part) else { continue }
      guard let found = FilterKey.keys(of: scalar) else { return nil }
      keys += found
    }
    return keys
  }

  private func set(_ new: [FilterKey]?, of element: NodeID) {
    forget(element)
    guard let new else {
      keys[element] = []
      unknown.insert(element)
      return
    }
    keys[element] = new
    for key in new { elements[key, default: []].insert(element) }
  }

  private func forget(_ element: NodeID) {
    unknown.remove(element)
    for key in keys.removeValue(forKey: element) ?? [] { elements[key]?.remove(element) }
  }

  private func add(_ element: NodeID, asReaderOf recorder: ReadRecorder) {
    for node in recorder.collections { readers[node, default: Readers()].ofAll.append(element) }
    for child in recorder.children {
      readers[child.node, default: Readers()].ofChildren[child.index, default: []].append(element)
    }
  }
}

extension PathWalker {
  /// Returns a walker of the same values that reads them through a recorder.
  fileprivate func reading(_ recorder: ReadRecorder) throws(FerryError) -> PathWalker {
    guard let archive, let decodedForms else {
      return PathWalker(
        nodes: recorder, archive: nil, decodedForms: nil, lastKeyWins: lastKeyWins, listsKeys: false)
    }
    let objects = try ArchiveObjects(recorder)
    objects.isLenient = archive.isLenient
    return PathWalker(
      nodes: recorder, archive: objects,
      decodedForms: ArchiveDecodedForms(of: objects, decodedForms.catalog, decodedForms.use),
      lastKeyWins: lastKeyWins, listsKeys: false)
  }
}
