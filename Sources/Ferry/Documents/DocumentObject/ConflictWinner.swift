/// The version that `resolveConflict(keeping:)` keeps.
public enum ConflictWinner: Hashable, Sendable {
  /// The version in memory, which replaces theirs.
  case ours
  /// The version on disk, which is loaded; the changes in memory are discarded.
  case theirs
}
