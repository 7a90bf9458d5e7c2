extension Failure {
  /// What an encoder or a decoder throws, as the failure that is beneath it.
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
