/// An inspector of property lists whose nodes are read in any order.
struct PropertyListInspector<Nodes: PropertyListNodes> {
  private var survey: NodeSurvey<Nodes>
  private var keys: [Int: KeyCount] = [:]

  init(_ survey: NodeSurvey<Nodes>) { self.survey = survey }

  /// Adds statistics of the values to an inspection.
  mutating func inspect(into inspection: inout Inspection) {
    let root = survey.nodes.root
    var values = Inspection.Values(top: survey.kinds[root.index])
    if values.top == .array || values.top == .set { values.records = survey.count(of: root) }
    let kinds = survey.kinds
    let components = survey.graph.components { kinds[$0]?.isCollection == true ? 1 : 0 }
    values.depth = components.height(of: root.index)
    let search = survey.graph.search(from: [root.index])
    // Keys are objects of a binary file, but do not count as values.
    let isValue = valueNodes(search)
    for index in kinds.indices where isValue[index] {
      let node = NodeID(index)
      if let kind = kinds[index] { values.kinds[kind] += 1 }
      if kinds[index] == .dictionary {
        survey.checkKeys(of: node)
        countKeys(of: node)
      }
    }
    survey.findBlobs(search)
    if !survey.names.table.isComplete { survey.warn(.tooManyNames) }
    let cyclic = survey.graph.cyclicGroups(components)
    for index in kinds.indices where cyclic.contains(components.groups[index]) {
      survey.warn(.containsItself, node: NodeID(index))
    }
    survey.addPathsToWarnings(search)
    values.keys = keys.keys(survey.names.table)
    values.hasAllKeys = survey.names.table.isComplete
    inspection.values = values
    inspection.blobs = survey.blobs
    inspection.warnings = survey.warnings
  }

  /// Returns true for each node that is a value: the root, and the contents of reachable collections except
  /// keys of dictionaries.
  private func valueNodes(_ search: Adjacency.Search) -> [Bool] {
    var isValue = [Bool](repeating: false, count: survey.kinds.count)
    isValue[survey.nodes.root.index] = true
    for index in survey.kinds.indices where search.distances[index] > 0 {
      let targets = survey.graph.targets(of: index)
      let values = survey.kinds[index] == .dictionary ? targets.dropFirst(targets.count / 2) : targets
      for value in values { isValue[Int(value)] = true }
    }
    return isValue
  }

  private mutating func countKeys(of node: NodeID) {
    for index in 0..<survey.count(of: node) {
      guard let name = survey.name(index, of: node) else { continue }
      keys[name, default: KeyCount()].count += 1
      if let kind = survey.kinds[survey.value(index, of: node).index] { keys[name]?.kinds[kind] += 1 }
    }
  }
}
