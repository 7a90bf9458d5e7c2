// Questions about paths that may lead to no value. Other errors, such as one of a file in data over the budget, are thrown, and do not look
// like a missing value.

extension EditableFile {
  /// Follows a path to one value. Returns nil if there is none.
  func existingWalk(to path: ValuePath) throws(FerryError) -> Walk? {
    try Self.existing { () throws(FerryError) in try walk(to: path) }
  }

  /// Returns true if a path matches a value. The error of a missing key would name similar keys, which takes time in proportion to the
  /// number of keys.
  package func hasValue(at path: ValuePath) throws(FerryError) -> Bool {
    try Self.existing { () throws(FerryError) in
      try withoutListingKeys { () throws(FerryError) in try count(at: path) > 0 }
    } ?? false
  }

  /// Opens the file inside the data at a location. Returns nil for data that is not a file.
  func existingNested(
    at location: ValueLocation, after path: ValuePath
  ) throws(FerryError) -> EditableFile? {
    try Self.existing { () throws(FerryError) in try nested(at: location, after: path) }
  }

  /// Opens the file inside data that a new value may replace. Returns nil for data that is not a file, or not a valid one: the new value
  /// replaces the data.
  ///
  /// - Throws: An error if the file is over the budget, which may be raised.
  func replaceableFile(
    at location: ValueLocation, after path: ValuePath
  ) throws(FerryError) -> EditableFile? {
    do throws(FerryError) { return try nested(at: location, after: path) } catch {
      guard !error.isOverBudget else { throw error }
      return nil
    }
  }

  /// Returns the result of a function that follows a path, or nil if the path leads to no value.
  static func existing<Result>(_ follow: () throws(FerryError) -> Result) throws(FerryError) -> Result? {
    do throws(FerryError) { return try follow() } catch {
      guard error.leadsNowhere else { throw error }
      return nil
    }
  }
}

extension FerryError {
  /// True if the path leads to no value, or selects none.
  fileprivate var leadsNowhere: Bool {
    switch reason {
    case .path(.afterLast), .path(.noMatch), .path(.noRows): true
    default: isMissingValue
    }
  }
}
