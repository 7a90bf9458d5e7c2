/// The flaws of the objects in a file: the reasons why programs could not read them. A file that was edited as a
/// whole, or merged, is compared with the file before it, because it may keep flaws but get no new ones.
///
///     try ArchiveFlawCount.check((edited, .archive), since: [(original, .archive)], budget: Budget())
struct ArchiveFlawCount {
  typealias File = (bytes: [UInt8], format: Format)

  /// The number of occurrences of each flaw, by its text without indices, because elements may have moved.
  private var counts: [ExactString: Int] = [:]
  /// Each flaw at its first occurrence.
  private var flaws: [ExactString: ObjectFlaw] = [:]

  /// The maximum nesting of files in data.
  private static let levels = 8

  /// The limits with which the files are read, which are those of the edit or the merge.
  private let budget: Budget

  private init(budget: Budget) { self.budget = budget }

  /// Throws if a file has a flaw that none of its earlier versions has, or has it more often than each of them.
  ///
  /// - Parameters:
  ///   - file: The file, with its format.
  ///   - versions: The versions from which the file was made.
  ///   - expandsData: True to check archives in data, too.
  ///   - budget: The limits with which the files were read before.
  /// - Throws: A `FerryError` with the reason `DocumentProblem.unreadableObject`.
  static func check(
    _ file: File, since versions: [File], expandsData: Bool = false, budget: Budget
  ) throws(FerryError) {
    let levels = expandsData ? Self.levels : 0
    var after = Self(budget: budget)
    try after.add(file, levels: levels)
    guard !after.counts.isEmpty else { return }
    var before: [ExactString: Int] = [:]
    for version in versions {
      var known = Self(budget: budget)
      try known.add(version, levels: levels)
      before.merge(known.counts, uniquingKeysWith: max)
    }
    let added = after.counts.filter { $0.value > before[$0.key, default: 0] }.keys.sorted().first
    guard let added, let flaw = after.flaws[added] else { return }
    throw FerryError(.document(.unreadableObject(flaw)))
  }

  private mutating func add(_ file: File, levels: Int) throws(FerryError) {
    guard let nodes = try file.format.nodes(of: MemoryInput(file.bytes), budget: budget) else { return }
    let list = EditedPropertyList(nodes)
    if try list.isKeyedArchive, let flaws = ArchiveFlaws(of: list, .standard) {
      if let flaw = try flaws.flawOfTop() { add(flaw) }
      for number in flaws.numbers { if let flaw = try flaws.flaw(of: number) { add(flaw) } }
    }
    guard levels > 0 else { return }
    for index in 0..<nodes.nodeCount where try nodes.kind(of: NodeID(index)) == .data {
      let data = try nodes.withData(of: NodeID(index)) { [UInt8](copying: $0) }
      guard let inner = try? Format.of(data, budget: budget),
        inner.isBinaryPropertyList || inner.description.isKeyedArchive
      else {
        continue
      }
      try add((data, inner), levels: levels - 1)
    }
  }

  private mutating func add(_ flaw: ObjectFlaw) {
    let key = ExactString(String(flaw.description.filter { !$0.isNumber }))
    counts[key, default: 0] += 1
    if flaws[key] == nil { flaws[key] = flaw }
  }
}

extension Format {
  /// Throws if an edited text has made objects in the file that programs could not read.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.unreadableObject`.
  package func checkObjects(
    in bytes: [UInt8], since original: [UInt8], expandingData: Bool, budget: Budget
  ) throws(FerryError) {
    guard isArchive || expandingData else { return }
    try ArchiveFlawCount.check(
      (bytes, self), since: [(original, self)], expandsData: expandingData, budget: budget)
  }
}
