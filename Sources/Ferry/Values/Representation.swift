/// The representation of values for which the target has no syntax.
public enum Representation: String, CaseIterable, Sendable {
  /// The form that a person would write. Everything that it drops is reported.
  case plain
  /// The form that keeps everything, each kind with a tag. It restores the input exactly, and a binary file
  /// byte for byte.
  case typed
  /// An archive as its raw property list.
  case raw
}
