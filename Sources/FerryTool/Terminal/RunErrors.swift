import ArgumentParser

extension ExitCode {
  /// The exit status of a run whose output was closed by its reader. `FerryCommand` ends such a run by the signal.
  static let closedPipe = ExitCode(128 + Terminal.brokenPipeSignal)
}

/// The errors of a run, each of which is reported when it is added. An error of one input does not stop the
/// run.
final class RunErrors {
  /// The errors so far.
  private(set) var all: [NamedError] = []
  /// The number of errors of a run that show their lines: more would hide the messages.
  private static let explainedCount = 20
  /// True if the reader of the output has closed it. This has no message, because the reader has all that it wants.
  private(set) var isPipeClosed = false

  /// Runs a function, and adds its error.
  func collect(_ body: () throws(NamedError) -> Void) {
    do throws(NamedError) { try body() } catch { add(error) }
  }

  /// Adds an error.
  func add(_ error: NamedError) {
    guard !error.isClosedPipe else { return isPipeClosed = true }
    StandardError.write(error.line)
    if all.count < Self.explainedCount { StandardError.explain(error) }
    all.append(error)
  }

  /// Ends the run with an exit status if there was an error, and as by the signal `SIGPIPE` if its output is closed.
  func finish(_ status: ExitCode = .failure) throws(ExitCode) {
    try finishIfPipeIsClosed()
    guard all.isEmpty else { throw status }
  }

  /// Ends the run as by the signal `SIGPIPE` if its output is closed. Its other exit statuses are answers, which a run that
  /// did not read all of its inputs cannot give.
  func finishIfPipeIsClosed() throws(ExitCode) {
    guard !isPipeClosed else { throw .closedPipe }
  }
}
