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

/// The differences between some older versions and the newest.
public struct VersionRules: Hashable, Sendable {
  /// The versions that the rules apply to.
  public var versions: ClosedRange<Int>
  /// The rules for fields that differ.
  public var fields: [FieldRule]
  /// The keys that are dropped because they have no meaning any more.
  public var removed: [String]

  /// Creates rules.
  public init(_ versions: ClosedRange<Int>, fields: [FieldRule], removed: [String] = []) {
    (self.versions, self.fields, self.removed) = (versions, fields, removed)
  }

  func isRemoved(_ key: Span<UInt8>) -> Bool { removed.contains { key.equals($0.utf8.span) } }

  /// Returns true if some field is made from the value of a key.
  func isSource(_ key: Span<UInt8>) -> Bool {
    fields.contains { $0.sources.contains { key.equals($0.utf8.span) } }
  }
}

/// A rule that makes the value of a current field from a record of an older version.
public struct FieldRule: Hashable, Sendable {
  /// The name of the current field.
  public var name: String
  /// The keys from which the value is made: one, or several that are joined. If the list is empty, the rule
  /// only sets a default value.
  public var sources: [String]
  /// The type of the older values.
  public var type: FieldType
  /// The changes to apply, in order. If the list is empty, only the type changes.
  public var changes: [FieldChange]
  /// The value for records that have none of the keys.
  public var defaultValue: Value?

  /// Creates a rule.
  public init(
    _ name: String, from sources: [String], type: FieldType, changes: [FieldChange] = [],
    defaultValue: Value? = nil
  ) {
    (self.name, self.sources, self.type) = (name, sources, type)
    (self.changes, self.defaultValue) = (changes, defaultValue)
  }
}

/// A change to an older value.
public enum FieldChange: Hashable, Sendable {
  /// Joins several strings, or a list of strings, with a separator.
  case joined(by: String)
  /// Takes the part of a string before the first separator, or the whole string if it has none.
  case before(String)
  /// Takes the part of a string after the first separator, or no value if it has none.
  case after(String)
  /// Takes the part of a string before the last separator, or the whole string if it has none.
  case beforeLast(String)
  /// Takes the part of a string after the last separator, or no value if it has none.
  case afterLast(String)
  /// Splits a string at each separator into a list.
  case split(at: String)
  /// Replaces a value by the entry for its text in a table.
  case mapped(KeyedValues)
  /// Multiplies a number exactly.
  case multiplied(by: Int)
  /// Divides a number. Fails if the result is not exact.
  case divided(by: Int)
  /// Converts a number of seconds since a moment to a date. The moment is given in seconds since 2001.
  case since(secondsSince2001: Double)
}

extension RecordType {
  /// True if the records, or records in them, have versions.
  var hasVersions: Bool { versions != nil || fields.contains { $0.type.record?.hasVersions == true } }

  /// True if fields of the records, or of records in them, have older keys that are also written.
  var hasOlderKeys: Bool {
    fields.contains { !$0.alsoWritten.isEmpty || $0.type.record?.hasOlderKeys == true }
  }
}
