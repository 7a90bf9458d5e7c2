/// A three-way merge of documents in any format.
///
///     let merge = DocumentMerge()
///     let ours = try merge.read(oursBytes)
///     let theirs = try merge.read(theirsBytes, as: ours)
///     let base = try merge.read(baseBytes, as: ours)
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.bytes           // the merged document, in the format of ours
///
/// Versions in the same kind of format are compared without conversion, so that an archive loses nothing, not
/// even data outside of the schema. If the kinds differ, or if `schema` is set, a schema converts the other
/// versions to the shape of ours.
public struct DocumentMerge: Sendable {
  /// The type of the documents. It is required for packages, and provides a schema for records.
  public var type: DocumentType?
  /// The schema of the records. If it is nil, the merge uses the type's schema, or a built-in one that
  /// matches our version.
  public var schema: Schema?
  /// The name of the field that identifies records. If it is nil, the merge uses the schema's key or finds a
  /// field; see `ThreeWayMerge.key`.
  public var key: String?
  /// The side whose value the result gets in a conflict.
  public var favored = FavoredSide.ours
  /// The format of all versions if their content does not identify it.
  public var source: Format?
  /// The formats that document types declare, by the names of files.
  package var declaredFormats = DeclaredFormats()
  /// True to match built-in schemas if none is given.
  public var matchesSchemas = true
  /// True to read records of newer versions than the schema's.
  public var readsNewerVersions = false
  /// The limits on each version. The depth limit is at most 1000, because merging recurses.
  public var budget = Budget()

  /// Creates a merge with default settings.
  public init() {}

  /// A version in memory, in the shape of our version.
  public typealias Version = RecordDocument

  /// The result of a merge.
  public struct Result: Hashable, Sendable {
    /// The merged document.
    public let bytes: [UInt8]
    /// The merged document as a value.
    public let value: Value
    /// The values that both sides have changed differently. At each, the document has the favored side's value, as
    /// ``ThreeWayMerge/Result/value`` describes.
    public let conflicts: [MergeConflict]
    /// The parts of the text that both sides have changed differently, while their values agree: comments,
    /// processing instructions. Also those that one side changed in a value which the other side removed. The
    /// document has the text of one side.
    public let textConflicts: [TextConflict]
    /// The data that was dropped when the file was written anew.
    public internal(set) var losses = Losses()
  }

  // MARK: Reading

  /// Reads a version. An empty file, which a base may be, becomes a version without a value.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file name.
  ///   - ours: Our version, which determines the shape of the records; nil if this is our version.
  /// - Throws: An error of the file with its source location.
  public func read(_ bytes: [UInt8], named name: String? = nil, as ours: Version? = nil) throws(FerryError)
    -> Version
  {
    let version: Version
    do throws(FerryError) {
      version = try read(bytes, named: name, inShapeOf: ours)
    } catch {
      guard error.reason == .overBudget(.depth(Self.depthLimit)), budget.depth > Self.depthLimit else {
        throw error
      }
      throw FerryError(.overBudget(.fixedDepth(Self.depthLimit)), at: error.location, path: error.path)
    }
    guard ours != nil || !version.format.isDatabase else { throw FerryError(.database(.notRewritten)) }
    return version
  }

  private func read(
    _ bytes: [UInt8], named name: String?, inShapeOf ours: Version?
  ) throws(FerryError) -> Version {
    let version = try files.read(bytes, named: name, as: ours?.shape, fallback: ours?.schema)
    guard let ours, ours.isXMLByConvention, version.format.isOfElements, version.isMapped else {
      return version
    }
    return try files(for: ours).read(bytes, named: name, as: ours.shape)
  }

  /// Returns the reader and writer of files in the shape of our version. If a built-in schema does not match
  /// our XML, it must not match the other versions and the result.
  func files(for ours: Version) -> RecordDocumentFiles {
    var files = files
    if ours.isXMLByConvention { files.matchesSchemas = false }
    return files
  }

  /// The maximum nesting depth of a version. Merging recurses, so it must be limited.
  private static let depthLimit = 1000

  private var files: RecordDocumentFiles {
    var budget = budget
    budget.depth = min(budget.depth, Self.depthLimit)
    return RecordDocumentFiles(
      schema: schema, typeSchema: type?.schema, matchesSchemas: matchesSchemas, source: source,
      declared: declaredFormats, readsNewerVersions: readsNewerVersions, budget: budget)
  }

  // MARK: Merging

  /// Merges two versions with their common base.
  ///
  /// A change by one side alone is kept byte for byte, in values and in the text around them: comments, white
  /// space and the order of keys. A change of the text that cannot be kept is one of the `textConflicts` or
  /// `losses` of the result.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, or nil if the two versions have none.
  ///   - ours: Our version, which determines the format of the result.
  ///   - theirs: The other version.
  /// - Throws: A `MergeError` that names the version at fault: its records lack the key, two of them have the
  ///   same key, or the format of ours cannot represent a value.
  public func merge(base: Version?, ours: Version, theirs: Version) throws(MergeError) -> Result {
    let losses = LossReport()
    var result = try merged(base: base, ours: ours, theirs: theirs, losses)
    result.losses = losses.all
    return result
  }

  private func merged(
    base: Version?, ours: Version, theirs: Version, _ losses: LossReport
  ) throws(MergeError) -> Result {
    let given = MergedVersions(base: base, ours: ours, theirs: theirs).withoutEmptyBase
    if let conflict = try rootConflict(of: given) {
      let (bytes, value) = try favoredFile(of: given)
      return Result(bytes: bytes, value: value, conflicts: [conflict], textConflicts: [])
    }
    let versions = try comparable(given).listingDocuments
    if let result = mergedByReferences(versions, losses) { return result }
    var values = valueMerge(of: versions)
    values.removedColumns = removedColumns(of: versions)
    var merged = try values.merge(versions)
    let columns = MergedColumns(of: versions, budget: budget)
    columns?.fillCells(of: &merged)
    let file = mergedFile(of: merged, versions, columns, undoing: values)
    let (made, conflicts) = try made(by: file, losses)
    return Result(
      bytes: made.bytes, value: made.value, conflicts: merged.conflicts + conflicts,
      textConflicts: made.conflicts)
  }

  /// Returns the merge of the values of the versions.
  func valueMerge(of versions: MergedVersions) -> ThreeWayMerge {
    var merge = ThreeWayMerge()
    merge.key = key
    merge.favored = favored
    merge.mergesElements = versions.ours.shape.isOfElements
    merge.budget.depth = min(budget.depth, Self.depthLimit)
    if let schema = versions.ours.schema ?? versions.theirs.schema {
      merge.record = schema.record
      merge.usesArchiveKeys = versions.ours.format.recordDialect.usesArchiveKeys
    }
    return merge
  }

  /// Makes the merged file, and returns it with the conflicts in the entries of archives. Throws if its archive has an object that programs
  /// could not read, such as a set in which both sides have put the same member.
  func made(
    by file: MergedFile, _ losses: LossReport
  ) throws(MergeError) -> (file: MergedFile.Made, conflicts: [MergeConflict]) {
    guard let text = file.ours.describingText else { return try madeFile(by: file, losses) }
    // A text has none of the layout of the file, unless it describes that, too.
    let hasLayout = text.hasLayout(file.files.budget)
    let kept = LossReport(forwardingTo: losses) {
      hasLayout || $0.kind != .archiveLayout && $0.kind != .layout
    }
    do throws(MergeError) {
      var (made, conflicts) = try madeFile(by: file, kept)
      let hasConflicts = !file.merged.conflicts.isEmpty || !conflicts.isEmpty
      if let edit = DescribingTextEdit(file.files, file.ours, describing: made.bytes) {
        let merged = try MergeError.of(.ours) { () throws(FerryError) in
          try edit.merged(
            base: file.base, theirs: file.theirs, favoring: favored.side, hasConflicts: hasConflicts, losses)
        }
        (made.bytes, made.conflicts) = (merged.bytes, made.conflicts + merged.conflicts)
      }
      return (made, conflicts)
    } catch {
      // The user never sees the bytes of the file that the text describes, so a location in them would not help.
      throw MergeError(side: error.side, error: FerryError(error.error.reason, path: error.error.path))
    }
  }

  /// Makes the merged file, or that which the merged text describes.
  private func madeFile(
    by file: MergedFile, _ losses: LossReport
  ) throws(MergeError) -> (file: MergedFile.Made, conflicts: [MergeConflict]) {
    var made = try MergeError.of(.ours) { () throws(FerryError) in
      var made = try file.make(losses: losses)
      if file.ours.describingText == nil { made.conflicts += file.conflictsOfReferences(in: made.bytes) }
      let versions = file.versions.all
      guard file.ours.format.isArchive, !versions.contains(where: { $0.bytes == made.bytes }) else {
        return made
      }
      try ArchiveFlawCount.check(
        (made.bytes, file.ours.format), since: versions.map { ($0.bytes, $0.format) }, budget: budget)
      return made
    }
    let conflicts = try mergeArchiveEntries(of: file, in: &made.bytes, losses)
    try checkRoots(of: made.bytes, by: file)
    return (made, conflicts)
  }

  /// Returns the maker of the merged file. It may undo removals of values with a merge of values.
  func mergedFile(
    of merged: ThreeWayMerge.Result, _ versions: MergedVersions, _ columns: MergedColumns? = nil,
    undoing: ThreeWayMerge?
  ) -> MergedFile {
    var files = files(for: versions.ours)
    let hasTheirRoots = versions.haveTheirRoots
    if versions.ours.format.isArchive {
      files.learnArchive(of: hasTheirRoots ? versions.theirs : versions.ours)
      for version in versions.all { files.learnStorage(of: version) }
    }
    let beginsWithTheirs = hasTheirRoots || columns?.favorsTheirs ?? false
    return MergedFile(
      files: files, versions: versions, carriers: beginsWithTheirs ? [.theirs, .ours] : [.ours, .theirs],
      merged: merged, columns: columns?.names ?? [], winner: favored.side, undoing: undoing)
  }
}

extension ThreeWayMerge {
  /// Merges the values of the versions of a document.
  func merge(_ versions: MergedVersions) throws(MergeError) -> Result {
    try merge(
      base: versions.base?.value, ours: versions.ours.value, theirs: versions.theirs.value)
  }
}

extension RecordDocument {
  /// True if the document is XML that was read by convention.
  fileprivate var isXMLByConvention: Bool { shape.isOfElements && !isMapped }
}
