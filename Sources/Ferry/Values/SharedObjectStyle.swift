/// The style of objects with several references in the plain form.
public enum SharedObjectStyle: String, CaseIterable, Sendable {
  /// The object is written in full once, and as a reference after that: `{"$ref": "#/people/3"}`.
  case reference
  /// The object is written in full each time, within the limit on amplification. Inside the object itself,
  /// which would never end, a reference is written.
  case inFull = "in-full"
}
