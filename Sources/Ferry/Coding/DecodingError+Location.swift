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

  /// Returns the error with the source location that a function finds, if the error has none.
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

  /// Returns the error with another cause, if the cause is an error of Ferry.
  private func with(_ cause: (Context, FerryError) -> FerryError) -> DecodingError {
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.with(cause))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.with(cause))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.with(cause))
    case .dataCorrupted(let context): .dataCorrupted(context.with(cause))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  fileprivate func with(_ cause: (Self, FerryError) -> FerryError) -> Self {
    guard let error = underlyingError as? FerryError else { return self }
    let placed = cause(self, error)
    guard placed.location != error.location || placed.file != error.file else { return self }
    // The description may be that of a type that has caught the error.
    let isOwn = placed.location == error.location && debugDescription != error.description
    return Self(
      codingPath: codingPath, debugDescription: isOwn ? debugDescription : placed.description,
      underlyingError: placed)
  }
}
