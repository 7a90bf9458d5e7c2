public import Ferry
public import Foundation

extension FerryError: LocalizedError {
  /// The error with its file and source location: `people.json:3:14: expected a value, found ","`.
  public var errorDescription: String? { description }
}

extension SeedError: LocalizedError {
  /// The file at fault and the problem.
  public var errorDescription: String? { description }
}

extension FileComparison.VersionError: LocalizedError {
  /// The file at fault and the problem.
  public var errorDescription: String? { description }
}

extension MergeError: LocalizedError {
  /// The version at fault and the problem.
  public var errorDescription: String? { description }
}
