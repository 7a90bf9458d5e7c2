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
