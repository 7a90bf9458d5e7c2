import Ferry

/// An error of `plutil`, in the words of its messages.
struct PlutilError: Error {
  let message: String

  init(_ message: String) { self.message = message }

  /// Creates the error for a file that is not read. `plutil -lint` reads only property lists.
  init(_ problem: PropertyListFile.Problem) {
    switch problem {
    case .empty: message = "(Cannot parse a NULL or zero-length data)"
    case .unreadable(let error): message = Self.unreadable(error)
    case .invalid(let error, json: let json?) where json.reason != error.reason:
      message = "Property List error: \(Self.words(error)) / JSON error: \(Self.words(json))"
    case .invalid(let error, json: _): message = "(\(Self.words(error)))"
    case .compressed(let compression):
      message = "(this is a file that \(compression.rawValue) has compressed)"
    }
  }

  static func unreadable(_ error: FerryError) -> String {
    "file does not exist or is not readable or is not a regular file (\(error.message))"
  }

  /// Returns the message of an error, with its source location at the end as on macOS: `… at line 3, column 14`. An explanation follows
  /// the location.
  static func words(_ error: FerryError) -> String {
    if case .file(let problem) = error.reason, let (problem, text) = problem.explanation {
      return words(FerryError(problem, at: error.location, path: error.path)) + "; \(text)"
    }
    let (location, message) = (error.location, error.message)
    guard location.line == nil else {
      return message + " at line \(location.line ?? 1)"
        + (location.column.map { ", column \($0)" } ?? "")
    }
    return location.isEmpty ? message : "\(message) at \(location)"
  }

  /// Creates the error for a value that a format cannot represent, at a path through the property list.
  static func notHeld(_ sentence: String, _ part: (keys: [String], description: String)) -> PlutilError {
    let location = part.keys.isEmpty ? "" : " at \(PlutilKeyPath(part.keys))"
    return PlutilError("\(sentence): \(part.description)\(location)")
  }
}
