/// The versions of a record type, with rules for reading older versions.
///
///     "version": 3,
///     "versionField": { "key": "schemaVersion" },
///     "versions": {
///       "1":   { "fields": [ { "name": "lastName", "from": "surname" } ] },
///       "1-2": { "fields": [ { "name": "price", "from": "cents", "type": "integer", "divide": 100 } ] } }
///
/// Each entry describes the differences from the newest version, so that a record is updated in one step.
public struct RecordVersions: Hashable, Sendable {
  /// The newest version, which is written.
  public var current: Int
  /// The name of the field that holds a record's version, or nil if the enclosing record or document holds
  /// it.
  public var field: String?
  /// The version of records that state no version.
  public var absent: Int
  /// The rules for reading older versions.
  public var rules: [VersionRules]

  /// Creates versions.
  public init(current: Int, field: String? = nil, absent: Int, rules: [VersionRules] = []) {
    (self.current, self.field, self.absent, self.rules) = (current, field, absent, rules)
  }

  /// Returns the rules for a version, or nil if there are none.
  func rules(of version: Int) -> VersionRules? { rules.first { $0.versions.contains(version) } }
}

extension RecordType {
  /// True if the records, or records in them, have versions.
  var hasVersions: Bool { versions != nil || fields.contains { $0.type.record?.hasVersions == true } }

  /// True if fields of the records, or of records in them, have older keys that are also written.
  var hasOlderKeys: Bool {
    fields.contains { !$0.alsoWritten.isEmpty || $0.type.record?.hasOlderKeys == true }
  }
}
