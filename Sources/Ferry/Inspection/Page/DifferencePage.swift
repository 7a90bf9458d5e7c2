/// A page that shows two versions of a value side by side, with the differences between them.
public struct DifferencePage: Sendable {
  private let old, new: Version
  private let changes: [Change]
  /// Lines about other files that differ, such as those of a package.
  public var otherFiles: [String] = []

  private struct Version {
    let name: String
    let nodes: PageNodes

    init(
      _ value: Value?, name: String, _ limits: PageLimits, opening budget: Budget?
    ) throws(FerryError) {
      self.name = name
      let collector = PageCollector(limits: limits)
      var sink: any ValueSink = PageKeys(to: collector)
      if let budget {
        sink = ExpandedData(
          to: sink, budget: budget, asStored: false, shared: .reference,
          objectCount: value?.identityBounds?.greatest ?? 0)
      }
      try value?.replay(into: sink)
      nodes = collector.nodes
    }
  }

  /// A difference with the rows of the value in both versions.
  private struct Change {
    let kind: String
    let oldPath, newPath: ValuePath?
    let oldNode, newNode: Int?
  }

  /// Creates the page of two versions.
  ///
  /// - Parameters:
  ///   - differences: The differences between the values.
  ///   - old: The first value, or nil if the version has none.
  ///   - new: The second value, or nil if the version has none.
  ///   - names: The names of the versions.
  ///   - limits: The limits on the contents of the page, for each version.
  public init(
    _ differences: ValueDifferences, from old: Value?, to new: Value?, names: (old: String, new: String),
    limits: PageLimits = PageLimits()
  ) throws(FerryError) {
    let budget = differences.budgetOfData
    self.old = try Version(old, name: names.old, limits, opening: budget)
    self.new = try Version(new, name: names.new, limits, opening: budget)
    var (oldRows, newRows) = (PagePaths(self.old.nodes), PagePaths(self.new.nodes))
    var changes: [Change] = []
    for difference in differences.all {
      changes.append(
        Change(
          kind: difference.change.name, oldPath: difference.oldPath, newPath: difference.newPath,
          oldNode: difference.oldPath.flatMap { oldRows.node(at: $0) },
          newNode: difference.newPath.flatMap { newRows.node(at: $0) }))
    }
    self.changes = changes
  }

  /// Writes the page.
  public func write(to output: any ByteOutput) throws(FerryError) {
    let (old, new, changes, otherFiles) = (old, new, changes, otherFiles)
    try PageFile(title: "\(old.name) → \(new.name)").write(to: output) { block throws(FerryError) in
      try block.add("title", "\(old.name) → \(new.name)")
      try block.add("versions", each: [old, new]) { block, version throws(FerryError) in
        try block.add("name", version.name)
        try block.add("values", version.nodes)
      }
      try block.add("changes", each: changes) { block, change throws(FerryError) in
        try block.add("kind", change.kind)
        try block.add("nodes", [change.oldNode ?? -1, change.newNode ?? -1])
        try block.add("paths", [change.oldPath, change.newPath].map { $0?.description ?? "" })
      }
      try block.add("otherFiles", otherFiles)
    }
  }
}

extension ValueDifferences.Change {
  fileprivate var name: String {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .changed, .sharing, .documents: "changed"
    case .moved: "moved"
    }
  }
}
