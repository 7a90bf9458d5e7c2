extension FerryError {
  /// Runs a function of an encoder or a decoder. If it throws, throws the underlying `FerryError`, so that a `Document` can encode and
  /// decode its contents.
  ///
  ///     override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
  ///       .file(try FerryError.ofCoding { try KeyedArchiveEncoder().encode(plants) })
  ///     }
  public static func ofCoding<Result>(_ work: () throws -> Result) throws(FerryError) -> Result {
    do {
      return try work()
    } catch DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      throw context.underlyingError as? FerryError
        ?? FerryError(.document(.badContents(context.debugDescription)))
    } catch EncodingError.invalidValue(_, let context) {
      throw context.underlyingError as? FerryError
        ?? FerryError(.document(.badContents(context.debugDescription)))
    } catch {
      throw error as? FerryError ?? FerryError(.document(.badContents("\(error)")))
    }
  }
}
