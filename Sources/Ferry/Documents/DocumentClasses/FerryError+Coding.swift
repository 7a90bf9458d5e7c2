extension FerryError {
  /// Runs a function of an encoder or a decoder. If it throws, throws the underlying `FerryError`, so that a `Document` can encode and
  /// decode its contents.
  ///
  ///     override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
  ///       .file(try FerryError.ofCoding { try KeyedArchiveEncoder().encode(plants) })
  ///     }
  ///
  /// The errors of other encoders and decoders, such as `JSONDecoder`, become `DocumentProblem.badContents` with the coding path, and a
  /// `CancellationError` becomes `CodingProblem.cancelled`.
  ///
  /// - Parameters:
  ///   - work: The function.
  ///   - describing: Returns the text of an error of another type. Pass `{ $0.localizedDescription }` for the text of a `LocalizedError`
  ///     of Foundation, which Ferry does not link.
  public static func ofCoding<Result>(
    _ work: () throws -> Result, describing: (any Error) -> String = { "\($0)" }
  ) throws(FerryError) -> Result {
    do {
      return try work()
    } catch let error as FerryError {
      throw error
    } catch let error as DecodingError {
      guard let context = error.context else { throw FerryError(.document(.badContents(describing(error)))) }
      throw FerryError(context.underlyingError, context.debugDescription, at: context.codingPath)
    } catch EncodingError.invalidValue(_, let context) {
      throw FerryError(context.underlyingError, context.debugDescription, at: context.codingPath)
    } catch is CancellationError {
      throw FerryError(.coding(.cancelled))
    } catch {
      throw FerryError(.document(.badContents(describing(error))))
    }
  }

  /// Creates the error of a coder: the one of Ferry under it, or else one with its description and coding path.
  private init(_ underlying: (any Error)?, _ description: String, at path: [any CodingKey]) {
    self =
      underlying as? FerryError
      ?? FerryError(.document(.badContents(description)), path: ValuePath(path))
  }
}
