/// A survey of the nodes of a property list and the references between them, made in one pass over a file
/// that may be invalid or hostile.
///
/// A node that cannot be read gets no kind, and a warning. Objects of a hostile binary file may overlap, so
/// that each of many objects contains the references of all others. The survey follows only as many
/// references as a valid file of the same size can have, so its time and memory are proportional to the
/// file's size.
struct NodeSurvey<Nodes: PropertyListNodes> {
  let nodes: Nodes
  /// The kind of each node, or nil for a node that cannot be read.
  private(set) var kinds: [ValueKind?] = []
  /// The edges from each collection to its contents. The edges of a dictionary lead to its keys first, then
  /// to its values.
  private(set) var graph = Adjacency()
  private(set) var names: NodeNames
  private(set) var warnings = Inspection.Warnings()
  /// The node of a listed warning, and the name of the key in it, by the index of the warning.
  private var warned: [Int: (node: NodeID, key: Int?)] = [:]
  private(set) var blobs = Inspection.Blobs()
  /// The inspector of nested files, or nil if they are not inspected.
  private let nested: NestedInspection?
  private var references: Int
  private var blobBytes: Int
  private var areReferencesFollowed = true

  init(_ nodes: Nodes, nested: NestedInspection? = nil) throws(FerryError) {
    self.nodes = nodes
    self.nested = nested
    names = NodeNames(count: nodes.nodeCount)
    guard nodes.byteCount < Int(UInt32.max), nodes.nodeCount < Int(UInt32.max) else {
      throw FerryError(.file(.tooLarge(limit: Int(UInt32.max))))
    }
    references = nodes.byteCount
    blobBytes = nodes.byteCount
    kinds.reserveCapacity(nodes.nodeCount)
    for index in 0..<nodes.nodeCount { add(NodeID(index)) }
  }

  private mutating func add(_ node: NodeID) {
    var kind: ValueKind?
    do throws(FerryError) {
      let found = try nodes.kind(of: node)
      kind = found.valueKind
      try addReferences(of: node, found)
    } catch {
      let index = warnings.first.count
      warnings.add(.brokenObject, error.message, at: error.placed(at: nodes.location(of: node)).location)
      note(node, warningAt: index)
    }
    kinds.append(kind)
    graph.finishVertex()
  }

  private mutating func addReferences(of node: NodeID, _ kind: NodeKind) throws(FerryError) {
    switch kind {
    case .array(let count), .set(let count):
      guard follow(count) else { return }
      for index in 0..<count { graph.addEdge(to: try nodes.element(index, of: node).index) }
    case .dictionary(let count):
      guard follow(2 * count) else { return }
      for index in 0..<count { graph.addEdge(to: try nodes.key(index, of: node).index) }
      for index in 0..<count { graph.addEdge(to: try nodes.value(index, of: node).index) }
    default: break
    }
  }

  /// Subtracts a number of references from those left. Returns false if too few are left.
  private mutating func follow(_ count: Int) -> Bool {
    guard count <= references else {
      if areReferencesFollowed { warn(.overlappingObjects) }
      areReferencesFollowed = false
      return false
    }
    references -= count
    return true
  }

  /// Adds a warning, with the location of `node` if it is given.
  mutating func warn(
    _ kind: Inspection.Warning.Kind, _ detail: String = "", node: NodeID? = nil, key: Int? = nil,
    object: ObjectNumber? = nil
  ) {
    let index = warnings.first.count
    warnings.add(kind, detail, at: node.map(nodes.location) ?? InputLocation(), object: object?.index)
    if let node { note(node, key: key, warningAt: index) }
  }

  /// Notes the node of a warning, if that is listed.
  private mutating func note(_ node: NodeID, key: Int? = nil, warningAt index: Int) {
    if index < warnings.first.count { warned[index] = (node, key) }
  }

  /// Adds the paths of nodes to the listed warnings. `search` contains the path to each node.
  mutating func addPathsToWarnings(_ search: Adjacency.Search) {
    for (index, (node, key)) in warned where search.distances[node.index] > 0 {
      var path = path(to: node, search)
      if let key { path.steps.append(.key(names.table.names[key])) }
      warnings.change(at: index) { $0.path = path }
    }
  }

  // MARK: Contents

  /// Returns the number of followed elements of a list, or of followed entries of a dictionary.
  func count(of node: NodeID) -> Int {
    let edges = graph.range(of: node.index).count
    return kinds[node.index] == .dictionary ? edges / 2 : edges
  }

  /// Returns the node of an element.
  func element(_ index: Int, of node: NodeID) -> NodeID {
    NodeID(graph.target(graph.range(of: node.index).lowerBound + index))
  }

  /// Returns the node of an entry's key.
  func key(_ index: Int, of node: NodeID) -> NodeID { element(index, of: node) }

  /// Returns the node of an entry's value.
  func value(_ index: Int, of node: NodeID) -> NodeID { element(count(of: node) + index, of: node) }

  /// Returns the number of the name of an entry's key. Returns nil if the key is not a string, or if the name
  /// table is full.
  mutating func name(_ index: Int, of node: NodeID) -> Int? {
    let key = key(index, of: node)
    return kinds[key.index] == .string ? names.number(of: key, in: nodes) : nil
  }

  /// Returns the node of the value for a key of a dictionary. If the key occurs more than once, the last
  /// value is returned.
  mutating func value(_ name: ArchiveName, of node: NodeID) -> NodeID? {
    guard kinds[node.index] == .dictionary else { return nil }
    for index in (0..<count(of: node)).reversed() where self.name(index, of: node) == name.rawValue {
      return value(index, of: node)
    }
    return nil
  }

  /// Returns the name of a string node. Returns nil for other nodes, or if the name table is full.
  mutating func string(_ node: NodeID) -> String? {
    guard kinds[node.index] == .string, let number = names.number(of: node, in: nodes) else { return nil }
    return names.table.names[number]
  }

  /// Adds warnings for keys that occur twice in a dictionary, and for keys that are not strings.
  mutating func checkKeys(of node: NodeID) {
    guard kinds[node.index] == .dictionary else { return }
    for index in 0..<count(of: node) {
      let key = key(index, of: node)
      if let kind = kinds[key.index], kind != .string {
        warn(.keyIsNotString, "a dictionary's key is of kind \(kind.rawValue)", node: node)
      } else if let name = name(index, of: node), !names.insert(name, of: node) {
        warn(
          .duplicateKey, "the key \(MessageText.quoted(names.table.names[name])) occurs twice", node: node,
          key: name)
      }
    }
  }

  // MARK: Data

  /// Finds the files inside data values. `search` contains the path to each node.
  mutating func findBlobs(_ search: Adjacency.Search) {
    for index in kinds.indices where kinds[index] == .data {
      let node = NodeID(index)
      guard let length = try? nodes.length(of: node), length >= 4 else { continue }
      // The limit prevents examining overlapping data again and again.
      guard length <= blobBytes else { return }
      blobBytes -= length
      let nodes = nodes
      guard let kind = try? nodes.withData(of: node, { bytes throws(FerryError) in FileKind(of: bytes) }),
        search.distances[index] > 0
      else { continue }
      guard blobs.listsNext else {
        blobs.add(kind, byteCount: length, at: InputLocation(), path: ValuePath())
        continue
      }
      blobs.add(
        kind, byteCount: length, at: nodes.location(of: node), path: path(to: node, search),
        inspection(of: node, kind))
    }
  }

  /// Inspects the file in a data node. Returns nil if it is not to be inspected or cannot be read.
  private mutating func inspection(of node: NodeID, _ kind: FileKind) -> Inspection? {
    guard let nested else { return nil }
    do throws(FerryError) {
      return try nodes.withData(of: node) { bytes throws(FerryError) in try nested.inspection(of: bytes, kind)
      }
    } catch {
      warn(.brokenNestedFile, "\(kind.summary) in data: \(error.reason)", node: node)
      return nil
    }
  }

  /// Returns the shortest path to a node.
  private mutating func path(to node: NodeID, _ search: Adjacency.Search) -> ValuePath {
    var steps: [ValuePath.Step] = []
    var node = node
    while case let parent = NodeID(Int(search.parents[node.index])), parent != node, steps.count < 1000 {
      let edge = graph.targets(of: parent.index).firstIndex(of: UInt32(node.index)) ?? 0
      let index = edge - graph.range(of: parent.index).lowerBound
      if kinds[parent.index] == .dictionary {
        let entry = index % max(count(of: parent), 1)
        steps.append(.key(string(key(entry, of: parent)) ?? "…"))
      } else {
        steps.append(.index(index))
      }
      node = parent
    }
    return ValuePath(steps.reversed())
  }
}
