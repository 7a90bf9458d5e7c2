/// The ranges of elements in which several threads send a binary property list or a binary archive whose root is a list.
///
/// The threads share the bytes of the file and the counts of references. All else that a reader keeps belongs to one range.
struct NodeRanges: Sendable {
  private let bytes: FileBytes
  private let budget: Budget
  private let format: Format
  /// The references in an archive; nil for another property list.
  fileprivate let references: ArchiveReader.References?
  private let elementCount: Int

  /// Finds the elements of an input. Fails for other inputs, and if the value of an element depends on others.
  ///
  /// - Parameter threads: The number of threads.
  init?(_ source: OpenedInput, _ options: ReadingOptions, threads: Int) {
    guard case .nodes(let file as BinaryPropertyList, nil) = source.contents,
      options.representation == .plain, options.select == nil, !options.marksShared,
      options.xml.convention != .jsonml
    else { return nil }
    (bytes, budget, format) = (file.bytes, file.budget, source.format)
    guard source.isArchive else {
      guard case .array(let count)? = try? file.kind(of: file.root) else { return nil }
      (references, elementCount) = (nil, count)
      return
    }
    guard let archive = try? ArchiveObjects(file), Self.hasOnlyObjects(archive),
      let counts = ArchiveObjects.referenceCounts(in: file, archive, threads: threads)
    else { return nil }
    source.referenceCounts = counts
    let references = ArchiveReader.References(
      counts: counts, hasBegun: [Bool](repeating: false, count: archive.count))
    var reader = options.reader(of: archive, into: NullSink())
    guard let count = try? reader.countOfElements(references) else { return nil }
    (self.references, elementCount) = (references, count)
  }

  /// Returns true if an archive has no entries beside its objects, which some outputs receive after them.
  private static func hasOnlyObjects(_ archive: ArchiveObjects) -> Bool {
    let losses = LossReport()
    return (try? archive.reportOtherEntries(to: losses)) != nil && losses.isEmpty
  }

  /// Returns ranges of elements that take about as many bytes of the file as a part of another input.
  func ranges(_ sizes: PartSizes) -> [Range<Int>] {
    let count = max(1, Int(Double(elementCount) * Double(sizes.part) / Double(max(bytes.count, 1))))
    return stride(from: 0, to: elementCount, by: count).map { $0..<min($0 + count, elementCount) }
  }

  /// Opens the file for a range.
  func open() throws(FerryError) -> OpenedInput {
    OpenedInput(
      part: PartInput([]), format, .nodes(try BinaryPropertyList(bytes, budget: budget), typedLayout: nil))
  }

  /// Returns a check of the costs of all ranges.
  func costCheck(_ options: ReadingOptions) throws(FerryError) -> NodeCostCheck {
    let file = try BinaryPropertyList(bytes, budget: budget)
    guard references != nil else { return NodeCostCheck(file, nil, options.sendingBudget) }
    return NodeCostCheck(file, try ArchiveObjects(file), options.objectBudget)
  }
}

extension OpenedInput {
  /// Sends the list in a binary file with only some of its elements. Does not call `finish`.
  ///
  /// - Returns: The costs of the values.
  func send(
    _ elements: Range<Int>, of ranges: NodeRanges, into sink: any ValueSink, _ options: ReadingOptions,
    losses: LossReport
  ) throws(FerryError) -> NodeCosts {
    guard let file = nodes as? BinaryPropertyList else { throw .stopped }
    try check(options)
    guard let references = ranges.references else {
      var replay = NodeReplay(
        file, root: file.root, into: sink, budget: options.sendingBudget, shared: options.shared,
        refersToScalars: options.refersToScalars, locator: nil)
      return NodeCosts(values: try replay.send(elements))
    }
    let objects = try ArchiveObjects(file)
    options.reportParts(of: objects, losses)
    var reader = options.reader(of: objects, into: sink)
    let costs = try reader.read(elements, references)
    // A note counts the objects in the whole archive.
    guard reader.notes.isEmpty else { throw .stopped }
    return costs
  }
}
