/// An inspector of keyed archives: roots, objects, classes and references. Defects become warnings.
struct ArchiveInspector<Nodes: PropertyListNodes> {
  private var survey: NodeSurvey<Nodes>
  private var archive = Inspection.Archive()
  private var classes: ArchiveClasses
  /// The node of each object.
  private let objects: [NodeID]
  /// The number of references and inline values that may still be visited, which limits the time for a
  /// hostile file.
  private var steps: Int
  /// The size in bytes that the names of more roots and entries may have. Many keys of a hostile file may be one long text.
  private var restOfNames: Int
  /// For each node, the number plus one of the last object whose inline values included it.
  private var lookedThrough: [UInt32]

  /// Creates an inspector. Fails if the property list has no array under `$objects`.
  init?(_ survey: NodeSurvey<Nodes>) {
    var survey = survey
    guard let list = survey.value(.objects, of: survey.nodes.root), survey.kinds[list.index] == .array else {
      return nil
    }
    let count = survey.count(of: list)
    var objects: [NodeID] = []
    for index in 0..<count { objects.append(survey.element(index, of: list)) }
    self.objects = objects
    self.survey = survey
    classes = ArchiveClasses(objectCount: count)
    steps = 4 * survey.nodes.byteCount
    restOfNames = 2 * survey.nodes.byteCount
    lookedThrough = [UInt32](repeating: 0, count: survey.kinds.count)
  }

  /// Adds the archive to an inspection.
  mutating func inspect(into inspection: inout Inspection) {
    archive.objectCount = objects.count
    archive.hasArchiver = inspection.format.description.namesArchiver
    if archive.hasArchiver { readHead() }
    findClasses()
    for index in objects.indices { add(ObjectNumber(index)) }
    readRoots()
    if archive.hasArchiver { readOtherEntries() }
    measure()
    for index in survey.kinds.indices { survey.checkKeys(of: NodeID(index)) }
    let search = survey.graph.search(from: [survey.nodes.root.index])
    survey.findBlobs(search)
    if !survey.names.table.isComplete { survey.warn(.tooManyNames) }
    finishClasses()
    survey.addPathsToWarnings(search)
    inspection.archive = archive
    inspection.blobs = survey.blobs
    inspection.warnings = survey.warnings
  }

  // MARK: Head

  private mutating func readHead() {
    let root = survey.nodes.root
    if let node = survey.value(.archiver, of: root) {
      archive.archiver = survey.string(node)
    }
    if !archive.archiver.equals("NSKeyedArchiver") {
      let name = archive.archiver.map { "the archiver is \(MessageText.quoted($0))" }
      survey.warn(.otherArchiver, name ?? "it names no archiver")
    }
    if let node = survey.value(.version, of: root),
      case .integer(let version)? = try? survey.nodes.kind(of: node)
    {
      archive.version = version
    }
    if archive.version != 100_000 {
      survey.warn(
        .unknownVersion, archive.version.map { "the version is \($0), not 100000" } ?? "it names no version")
    }
  }

  /// Returns the name of a root or another entry. Returns nil, with a warning, if all names are much longer than the file.
  private mutating func limitedName(_ key: NodeID) -> String? {
    guard restOfNames >= 0 else { return nil }
    let name = survey.string(key) ?? "…"
    restOfNames -= name.utf8.count
    guard restOfNames >= 0 else {
      survey.warn(.tooManyNames)
      return nil
    }
    return name
  }

  private mutating func readOtherEntries() {
    let root = survey.nodes.root
    let ofArchive = [ArchiveName.version, .archiver, .top, .objects].map(\.rawValue)
    for index in 0..<survey.count(of: root) {
      let key = survey.key(index, of: root)
      if let number = survey.name(index, of: root), ofArchive.contains(number) { continue }
      guard let name = limitedName(key) else { return }
      let kind = survey.kinds[survey.value(index, of: root).index] ?? .null
      archive.otherEntries.append(.init(name: name, kind: kind))
    }
  }

  private mutating func readRoots() {
    guard let top = survey.value(.top, of: survey.nodes.root), survey.kinds[top.index] == .dictionary else {
      return survey.warn(.notAnArchive, "it has no dictionary $top")
    }
    for index in 0..<survey.count(of: top) {
      guard let name = limitedName(survey.key(index, of: top)) else { return }
      let node = survey.value(index, of: top)
      guard let object = object(node, of: nil) else {
        archive.roots.append(.init(name: name, kind: survey.kinds[node.index] ?? .null))
        continue
      }
      let found = archive.graph.objects[object.index]
      archive.roots.append(
        .init(
          name: name, kind: object == .null ? .null : found.kind ?? .null,
          className: found.classIndex.map { classes[$0].type.name }, object: object.index))
      archive.graph.roots.append(object.index)
    }
  }

  // MARK: Objects

  /// Returns the number of the object that a node refers to, or nil if the node is not a valid reference.
  private mutating func object(_ node: NodeID, of object: ObjectNumber?) -> ObjectNumber? {
    guard survey.kinds[node.index] == .uid, case .uid(let uid)? = try? survey.nodes.kind(of: node) else {
      return nil
    }
    guard uid < UInt64(objects.count) else {
      survey.warn(
        .danglingReference, "a reference to object \(uid), but the archive has \(objects.count) objects",
        node: node, object: object)
      return nil
    }
    return ObjectNumber(Int(uid))
  }

  /// Determines the kind and the class of every object.
  private mutating func findClasses() {
    for (index, node) in objects.enumerated() {
      let object = ObjectNumber(index)
      var found = ObjectGraph.Object(kind: survey.kinds[node.index])
      switch found.kind {
      case .dictionary:
        // One node may occur several times in `$objects`, so its entries are limited too.
        guard take(survey.count(of: node)) else { break }
        if let type = survey.value(.type, of: node) {
          found.kind = .object
          found.classIndex = classIndex(type, of: object)
          if let index = found.classIndex { classes.count(index) }
        } else if survey.value(.className, of: node) != nil {
          found.isDescription = true
        } else {
          survey.warn(.noClass, node: node, object: object)
        }
      case .uid: survey.warn(.objectIsReference, node: node, object: object)
      case .string where object == .null: found.kind = .null
      default: break
      }
      count(found, object)
      archive.graph.objects.append(found)
    }
  }

  private mutating func count(_ found: ObjectGraph.Object, _ object: ObjectNumber) {
    if found.isDescription {
      archive.descriptions += 1
    } else if found.kind == .object {
      archive.instances += 1
    } else if object > .null, let kind = found.kind {
      archive.bareValues[kind] += 1
    }
  }

  private mutating func classIndex(_ reference: NodeID, of object: ObjectNumber) -> Int? {
    guard let description = self.object(reference, of: object) else {
      if survey.kinds[reference.index] != .uid {
        survey.warn(
          .notAClass, "a $class is not a reference", node: reference, object: object)
      }
      return nil
    }
    if case let known?? = classes.index(ofDescription: description) { return known }
    if classes.index(ofDescription: description) == nil, let type = type(objects[description.index]) {
      return classes.add(type, description: description)
    }
    classes.refuse(description)
    survey.warn(
      .notAClass, "the object's class is object \(description), which is not a class",
      node: reference, object: object)
    return nil
  }

  private mutating func type(_ node: NodeID) -> ObjectClass? {
    guard let nameNode = survey.value(.className, of: node),
      let name = survey.string(nameNode)
    else { return nil }
    return ObjectClass(
      name: name, chain: strings(.classNames, of: node), hints: strings(.hints, of: node))
  }

  private mutating func strings(_ name: ArchiveName, of node: NodeID) -> [String] {
    guard let list = survey.value(name, of: node), survey.kinds[list.index] == .array else { return [] }
    var strings: [String] = []
    for index in 0..<survey.count(of: list) {
      guard take(1) else { break }
      strings.append(survey.string(survey.element(index, of: list)) ?? "…")
    }
    return strings
  }

  // MARK: References

  /// Subtracts a number of visits from those left. Returns false if too few are left.
  private mutating func take(_ count: Int) -> Bool {
    guard count > steps else {
      steps -= count
      return true
    }
    if archive.graph.isComplete { survey.warn(.tooManyReferences) }
    archive.graph.isComplete = false
    return false
  }

  /// Adds the references of an object to the graph, and its keys to those of its class.
  private mutating func add(_ object: ObjectNumber) {
    let node = objects[object.index]
    let found = archive.graph.objects[object.index]
    if !found.isDescription {
      if survey.kinds[node.index] == .dictionary {
        let count = survey.count(of: node)
        for index in 0..<count {
          guard take(1) else { break }
          addEntry(index, of: node, object, found.classIndex)
        }
      } else {
        addReferences(in: node, of: object, label: nil)
      }
    }
    archive.graph.edges.finishVertex()
  }

  private mutating func addEntry(_ index: Int, of node: NodeID, _ object: ObjectNumber, _ type: Int?) {
    let name = survey.name(index, of: node)
    guard name != ArchiveName.type.rawValue else { return }
    let value = survey.value(index, of: node)
    if let type, let name { countKey(name, value, of: type) }
    addReferences(in: value, of: object, label: name)
  }

  private mutating func countKey(_ name: Int, _ value: NodeID, of type: Int) {
    guard survey.kinds[value.index] == .uid else {
      return classes.countKey(name, survey.kinds[value.index], className: nil, isObject: false, of: type)
    }
    // An invalid reference is reported when it is followed.
    guard case .uid(let uid)? = try? survey.nodes.kind(of: value), uid < UInt64(objects.count) else {
      return classes.countKey(name, nil, className: nil, isObject: true, of: type)
    }
    let target = archive.graph.objects[Int(uid)]
    let className = target.classIndex.map { classes[$0].type.name }
    classes.countKey(name, target.kind, className: className, isObject: true, of: type)
  }

  /// Adds the references in a value, including those in the inline values inside it.
  private mutating func addReferences(in node: NodeID, of object: ObjectNumber, label: Int?) {
    var waiting = [node]
    while let node = waiting.popLast() {
      switch survey.kinds[node.index] {
      case .uid:
        guard let target = self.object(node, of: object), target > .null else { continue }
        archive.graph.edges.addEdge(to: target.index)
        archive.graph.labels.append(UInt32(label.map { $0 + 1 } ?? 0))
      case .array, .set, .dictionary:
        // Each object visits a node at most once, so a collection that contains itself does not cause an endless loop.
        guard lookedThrough[node.index] != UInt32(object.index + 1) else { continue }
        lookedThrough[node.index] = UInt32(object.index + 1)
        let count = survey.count(of: node)
        guard take(count) else { return }
        let isDictionary = survey.kinds[node.index] == .dictionary
        for index in (0..<count).reversed() {
          waiting.append(isDictionary ? survey.value(index, of: node) : survey.element(index, of: node))
        }
      default: break
      }
    }
  }

  // MARK: Measures

  private mutating func measure() {
    let graph = archive.graph
    let search = graph.edges.search(from: graph.roots)
    archive.depth = Int(search.distances.max() ?? 0)
    archive.unreachable = unreachable(search)
    let components = graph.edges.components { _ in 0 }
    let cyclic = graph.edges.cyclicGroups(components)
    archive.cycles = cyclic.count
    archive.objectsOnCycles = cyclic.reduce(0) { $0 + Int(components.sizes[Int($1)]) }
    var references = graph.edges.edgesTo().map(Int.init)
    for root in graph.roots { references[root] += 1 }
    for (object, found) in graph.objects.enumerated() where object > 0 && references[object] > 1 {
      if found.kind == .object { archive.sharedObjects += 1 } else { archive.sharedValues += 1 }
    }
  }

  /// Returns the number of objects that no root can reach, not counting `$null`. The description of a class
  /// is reached from the objects of the class.
  private func unreachable(_ search: Adjacency.Search) -> Int {
    var isReached = search.distances.map { $0 > 0 }
    for (object, found) in archive.graph.objects.enumerated() where isReached[object] {
      if let type = found.classIndex { isReached[classes[type].description.index] = true }
    }
    return isReached.dropFirst().count { !$0 }
  }

  private mutating func finishClasses() {
    let (sorted, newIndices) = classes.sorted(survey.names.table)
    archive.classes = sorted
    archive.hasAllKeys = survey.names.table.isComplete
    for object in archive.graph.objects.indices {
      if let index = archive.graph.objects[object].classIndex {
        archive.graph.objects[object].classIndex = newIndices[index]
      }
    }
    archive.graph.names = survey.names.table.names
  }
}
