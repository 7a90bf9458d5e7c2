/// How two changed versions of a value are merged.
///
///     var merge = Merge()
///     merge.key = "email"
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.value                       // what both have made of it
///     result.conflicts.map(\.path)       // [email="ada@example.org"].lastName
///
/// Dictionaries and objects are merged key by key, lists of records by their key, or where they have none by their
/// content; other lists where no two changes touch; sets by what was added and removed. A record keeps the class that
/// it has, and an object that is shared stays shared.
public struct Merge: Sendable {
  /// The field that tells records apart, by its name in the records or in the schema; nil to take the schema's key, else a
  /// field whose name says so (`id`, `uuid`, `identifier`, `guid`, `key`, `itemKey`) and that does, else the content.
  public var key: String?
  /// The records' type, for the keys of the records and those inside them.
  public var record: RecordType?
  /// Whether the records have the keys of archives, and not the names of fields.
  public var usesArchiveKeys = false
  /// The side that has its way in conflicts; ours unless given.
  public var favored: MergeSide?
  /// How deep the result may be.
  var depth = Budget().depth

  /// A merge that knows nothing of the records.
  public init() {}

  /// What came of it.
  public struct Result: Sendable {
    /// The merged value; where there are conflicts, one side's.
    public var value: Value
    /// The places that both sides have changed, each in its own way.
    public var conflicts: [MergeConflict]
    /// The versions, with their shared objects numbered as in the merged value.
    var ours, theirs: Value
  }

  /// Merges two versions of a value, and the one that both began with; nil when they began with nothing.
  ///
  /// - Throws: which version is at fault: records without a key, or two with the same one.
  public func merge(base: Value?, ours: Value, theirs: Value) throws(MergeFailure) -> Result {
    let merge = ValueMerge(self)
    let value = try merge.merge(base: base, ours: ours, theirs: theirs)
    return Result(
      value: value, conflicts: merge.conflicts, ours: try merge.version(.ours) ?? ours,
      theirs: try merge.version(.theirs) ?? theirs)
  }

  /// What a key is called in the records that are merged.
  func keyName(_ key: String, of record: RecordType? = nil) -> String {
    guard usesArchiveKeys, let field = (record ?? self.record)?.fields.first(where: { $0.name == key }) else {
      return key
    }
    return field.archiveKey
  }

  /// The type of what stands under a key of a record, or in a list's record.
  func type(of key: Value, in type: FieldType?) -> FieldType? {
    guard case .string(let name) = key else { return nil }
    // A list's dictionary at the top is one of the records, or what is around them.
    if case .list(.record(let record), _)? = type {
      return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map {
        record.fields[$0.field].type
      } ?? type
    }
    guard case .record(let record)? = type else { return nil }
    return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map { record.fields[$0.field].type }
  }
}
