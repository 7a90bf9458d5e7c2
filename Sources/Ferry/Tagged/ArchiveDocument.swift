/// An archive as a typed document of its objects, with the layout from which a reader restores the archive.
struct ArchiveDocument {
  private let graph: ArchiveGraph
  private let layout: BinaryLayout?
  let archiveLayout: ArchiveLayout

  /// Reads an archive. Returns nil if a document of its objects cannot represent it. Then its raw property list is sent.
  ///
  /// - Parameters:
  ///   - layout: The layout of the binary file, or nil for an archive in XML.
  ///   - known: The scalars of the binary file, if they were found with its layout.
  init?(
    _ nodes: any PropertyListNodes, _ layout: BinaryLayout?, known: consuming KnownScalars? = nil,
    _ budget: Budget
  ) throws(FerryError) {
    do throws(FerryError) {
      let archive = try ArchiveObjects(nodes)
      graph = try ArchiveGraph(
        archive, limit: Self.largestGraph(nodes, budget),
        sharesEmptyArrays: layout?.sharesEmptyArrays ?? false)
      archiveLayout = try ArchiveLayout(of: archive, graph, consume known)
      self.layout = layout
    } catch {
      if case .overBudget = error.reason { throw error }
      return nil
    }
  }

  /// Returns the maximum size in bytes of an archive's objects in the typed form, which are kept in memory. A larger
  /// archive is sent as its raw property list.
  private static func largestGraph(_ nodes: any PropertyListNodes, _ budget: Budget) -> Int {
    var budget = budget
    budget.amplification = min(budget.amplification, 8)
    return budget.allowance(forInputBytes: nodes.byteCount)
  }

  /// True if the graph and the layout determine the archive, so that a reader of the document restores it without a doubt.
  /// Each property was compared when it was read: a graph has each collection once, the numbers of all objects are those
  /// of the layout or of the usual numbering, and so are the orders of keys.
  ///
  /// A patch applies to certain bytes only, which have to be written to know them. Names that begin with `$` are
  /// ambiguous in `$classes`. XML has numbers that no archive has.
  var isDetermined: Bool {
    guard let layout, layout.patch == nil else { return false }
    return !graph.types.contains { $0.name.utf8.first == UInt8(ascii: "$") }
  }

  /// Sends the document.
  func send(to sink: any ValueSink) throws(FerryError) {
    try TypedDocument.begin(sink)
    var objects = TypedArchiveWriter(graph, to: sink)
    try objects.send(isOld: archiveLayout.outermost == ArchiveLayout.oldOutermost)
    try TypedDocument.send(layout, archiveLayout, to: sink)
    try sink.endDictionary()
  }

  /// Returns the document if it restores the original, otherwise nil.
  func verifiedTape(of nodes: any PropertyListNodes) throws(FerryError) -> EventTape? {
    do throws(FerryError) {
      let tapeSink = TapeSink()
      try send(to: tapeSink)
      return try Self.restores(tapeSink.tape, nodes) ? tapeSink.tape : nil
    } catch {
      if case .overBudget = error.reason { throw error }
      return nil
    }
  }

  /// Returns true if a document restores the original: its bytes if it is a binary file, otherwise its values.
  private static func restores(_ tape: EventTape, _ nodes: any PropertyListNodes) throws(FerryError) -> Bool {
    let document = try TypedDocument(tape, budget: nodes.budget)
    guard let file = nodes as? BinaryPropertyList else { return try document.nodes.holdsSame(as: nodes) }
    let output = MemoryOutput()
    try document.write(to: output)
    let written = output.bytes
    return file.holds(written)
  }
}

extension PropertyListNodes {
  /// Returns true if two property lists have equal values, ignoring the order of keys.
  fileprivate func holdsSame(as other: any PropertyListNodes) throws(FerryError) -> Bool {
    var waiting = [(root, other.root)]
    var steps = 0
    while let (a, b) = waiting.popLast() {
      steps += 1
      guard steps < 1 << 26 else { return false }
      let kind = try kind(of: a)
      guard kind.isCollection else {
        guard try isSameScalar(a, as: b, of: other) else { return false }
        continue
      }
      guard try kind == other.kind(of: b) else { return false }
      switch kind {
      case .array(let count), .set(let count):
        for index in 0..<count {
          waiting.append((try element(index, of: a), try other.element(index, of: b)))
        }
      case .dictionary(let count):
        var values: [[UInt8]: NodeID] = [:]
        for index in 0..<count {
          values[try bytes(ofText: key(index, of: a))] = try value(index, of: a)
        }
        for index in 0..<count {
          guard let value = values[try other.bytes(ofText: other.key(index, of: b))] else { return false }
          waiting.append((value, try other.value(index, of: b)))
        }
      default: break
      }
    }
    return true
  }
}
