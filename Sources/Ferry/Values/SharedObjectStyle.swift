/// The style in which the plain form shows an object that several others refer to.
public enum SharedObjectStyle: String, CaseIterable, Sendable {
  /// Shows the object in full once, and refers to it after that: `{"$ref": "#/people/3"}`.
  case reference
  /// Shows the object in full each time, within the budget for amplification. Inside itself, where that would
  /// never end, it is a reference.
  case inFull = "in-full"
}
