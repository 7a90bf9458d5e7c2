/// The error of a client's function that may throw any error, while functions call it that throw only a `FerryError`.
///
///     let passed = PassedError()
///     try passed.passing { () throws(FerryError) in
///       try read { event throws(FerryError) in
///         do { try body(event) } catch { throw passed.keeping(error) }
///       }
///     }
final class PassedError {
  private var error: (any Error)?

  /// Returns the error to throw in place of the client's: this error if it is a `FerryError`, to which the callers may add its location,
  /// and otherwise one that ends the work.
  func keeping(_ error: any Error) -> FerryError {
    if let error = error as? FerryError { return error }
    self.error = error
    return .stopped
  }

  /// Calls a function. Throws the error that was kept meanwhile, if there is one, also if the function has caught its substitute.
  func passing<Result>(_ work: () throws(FerryError) -> Result) throws -> Result {
    do {
      let result = try work()
      if let error { throw error }
      return result
    } catch {
      throw self.error ?? error
    }
  }
}
