extension Failure {
  /// Runs a function of an encoder or a decoder, and throws the `Failure` underlying its error.
  static func ofCoding<Result>(_ work: () throws -> Result) throws(Failure) -> Result {
    do {
      return try work()
    } catch DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      throw context.underlyingError as? Failure ?? Failure(.document(.badContents(context.debugDescription)))
    } catch EncodingError.invalidValue(_, let context) {
      throw context.underlyingError as? Failure ?? Failure(.document(.badContents(context.debugDescription)))
    } catch {
      throw error as? Failure ?? Failure(.document(.badContents("\(error)")))
    }
  }
}
