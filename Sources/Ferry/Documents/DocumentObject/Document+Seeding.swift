extension Document {
  /// Creates the document at a path from data that is bundled with the app, unless the document exists.
  ///
  ///     try await PeopleDocument.seed(at: path, from: "folks.xml").outcome
  ///     // .made(count: 3) on first launch, then .exists
  ///
  /// The extension of `path` selects the document type, among the built-in types and `type`. `Seed` has more
  /// options. An app may call this function at every launch, even in several processes at once: only one of
  /// them creates the document.
  ///
  /// - Parameters:
  ///   - path: The path of the document.
  ///   - source: The path of the data.
  ///   - type: The type of the document, if it is not built in.
  /// - Returns: The outcome, and the data that the document cannot represent.
  /// - Throws: An error if the data is invalid. Nothing is created in that case.
  @discardableResult
  @concurrent
  public nonisolated static func seed(
    at path: String, from source: String, type: DocumentType? = nil
  ) async throws(SeedError) -> (outcome: Seed.Outcome, losses: Losses) {
    var seed = Seed(from: source)
    if let type { seed.types = DocumentTypes([type]) }
    return try seed.seed(at: path)
  }
}
