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
