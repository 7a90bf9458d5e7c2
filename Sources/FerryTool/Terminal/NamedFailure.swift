import Ferry

/// A failure and the file that it is about.
struct NamedFailure: Error {
  let name: String
  let failure: Failure

  /// Runs `body`, and names the file in what it throws.
  static func naming<Result>(_ name: String, _ body: () throws(Failure) -> Result) throws(NamedFailure)
    -> Result
  {
    do throws(Failure) {
      return try body()
    } catch {
      throw NamedFailure(name: name, failure: error)
    }
  }

  /// One line, the file first so that editors jump: `people.xml:3:14: …`, `people.plist: byte 1204, object 17: …`.
  var line: String {
    let name = name == "-" ? "standard input" : name
    let isTextPlace = failure.position.line != nil
    return "\(name):\(isTextPlace ? "" : " ")\(failure)"
  }
}
