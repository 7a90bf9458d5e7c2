/// A version that takes part in a merge.
public enum MergeSide: String, CaseIterable, Sendable {
  /// The common ancestor of both sides.
  case base
  /// The version into which the other one is merged.
  case ours
  /// The version that is merged.
  case theirs

  /// Each side, with the other one.
  static let eachWithOther: [(side: MergeSide, other: MergeSide)] = [(.ours, .theirs), (.theirs, .ours)]
}

/// The side of a merge whose value the result gets in a conflict.
public enum FavoredSide: String, CaseIterable, Sendable {
  /// The version into which the other one is merged.
  case ours
  /// The version that is merged.
  case theirs

  var side: MergeSide { self == .ours ? .ours : .theirs }
}
