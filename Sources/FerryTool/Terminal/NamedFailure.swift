import Ferry

/// An error with the file that causes it.
struct NamedFailure: Error {
  let name: String
  let failure: Failure

  /// Runs a function, and adds the file name to its error.
  static func naming<Result>(_ name: String, _ body: () throws(Failure) -> Result) throws(NamedFailure)
    -> Result
  {
    do throws(Failure) {
      return try body()
    } catch {
      throw NamedFailure(name: name, failure: error)
    }
  }

  /// The error in one line that begins with the file, so that editors can jump there: `people.xml:3:14: …`,
  /// `people.plist: byte 1204, object 17: …`.
  var line: String {
    let name = name == "-" ? "standard input" : name
    let isTextPlace = failure.position.line != nil
    return "\(name):\(isTextPlace ? "" : " ")\(failure)"
  }
}
