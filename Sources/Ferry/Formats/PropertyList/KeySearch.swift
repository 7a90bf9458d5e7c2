/// The result of a search for a key in a list with the keys of a dictionary, as an archive has it.
enum KeySearch {
  /// The key is a string that occurs once, at the index.
  case found(Int)
  /// The key does not occur.
  case absent
  /// The keys must be compared one by one.
  case unknown
}
