/// The roots of an archive, which are in `$top`.
enum ArchiveRoots {
  /// An object with the name `root`.
  case object(ObjectNumber)
  /// The scalar on the tape, inline, with the name `root`.
  case inline
  /// The entries of the dictionary on the tape.
  case entries
}
