extension Document {
  /// Makes the document at a path of data that is bundled with the app, unless there is one.
  ///
  ///     try await PeopleDocument.seed(at: path, from: "folks.xml")      // .made(count: 3), and .exists ever after
  ///
  /// The document's extension tells its type, of those that are built in and the one that is given. `Seed` has more to choose
  /// from. It may be called on every start, by several processes at once: one of them makes it.
  ///
  /// Throws what is wrong with the data, and then makes nothing.
  @discardableResult
  @concurrent
  public nonisolated static func seed(
    at path: String, from source: String, type: DocumentType? = nil
  ) async throws(SeedFailure) -> Seed.Outcome {
    var seed = Seed(from: source)
    if let type { seed.types = DocumentTypes([type]) }
    return try seed.seed(at: path)
  }
}
