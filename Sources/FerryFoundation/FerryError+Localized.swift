public import Ferry
public import Foundation

extension FerryError: LocalizedError {
  /// The error with its place in the file: `people.json:3:14: …`, as the command prints it.
  public var errorDescription: String? { description }
}
