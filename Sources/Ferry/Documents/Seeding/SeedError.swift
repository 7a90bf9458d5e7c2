/// An error that prevents a seed.
public struct SeedError: Error, Hashable, Sendable {
  /// True if the data is at fault, false if the document is.
  public var isAboutData: Bool
  /// The underlying error, with the path of the data or of the document as its file.
  public var error: FerryError

  package init(isAboutData: Bool, error: FerryError) { (self.isAboutData, self.error) = (isAboutData, error) }
}

extension SeedError: CustomStringConvertible {
  /// The file at fault and the problem: `the data: folks.json:3:14: expected a value, found ","`.
  public var description: String { "\(isAboutData ? "the data" : "the document"): \(error)" }
}
