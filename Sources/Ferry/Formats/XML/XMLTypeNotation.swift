/// The notation of types in XML without a schema.
public enum XMLTypeNotation: String, Sendable, CaseIterable {
  /// No types: all values are text.
  case none
  /// Attributes such as `xsi:type="xs:integer"` and `xsi:nil="true"`.
  case attributes
}
