/// A three-way merge of values.
///
///     var merge = Merge()
///     merge.key = "email"
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.value                       // what both have made of it
///     result.conflicts.map(\.path)       // [email="ada@example.org"].lastName
///
/// Dictionaries and objects are merged key by key; lists of records by the records' key or, without a key, by
/// content; other lists if the changes do not overlap; sets by additions and removals. A record keeps its
/// class, and a shared object stays shared.
public struct Merge: Sendable {
  /// The field that identifies records, by its name in the records or in the schema. If it is nil, the merge
  /// uses the schema's key; otherwise a field with a usual name (`id`, `uuid`, `identifier`, `guid`, `key`,
  /// `itemKey`) and distinct values; otherwise the content.
  public var key: String?
  /// The type of the records, for their keys and for those of records inside them.
  public var record: RecordType?
  /// True if the records have archived keys instead of field names.
  public var usesArchiveKeys = false
  /// The side whose value the result gets in a conflict; nil for ours.
  public var favored: MergeSide?
  /// The greatest depth of the result.
  var depth = Budget().depth

  /// Creates a merge without knowledge of the records.
  public init() {}

  /// The result of a merge.
  public struct Result: Sendable {
    /// The merged value. In a conflict it has the value of one side.
    public var value: Value
    /// The values that both sides have changed differently.
    public var conflicts: [MergeConflict]
    /// The versions with their shared objects numbered as in the merged value.
    var base: Value?
    var ours, theirs: Value
  }

  /// Merges two versions of a value with their common base, which is nil if they began with nothing.
  ///
  /// - Throws: An error with the version that causes it: records without a key, or two records with the same
  ///   key.
  public func merge(base: Value?, ours: Value, theirs: Value) throws(MergeError) -> Result {
    let merge = ValueMerge(self)
    let value = try merge.merge(base: base, ours: ours, theirs: theirs)
    return Result(
      value: value, conflicts: merge.conflicts, base: try merge.version(.base),
      ours: try merge.version(.ours) ?? ours,
      theirs: try merge.version(.theirs) ?? theirs)
  }

  /// Returns the name of a key in the records that are merged.
  func keyName(_ key: String, of record: RecordType? = nil) -> String {
    guard usesArchiveKeys, let field = (record ?? self.record)?.fields.first(where: { $0.name.equals(key) })
    else {
      return key
    }
    return field.archiveKey
  }

  /// Returns the type of the value under a key of a record, or of a record in a list.
  func type(of key: Value, in type: FieldType?) -> FieldType? {
    guard case .string(let name) = key else { return nil }
    // A dictionary in place of a list is either one of the records, or a dictionary around them.
    if case .list(.record(let record), _)? = type {
      return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map {
        record.fields[$0.field].type
      } ?? type
    }
    guard case .record(let record)? = type else { return nil }
    return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map { record.fields[$0.field].type }
  }
}
