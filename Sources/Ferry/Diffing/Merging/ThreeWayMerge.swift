/// A three-way merge of values.
///
///     var merge = ThreeWayMerge()
///     merge.key = "email"
///     let result = try merge.merge(base: base, ours: ours, theirs: theirs)
///     result.value                       // the document with the changes of both sides
///     result.conflicts.map(\.path)       // [email="ada@example.org"].lastName
///
/// Dictionaries and objects are merged key by key. Lists of records are merged by the records' key or,
/// without a key, by content. Lists of keys of the dictionary around a record are merged as references to its records. Other
/// lists, and the lines of texts that are not in objects, are merged if the changes do not touch, and sets by additions and
/// removals. A record keeps its class, and a shared object stays shared.
public struct ThreeWayMerge: Hashable, Sendable {
  /// The name of the field that identifies records, as in the records or in the schema.
  ///
  /// If it is nil, the merge uses the schema's key; otherwise a field with a usual name (`id`, `uuid`,
  /// `identifier`, `guid`, `key`, `itemKey`) and distinct values; otherwise the content of the records.
  public var key: String?
  /// The type of the records. It names the keys of the records and of the records inside them.
  public var record: RecordType?
  /// True if the records have archived keys instead of field names.
  public var usesArchiveKeys = false
  /// The side whose value the result gets in a conflict.
  public var favored = FavoredSide.ours
  /// True if values without a type in the schema are XML elements by convention: `@name` is an attribute, and
  /// text alone is an element without attributes and children.
  var mergesElements = false
  /// The columns of a table that a side has removed or renamed. Empty unless the result is a table.
  var removedColumns: [MergeSide: [String]] = [:]
  /// The limits on the result. Only `depth` has an effect.
  public var budget = Budget()

  /// Creates a merge without a schema: records are identified by a usual field name or by content.
  public init() {}

  /// The result of a merge.
  public struct Result: Hashable, Sendable {
    /// The merged value. At each conflict it holds the value of the favored side, with two exceptions: it keeps a removed record to which it
    /// refers, and a list of references lacks those to records that the other side has removed.
    public var value: Value
    /// The values that both sides have changed differently, each with its path.
    public var conflicts: [MergeConflict]
    /// The values of the versions; nil for a missing base.
    var versions: Versions<Value?>
    /// The values of the versions, with their shared objects stored separately under common numbers.
    var sharedVersions: Versions<SharedObjects?>
    /// The merged value, with its shared objects stored under the same numbers.
    var sharedValue: SharedObjects

    /// Returns a version and another value for a comparison. Objects that neither of them shares replace the references to
    /// them.
    func pair(of side: MergeSide, and value: SharedObjects) -> (old: SharedObjects, new: SharedObjects)? {
      guard let version = sharedVersions[side] else { return nil }
      return (version.inlined, value.inlined(unlessSharedIn: version))
    }
  }

  /// Merges two versions of a value with their common base.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, or nil if the two versions have none.
  ///   - ours: Our version.
  ///   - theirs: Their version.
  /// - Throws: A `MergeError` that names the version at fault, for example if its records lack the key or two
  ///   of them have the same key.
  public func merge(base: Value?, ours: Value, theirs: Value) throws(MergeError) -> Result {
    let merge = ValueMerge(self)
    let merged = try merge.merge(base: base, ours: ours, theirs: theirs)
    let value = try MergeError.of(.ours) { () throws(FerryError) in try merged.value(depth: budget.depth) }
    return Result(
      value: value, conflicts: merge.conflicts, versions: Versions(base: base, ours: ours, theirs: theirs),
      sharedVersions: Versions(merge.version), sharedValue: merged)
  }

  /// Returns the name of a field as it occurs in the merged records: the archived key or the field name.
  func keyName(_ key: String, of record: RecordType? = nil) -> String {
    guard usesArchiveKeys, let field = (record ?? self.record)?.fields.first(where: { $0.name.equals(key) })
    else {
      return key
    }
    return field.archiveKey
  }

  /// Returns the type of the value under a key of a record. If the type is a list of records, the key belongs
  /// to one of the records, or is the index of a record.
  func type(of key: Value, in type: FieldType?) -> FieldType? {
    guard case .string(let name) = key else { return nil }
    // A dictionary where the schema has a list is either one of the records, or a dictionary of them.
    if case .list(.record(let record), _)? = type {
      return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map {
        record.fields[$0.field].type
      } ?? type
    }
    guard case .record(let record)? = type else { return nil }
    return record.match(name.utf8.span, usesArchiveKeys: usesArchiveKeys).map { record.fields[$0.field].type }
  }
}
