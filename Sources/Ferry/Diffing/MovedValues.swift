/// The values that a comparison finds at other paths.
enum MovedValues {
  /// Elements of lists, and entries of dictionaries under other keys, even if they have changed.
  case all
  /// Elements and entries that have not changed.
  case unchanged
  /// Elements that have not changed, and no entries.
  case elements
}
