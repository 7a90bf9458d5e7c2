/// The versions of a record type, with rules for reading older ones.
///
///     "version": 3,
///     "versionField": { "key": "schemaVersion" },
///     "versions": {
///       "1":   { "fields": [ { "name": "lastName", "from": "surname" } ] },
///       "1-2": { "fields": [ { "name": "price", "from": "cents", "type": "integer", "divide": 100 } ] } }
///
/// Each entry has the differences from the newest version, so a record is updated in one step.
public struct RecordVersions: Hashable, Sendable {
  /// The version that is written, and the newest that is read.
  public var current: Int
  /// The name of the field with a record's version; nil if the enclosing record or document has it.
  public var field: String?
  /// The version of records without a version.
  public var absent: Int
  /// The rules for older versions.
  public var rules: [VersionRules]

  /// Creates versions.
  public init(current: Int, field: String? = nil, absent: Int, rules: [VersionRules] = []) {
    (self.current, self.field, self.absent, self.rules) = (current, field, absent, rules)
  }

  /// Returns the rules for a version; nil if there are none.
  func rules(of version: Int) -> VersionRules? { rules.first { $0.versions.contains(version) } }
}

/// The differences of some older versions from the newest.
public struct VersionRules: Hashable, Sendable {
  /// The versions to which the rules apply.
  public var versions: ClosedRange<Int>
  /// The fields that were different.
  public var fields: [FieldRule]
  /// The keys that have no meaning any more, and are left out.
  public var removed: [String]

  /// Creates rules.
  public init(_ versions: ClosedRange<Int>, fields: [FieldRule], removed: [String] = []) {
    (self.versions, self.fields, self.removed) = (versions, fields, removed)
  }

  func isRemoved(_ key: Span<UInt8>) -> Bool { removed.contains { key.equals($0.utf8.span) } }

  /// Returns true if a field is made from the value of a key.
  func isSource(_ key: Span<UInt8>) -> Bool {
    fields.contains { $0.sources.contains { key.equals($0.utf8.span) } }
  }
}

/// A rule for making a current field from a record of an older version.
public struct FieldRule: Hashable, Sendable {
  /// The name of the current field.
  public var name: String
  /// The keys from which the field is made: one, or several that are joined. If empty, the rule sets only the
  /// default.
  public var sources: [String]
  /// The type of the older value.
  public var type: FieldType
  /// The changes to apply in order. If empty, only the type changes.
  public var changes: [FieldChange]
  /// The value for records without any of the keys.
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
  /// Takes the part of a string before the first separator; all of it if there is none.
  case before(String)
  /// Takes the part of a string after the first separator; no value if there is none.
  case after(String)
  /// Takes the part of a string before the last separator; all of it if there is none.
  case beforeLast(String)
  /// Takes the part of a string after the last separator; no value if there is none.
  case afterLast(String)
  /// Splits a string into a list.
  case split(at: String)
  /// Replaces a value by the entry of a table for its text.
  case mapped(KeyedValues)
  /// Multiplies a number, exactly.
  case multiplied(by: Int)
  /// Divides a number, exactly.
  case divided(by: Int)
  /// Converts a number of seconds since this moment (in seconds since 2001) to a date.
  case since(secondsSince2001: Double)
}
