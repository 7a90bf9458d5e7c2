/// The representation of values that the target format cannot represent directly.
public enum Representation: String, CaseIterable, Sendable {
  /// The form that a person would write. Data that is dropped is reported as a loss.
  case plain
  /// The form that keeps everything by adding tags. It restores the input exactly; a binary file, byte for
  /// byte.
  case typed
  /// The raw property list of an archive, with `$objects`.
  case raw
}
