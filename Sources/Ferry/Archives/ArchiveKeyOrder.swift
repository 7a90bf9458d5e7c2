/// The order in which the keys of an archived object are written.
enum ArchiveKeyOrder {
  /// The order of a hash table, as in binary archives from macOS.
  case buckets
  /// Sorted, as in all XML property lists from macOS, including archives.
  case sorted
}
