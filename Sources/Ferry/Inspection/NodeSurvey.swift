/// What all nodes of a property list are, and which refers to which: one pass over a file that may be broken or hostile.
///
/// A node that cannot be read is a warning, and nothing is known of it. Objects of a binary file may overlap, so that each
/// of many holds the references of all: as many references are followed as a file of its size can have, and no more. So
/// everything here takes time and memory in proportion to the file.
struct NodeSurvey<Nodes: PropertyListNodes> {
  let nodes: Nodes
  /// What each node is; nil when it cannot be read.
  private(set) var kinds: [ValueKind?] = []
  /// From every collection to what is in it: of a dictionary the keys first, then the values.
  private(set) var graph = Adjacency()
  private(set) var names: NodeNames
  private(set) var warnings = Inspection.Warnings()
  private(set) var blobs = Inspection.Blobs()
  /// Nil when files inside are not to be looked into.
  private let nested: NestedInspection?
  private var references: Int
  private var blobBytes: Int
  private var areReferencesFollowed = true

  init(_ nodes: Nodes, nested: NestedInspection? = nil) throws(Failure) {
    self.nodes = nodes
    self.nested = nested
    names = NodeNames(count: nodes.nodeCount)
    guard nodes.byteCount < Int(UInt32.max), nodes.nodeCount < Int(UInt32.max) else {
      throw Failure(.file(.tooLarge(limit: Int(UInt32.max))))
    }
    references = nodes.byteCount
    blobBytes = nodes.byteCount
    kinds.reserveCapacity(nodes.nodeCount)
    for node in 0..<nodes.nodeCount { add(node) }
  }

  private mutating func add(_ node: Int) {
    var kind: ValueKind?
    do throws(Failure) {
      let found = try nodes.kind(of: node)
      kind = found.valueKind
      try addReferences(of: node, found)
    } catch {
      warnings.add(.brokenObject, error.message, at: error.placed(at: nodes.position(of: node)).position)
    }
    kinds.append(kind)
    graph.finishVertex()
  }

  private mutating func addReferences(of node: Int, _ kind: NodeKind) throws(Failure) {
    switch kind {
    case .array(let count), .set(let count):
      guard follow(count) else { return }
      for index in 0..<count { graph.addEdge(to: try nodes.element(index, of: node)) }
    case .dictionary(let count):
      guard follow(2 * count) else { return }
      for index in 0..<count { graph.addEdge(to: try nodes.key(index, of: node)) }
      for index in 0..<count { graph.addEdge(to: try nodes.value(index, of: node)) }
    default: break
    }
  }

  /// Whether so many references may still be followed.
  private mutating func follow(_ count: Int) -> Bool {
    guard count <= references else {
      if areReferencesFollowed { warn(.overlappingObjects) }
      areReferencesFollowed = false
      return false
    }
    references -= count
    return true
  }

  /// Adds a warning, about a node when there is one.
  mutating func warn(
    _ kind: Inspection.Warning.Kind, _ detail: String = "", node: Int? = nil, object: Int? = nil
  ) {
    warnings.add(kind, detail, at: node.map(nodes.position) ?? Position(), object: object)
  }

  // MARK: What stands where

  /// How many elements a list, or entries a dictionary has, as far as they are followed.
  func count(of node: Int) -> Int {
    let edges = graph.range(of: node).count
    return kinds[node] == .dictionary ? edges / 2 : edges
  }

  /// The element of a list.
  func element(_ index: Int, of node: Int) -> Int { graph.target(graph.range(of: node).lowerBound + index) }

  /// The node of an entry's key.
  func key(_ index: Int, of node: Int) -> Int { element(index, of: node) }

  /// The node of an entry's value.
  func value(_ index: Int, of node: Int) -> Int { element(count(of: node) + index, of: node) }

  /// The number of the name that is the key of an entry; nil when it is no string, or not kept.
  mutating func name(_ index: Int, of node: Int) -> Int? {
    let key = key(index, of: node)
    return kinds[key] == .string ? names.number(of: key, in: nodes) : nil
  }

  /// The value of a dictionary's key, the last one where it occurs more than once.
  mutating func value(_ name: ArchiveName, of node: Int) -> Int? {
    guard kinds[node] == .dictionary else { return nil }
    for index in (0..<count(of: node)).reversed() where self.name(index, of: node) == name.rawValue {
      return value(index, of: node)
    }
    return nil
  }

  /// The name that a node is, when it is a string and kept.
  mutating func string(_ node: Int) -> String? {
    guard kinds[node] == .string, let number = names.number(of: node, in: nodes) else { return nil }
    return names.table.names[number]
  }

  /// Warns of keys that occur twice in a dictionary, and of keys that are no strings.
  mutating func checkKeys(of node: Int) {
    guard kinds[node] == .dictionary else { return }
    for index in 0..<count(of: node) {
      let key = key(index, of: node)
      if let kind = kinds[key], kind != .string {
        warn(.keyIsNotString, "a dictionary's key is of kind \(kind.rawValue)", node: node)
      } else if let name = name(index, of: node), !names.insert(name, of: node) {
        warn(.duplicateKey, "the key \(quotedForMessage(names.table.names[name])) occurs twice", node: node)
      }
    }
  }

  // MARK: Data

  /// Finds the files in data values. `search` knows the way to each node.
  mutating func findBlobs(_ search: Adjacency.Search) {
    for node in kinds.indices where kinds[node] == .data {
      guard let length = try? nodes.length(of: node), length >= 4 else { continue }
      // Data that overlaps is not looked at over and over.
      guard length <= blobBytes else { return }
      blobBytes -= length
      let nodes = nodes
      guard let kind = try? nodes.withData(of: node, { bytes throws(Failure) in BlobKind(of: bytes) }),
        search.distances[node] > 0
      else { continue }
      guard blobs.keepsPlaces else {
        blobs.add(kind, byteCount: length, at: Position(), path: ValuePath())
        continue
      }
      blobs.add(
        kind, byteCount: length, at: nodes.position(of: node), path: path(to: node, search),
        inspection(of: node, kind))
    }
  }

  /// What is in the file that data holds.
  private mutating func inspection(of node: Int, _ kind: BlobKind) -> Inspection? {
    guard let nested else { return nil }
    do throws(Failure) {
      return try nodes.withData(of: node) { bytes throws(Failure) in try nested.inspection(of: bytes, kind) }
    } catch {
      warn(.brokenNestedFile, "\(kind.summary) in data: \(error.reason)", node: node)
      return nil
    }
  }

  /// The shortest way to a node.
  private mutating func path(to node: Int, _ search: Adjacency.Search) -> ValuePath {
    var steps: [ValuePath.Step] = []
    var node = node
    while Int(search.parents[node]) != node, steps.count < 1000 {
      let parent = Int(search.parents[node])
      let place = graph.targets(of: parent).firstIndex(of: UInt32(node)) ?? 0
      let index = place - graph.range(of: parent).lowerBound
      if kinds[parent] == .dictionary {
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

/// The names that archives are made of, numbered as every table of names begins.
enum ArchiveName: Int, CaseIterable {
  case objects, top, archiver, version, type, className, classNames, hints

  var text: String {
    switch self {
    case .objects: "$objects"
    case .top: "$top"
    case .archiver: "$archiver"
    case .version: "$version"
    case .type: "$class"
    case .className: "$classname"
    case .classNames: "$classes"
    case .hints: "$classhints"
    }
  }
}

/// The names that string nodes are, each looked up once.
struct NodeNames {
  private(set) var table = NameTable()
  /// For each node the number of its name plus two; 0 when nobody has asked, 1 when it is not kept.
  private var numbers: [UInt32] = []
  /// For each name, the dictionary that it was met in last.
  private var lastDictionary: [Int] = []
  /// Strings longer than this are no names: they are not looked at.
  private static let longest = 4096

  /// For so many nodes.
  init(count: Int) {
    numbers = [UInt32](repeating: 0, count: count)
    for name in ArchiveName.allCases { _ = table.number(of: Text(name.text.utf8.span)) }
  }

  mutating func number(of node: Int, in nodes: some PropertyListNodes) -> Int? {
    if numbers[node] == 0 { numbers[node] = UInt32(look(up: node, in: nodes).map { $0 + 2 } ?? 1) }
    return numbers[node] == 1 ? nil : Int(numbers[node]) - 2
  }

  private mutating func look(up node: Int, in nodes: some PropertyListNodes) -> Int? {
    guard let length = try? nodes.length(of: node), length <= Self.longest else { return nil }
    var table = NameTable()
    swap(&table, &self.table)
    defer { swap(&table, &self.table) }
    return (try? nodes.withText(of: node) { text throws(Failure) in table.number(of: text) }) ?? nil
  }

  /// Remembers that a name is a key of a dictionary; false when it is one already. Dictionaries come one after the other.
  mutating func insert(_ name: Int, of dictionary: Int) -> Bool {
    while lastDictionary.count <= name { lastDictionary.append(-1) }
    defer { lastDictionary[name] = dictionary }
    return lastDictionary[name] != dictionary
  }
}
