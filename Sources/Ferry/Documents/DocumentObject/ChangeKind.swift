/// A kind of change to the contents of a document.
public enum ChangeKind: Hashable, Sendable {
  /// A new change.
  case done
  /// The undo of the last change.
  case undone
  /// The redo of the last undone change.
  case redone
  /// A change after which the contents in memory equal those on disk.
  case cleared
}
