/// How a target shows what it has no syntax for.
public enum Form: String, CaseIterable, Sendable {
  /// What a person would write; what that drops is reported.
  case plain
  /// Everything, each kind with its tag: what is written comes back exactly, a binary file with the same bytes.
  case typed
  /// An archive as the property list that it is stored as.
  case raw
}
