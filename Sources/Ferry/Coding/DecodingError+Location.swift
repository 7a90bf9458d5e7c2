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
    switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, context.placed(location))
    case .valueNotFound(let type, let context): .valueNotFound(type, context.placed(location))
    case .keyNotFound(let key, let context): .keyNotFound(key, context.placed(location))
    case .dataCorrupted(let context): .dataCorrupted(context.placed(location))
    @unknown default: self
    }
  }
}

extension DecodingError.Context {
  fileprivate func placed(_ location: (Self) -> InputLocation?) -> Self {
    guard let error = underlyingError as? FerryError, error.location.isEmpty, let location = location(self)
    else { return self }
    let placed = error.placed(at: location)
    return Self(codingPath: codingPath, debugDescription: placed.description, underlyingError: placed)
  }
}
