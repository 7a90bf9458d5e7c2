extension DecodingError {
  /// The coding path and the cause.
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }

  /// True if the value exceeds the budget. Another type, or nil, never takes the place of such a value.
  var isOverBudget: Bool {
    guard case .overBudget? = (context?.underlyingError as? FerryError)?.reason else { return false }
    return true
  }

  /// Returns the error with the source location that a function finds, if the error has none. An error that a type has thrown on its own
  /// gets a `FerryError` under it, too.
  func placed(_ location: (Context) -> InputLocation?) -> DecodingError {
    with { context, error in
      guard error.location.isEmpty, let location = location(context) else { return error }
      return error.placed(at: location)
    }
  }

  /// Returns the error with the path of its file, if it is known.
  func placed(inFile path: String?) -> DecodingError {
    guard let path else { return self }
    return with { _, error in error.placed(inFile: path) }
  }

  /// The error with a `FerryError` under it if nothing is.
  var withCause: DecodingError {
    guard let context, context.underlyingError == nil else { return self }
    return withContext {
      Context(
        codingPath: $0.codingPath, debugDescription: $0.debugDescription, underlyingError: $0.cause)
    }
  }

  /// Returns the error with another cause.
  private func with(_ cause: (Context, FerryError) -> FerryError) -> DecodingError {
    withContext { $0.with(cause) }
  }

  private func withContext(_ change: (Context) -> Context) -> DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, change(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, change(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, change(context))
    case .dataCorrupted(let context): .dataCorrupted(change(context))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  /// The error of Ferry under the error; for an error that a type has thrown on its own, one with its description.
  fileprivate var cause: FerryError {
    underlyingError as? FerryError
      ?? FerryError(.coding(.notDecodable(debugDescription)), path: ValuePath(codingPath))
  }

  fileprivate func with(_ cause: (Self, FerryError) -> FerryError) -> Self {
    let error = self.cause
    let placed = cause(self, error)
    guard placed.location != error.location || placed.file != error.file else { return self }
    // The description may be that of a type that has caught the error.
    let isOwn = placed.location == error.location && debugDescription != error.description
    let isOthers = underlyingError != nil && !(underlyingError is FerryError)
    return Self(
      codingPath: codingPath, debugDescription: isOwn ? debugDescription : placed.description,
      underlyingError: isOthers ? underlyingError : placed)
  }
}
