/// The versions that records of a type have had, and how those of older ones are read.
///
///     "version": 3,
///     "versionField": { "key": "schemaVersion" },
///     "versions": {
///       "1":   { "fields": [ { "name": "lastName", "from": "surname" } ] },
///       "1-2": { "fields": [ { "name": "price", "from": "cents", "type": "integer", "divide": 100 } ] } }
///
/// Each entry says what differs from the newest version, so a record is brought up to date in one step.
public struct RecordVersions: Hashable, Sendable {
  /// The version that is written, and the newest that is read.
  public var current: Int
  /// The name of the field that says a record's version; nil where the record or document around it does.
  public var field: String?
  /// The version of a record that does not say.
  public var absent: Int
  /// What differs in older versions.
  public var rules: [VersionRules]

  /// Versions of these parts.
  public init(current: Int, field: String? = nil, absent: Int, rules: [VersionRules] = []) {
    (self.current, self.field, self.absent, self.rules) = (current, field, absent, rules)
  }

  /// What differs in a version; nil when nothing does.
  func rules(of version: Int) -> VersionRules? { rules.first { $0.versions.contains(version) } }
}

/// What differs in some older versions from the newest.
public struct VersionRules: Hashable, Sendable {
  /// The versions.
  public var versions: ClosedRange<Int>
  /// The fields that looked otherwise.
  public var fields: [FieldRule]
  /// Keys that mean nothing any more, and are left out.
  public var removed: [String]

  /// Rules of these parts.
  public init(_ versions: ClosedRange<Int>, fields: [FieldRule], removed: [String] = []) {
    (self.versions, self.fields, self.removed) = (versions, fields, removed)
  }

  func isRemoved(_ key: Span<UInt8>) -> Bool { removed.contains { key.equals($0.utf8.span) } }

  /// Whether any field is made of what stands under a key.
  func isSource(_ key: Span<UInt8>) -> Bool {
    fields.contains { $0.sources.contains { key.equals($0.utf8.span) } }
  }
}

/// How an older version's record says what is a field today.
public struct FieldRule: Hashable, Sendable {
  /// The field of today.
  public var name: String
  /// The keys that it is made of: one, or those that are joined. Without any only the default is the version's own.
  public var sources: [String]
  /// The type of what stands there.
  public var type: FieldType
  /// What is done with it, one after the other; without any, only its type changes.
  public var changes: [FieldChange]
  /// The value of a record that has none of the keys.
  public var defaultValue: Value?

  /// A rule of these parts.
  public init(
    _ name: String, from sources: [String], type: FieldType, changes: [FieldChange] = [],
    defaultValue: Value? = nil
  ) {
    (self.name, self.sources, self.type) = (name, sources, type)
    (self.changes, self.defaultValue) = (changes, defaultValue)
  }
}

/// One thing that is done with an older value.
public enum FieldChange: Hashable, Sendable {
  /// Several strings, or a list of them, become one, with this between them.
  case joined(by: String)
  /// A string becomes the part before the first of these, all of it when there is none.
  case before(String)
  /// A string becomes the part after the first of these; without one there is no value.
  case after(String)
  /// A string becomes the part before the last of these, all of it when there is none.
  case beforeLast(String)
  /// A string becomes the part after the last of these; without one there is no value.
  case afterLast(String)
  /// A string becomes the list of its parts.
  case split(at: String)
  /// A value becomes the one that the table has for its text.
  case mapped(KeyedValues)
  /// A number is multiplied, exactly.
  case multiplied(by: Int)
  /// A number is divided, exactly.
  case divided(by: Int)
  /// A number of seconds since this moment (in seconds since 2001) becomes a date.
  case since(secondsSince2001: Double)
}
