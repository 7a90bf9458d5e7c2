import ArgumentParser

extension ExitCode {
  /// The exit status of a command that answers a question by 0 or 1, as `grep` and `diff` do, if it has no answer.
  static let trouble = ExitCode(2)

  /// Runs a function. Its error, such as that of a file in an option, ends the run with `trouble`.
  static func reportingTrouble(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as NamedError {
      let errors = RunErrors()
      errors.add(error)
      try errors.finish(.trouble)
    }
  }
}
