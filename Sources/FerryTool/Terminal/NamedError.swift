import Ferry

/// An error with the file that causes it.
struct NamedError: Error {
  let name: String
  let failure: FerryError

  /// Runs a function, and adds the file name to its error.
  static func naming<Result>(_ name: String, _ body: () throws(FerryError) -> Result) throws(NamedError)
    -> Result
  {
    do throws(FerryError) {
      return try body()
    } catch {
      throw NamedError(name: name, failure: error)
    }
  }

  /// Returns the error, with those of the records that were left out before.
  func following(_ earlier: [FerryError]) -> NamedError {
    var failure = failure
    failure.earlier = earlier
    return NamedError(name: name, failure: failure)
  }

  /// Runs a function that writes, and adds the name of the output to its error.
  static func naming<Result>(output path: String, _ body: () throws(FerryError) -> Result) throws(NamedError)
    -> Result
  {
    try naming(path == "-" ? "standard output" : path, body)
  }

  /// The error in one line that begins with the file, so that editors can jump there: `people.xml:3:14: …`,
  /// `people.plist: byte 1204, object 17: …`.
  var line: String {
    let name = name == "-" ? "standard input" : name.isEmpty ? "\"\"" : name
    let isTextPlace = failure.position.line != nil
    return "\(name):\(isTextPlace ? "" : " ")\(failure)"
  }
}
