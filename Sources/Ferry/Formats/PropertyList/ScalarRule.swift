/// A rule by which equal scalars share an object.
enum ScalarRule {
  /// All equal scalars share an object, as in property lists from Apple's tools.
  case equal
  /// Equal keys, numbers, short strings and class names of Foundation share an object, as in the property
  /// list of an archive.
  case stored
  /// Equal numbers and short strings share an object, as among the objects of an archive.
  case objects

  init(_ sharing: BinaryPropertyListWriter.Sharing) { self = sharing == .archiver ? .stored : .equal }
}
