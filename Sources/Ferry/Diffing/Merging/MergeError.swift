/// An error that prevents a merge, with the version at fault.
public struct MergeError: Error, Hashable, Sendable {
  /// The version at fault.
  public var side: MergeSide
  /// The underlying error.
  public var error: FerryError
}

extension MergeError: CustomStringConvertible {
  /// The version at fault and the problem: `theirs: 3:14: expected a value, found ","`.
  public var description: String { "\(side): \(error)" }
}
