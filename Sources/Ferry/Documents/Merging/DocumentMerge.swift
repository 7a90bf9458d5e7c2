/// Merges two changed versions of a document, whatever their formats.
///
///     let merge = DocumentMerge()
///     let ours = try merge.read(oursBytes)
///     let theirs = try merge.read(theirsBytes, as: ours)
///     let base = try merge.read(baseBytes, as: ours)
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.bytes           // the merged document, in the format of ours
///
/// Versions of one kind are compared as they are, so that nothing of an archive is lost, not even what no schema knows.
/// When they are of different kinds, or a schema is given, a schema makes one kind of them: that of ours.
public struct DocumentMerge: Sendable {
  /// The type of the documents: of packages, which are merged with it only, and of records that have a schema of their own.
  public var type: DocumentType?
  /// How records look; nil to use the type's schema, or a built-in one where our version is of one.
  public var schema: Schema?
  /// The field that tells records apart; nil to take the schema's, or to find one. See `Merge.key`.
  public var key: String?
  /// The side that has its way in conflicts; ours unless given.
  public var favored: MergeSide?
  /// The format of all versions, where their content does not tell.
  public var source: Format?
  /// Whether built-in schemas are looked for when none is given.
  public var matchesSchemas = true
  /// Whether records of a newer version than the schema knows are read.
  public var readsNewerVersions = false
  /// What a version may cost. It is never read deeper than a thousand levels: merging goes down level by level.
  public var budget = Budget()

  /// A merge that finds everything out by itself.
  public init() {}

  /// A version that has been read, in the shape of our version.
  public typealias Version = RecordDocument

  /// What came of a merge.
  public struct Result: Sendable {
    /// The merged document.
    public let bytes: [UInt8]
    /// The same as a value.
    public let value: Value
    /// The places that both sides have changed, each in its own way; in the document one side has its way.
    public let conflicts: [MergeConflict]
    /// The places in the text that both sides have changed, each in its own way, while their values agree: comments,
    /// processing instructions. In the document one side has its way.
    public let textConflicts: [TextConflict]
  }

  // MARK: Reading

  /// Reads a version: ours, or another in the shape of ours. An empty file is no version, which a base may be.
  ///
  /// - Throws: what is wrong with the file, with its place.
  public func read(_ bytes: [UInt8], named name: String? = nil, as ours: Version? = nil) throws(Failure)
    -> Version
  {
    let version = try files.read(bytes, named: name, as: ours?.format, fallback: ours?.schema)
    guard ours != nil || version.format != .sqlite else { throw Failure(.database(.notRewritten)) }
    return version
  }

  private var files: RecordDocumentFiles {
    var budget = budget
    budget.depth = min(budget.depth, 1000)
    return RecordDocumentFiles(
      schema: schema, typeSchema: type?.schema, matchesSchemas: matchesSchemas, source: source,
      readsNewerVersions: readsNewerVersions, budget: budget)
  }

  // MARK: Merging

  /// Merges two versions and the one that both began with; nil when they began with nothing.
  ///
  /// What one side alone has changed is kept, down to the bytes: values, and what no value holds, such as comments, white
  /// space and the order of keys. What cannot be kept of these is in `textConflicts`, or added to `losses`.
  ///
  /// - Throws: which version is at fault, and how: records without a key, or two with the same one; a value that the
  ///   format of ours cannot hold.
  public func merge(
    base: Version?, ours: Version, theirs: Version, losses: LossReport = LossReport()
  ) throws(MergeFailure) -> Result {
    let merged = try mergeValues(base: base?.value, ours: ours.value, theirs: theirs.value, ours, theirs)
    let file = mergedFile(of: merged, base, ours, theirs)
    let made = try MergeFailure.of(.ours) { () throws(Failure) in try file.make(losses: losses) }
    return Result(
      bytes: made.bytes, value: merged.value, conflicts: merged.conflicts, textConflicts: made.conflicts)
  }

  /// Merges the values of two versions of a document.
  func mergeValues(
    base: Value?, ours: Value, theirs: Value, _ ourVersion: Version, _ theirVersion: Version
  ) throws(MergeFailure) -> Merge.Result {
    var merge = Merge()
    merge.key = key
    merge.favored = favored
    merge.depth = budget.depth
    if let schema = ourVersion.schema ?? theirVersion.schema {
      merge.record = schema.record
      merge.usesArchiveKeys = ourVersion.format.recordDialect.usesArchiveKeys
    }
    return try merge.merge(base: base, ours: ours, theirs: theirs)
  }

  /// Makes the file of merged values out of the versions' files.
  func mergedFile(
    of merged: Merge.Result, _ base: Version?, _ ours: Version, _ theirs: Version
  ) -> MergedFile {
    MergedFile(
      files: files, base: base, ours: ours, theirs: theirs, merged: merged, winner: favored ?? .ours)
  }
}
