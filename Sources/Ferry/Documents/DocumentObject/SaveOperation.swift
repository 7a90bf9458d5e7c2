/// The treatment of a file that exists at the path of a save.
public enum SaveOperation: Hashable, Sendable {
  /// Creates the document. Throws if the path is taken, and leaves the existing file unchanged.
  case creating
  /// Creates the document or replaces an existing file.
  case overwriting
}
