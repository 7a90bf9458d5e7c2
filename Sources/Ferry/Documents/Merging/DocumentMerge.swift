/// A three-way merge of documents in any format.
///
///     let merge = DocumentMerge()
///     let ours = try merge.read(oursBytes)
///     let theirs = try merge.read(theirsBytes, as: ours)
///     let base = try merge.read(baseBytes, as: ours)
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.bytes           // the merged document, in the format of ours
///
/// Versions of one kind of format are compared without conversion, so that an archive loses nothing, not even
/// data outside of any schema. If the kinds differ, or a schema is given, a schema converts the versions to
/// the shape of ours.
public struct DocumentMerge: Sendable {
  /// The type of the documents. Packages need it; records may get their schema from it.
  public var type: DocumentType?
  /// The schema of the records; nil to use the type's, or a built-in one that matches our version.
  public var schema: Schema?
  /// The field that identifies records; nil to use the schema's key, or to find one. See `Merge.key`.
  public var key: String?
  /// The side whose value the result gets in a conflict; nil for ours.
  public var favored: MergeSide?
  /// The format of all versions, for content that does not identify itself.
  public var source: Format?
  /// True to match built-in schemas if none is given.
  public var matchesSchemas = true
  /// True to read records of a newer version than the schema's.
  public var readsNewerVersions = false
  /// The limits on each version. The depth is at most a thousand levels, because merging recurses.
  public var budget = Budget()

  /// Creates a merge with default settings.
  public init() {}

  /// A version in memory, in the shape of our version.
  public typealias Version = RecordDocument

  /// The result of a merge.
  public struct Result: Sendable {
    /// The merged document.
    public let bytes: [UInt8]
    /// The merged document as a value.
    public let value: Value
    /// The values that both sides have changed differently. The document has the value of one side.
    public let conflicts: [MergeConflict]
  }

  // MARK: Reading

  /// Reads a version. An empty file, which a base may be, has no version.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file name.
  ///   - ours: Our version, whose shape the records get; nil to read our version itself.
  /// - Throws: An error of the file with its source location.
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

  /// Merges two versions with their common base, which is nil if they began with nothing.
  ///
  /// A result that equals one of the versions has the bytes of that version, unless the formats of the two
  /// differ. If the result is rewritten, the data that is lost, such as comments in XML, is added to
  /// `losses`.
  ///
  /// - Parameters:
  ///   - base: The version from which both sides began.
  ///   - ours: Our version, which determines the format of the result.
  ///   - theirs: The other version.
  ///   - losses: Receives the data that is lost because the result is rewritten.
  /// - Throws: An error with the version that causes it: records without a key, two records with the same
  ///   key, or a value that the format of ours cannot represent.
  public func merge(
    base: Version?, ours: Version, theirs: Version, losses: LossReport = LossReport()
  ) throws(MergeFailure) -> Result {
    let merged = try mergeValues(base: base?.value, ours: ours.value, theirs: theirs.value, ours, theirs)
    let bytes = try MergeFailure.of(.ours) { () throws(Failure) in
      try self.bytes(of: merged, ours, theirs, losses: losses)
    }
    return Result(bytes: bytes, value: merged.value, conflicts: merged.conflicts)
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

  /// Returns the file for a merged value: the bytes of a version with the same value, otherwise ours with the
  /// changes.
  func bytes(
    of merged: Merge.Result, _ ours: Version, _ theirs: Version, losses: LossReport
  ) throws(Failure) -> [UInt8] {
    let value = merged.value
    if value == merged.ours, !ours.isMapped || schema == nil { return ours.bytes }
    if value == merged.theirs, theirs.format == ours.format, !theirs.isMapped || schema == nil {
      return theirs.bytes
    }
    if let bytes = files.editing(ours, from: merged.ours, to: value) { return bytes }
    losses.add(ours.losses)
    return try files.bytes(
      of: value, in: ours.format, schema: ours.schema, isPretty: ours.isPretty, losses: losses)
  }
}
