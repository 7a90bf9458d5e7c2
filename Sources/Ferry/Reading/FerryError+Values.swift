extension FerryError {
  /// Returns the error with the path of the value that is being written, unless another value may have caused it.
  func placed(inOutput path: ValuePath) -> FerryError { reason.concernsNoValue ? self : placed(path: path) }

  /// Adds to an error in a record that its schema is a built-in one that was not requested.
  func namingBuiltIn(_ schema: Schema?) -> FerryError {
    guard let schema, Schema.builtIn.contains(where: { $0.name.equals(schema.name) }),
      case .record(let problem) = reason
    else { return self }
    return FerryError(.record(.ofBuiltIn(problem, schema: schema.name)), at: location, path: path)
  }
}

extension FerryError.Reason {
  /// True for an error that no value causes, or whose value is unknown.
  var concernsNoValue: Bool {
    switch self {
    // These are errors of the input.
    case .file(.noNameInRecord), .file(.sameNameInRecord), .file(.sameNameInInput): false
    case .file(.notText), .file(.otherKind), .file(.zeroRun), .file(.likely), .file(.conflict): false
    // The name of the root element is an option, and a disk may be full. A text is encoded later than its value is read and written.
    case .file, .content(.notEncodable), .content(.notEscapable), .xml(.undeclaredRoot): true
    default: false
    }
  }
}

extension ReadingOptions {
  /// Returns an error in the values of an input with its path in the input.
  ///
  /// - Parameters:
  ///   - path: The path of the value that was sent last.
  ///   - used: The schema with which the records were read.
  func placed(
    _ error: FerryError, of source: OpenedInput, at path: ValuePath, _ used: Schema?
  ) -> FerryError {
    var placed = error.placed(inOutput: path)
    if schema == nil, source.format.isOfElements || source.isArchive { placed = placed.namingBuiltIn(used) }
    if error.reason.concernsNoValue { (placed.location, placed.path) = (InputLocation(), ValuePath()) }
    return placed
  }
}
