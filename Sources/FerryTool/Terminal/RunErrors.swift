import ArgumentParser
import Ferry
import Synchronization

extension ExitCode {
  /// The exit status of a run whose output was closed by its reader. `FerryCommand` ends such a run by the signal.
  static let closedPipe = ExitCode(128 + Terminal.brokenPipeSignal)
}

/// The errors of a run, each of which is reported when it is added. An error of one input does not stop the
/// run.
final class RunErrors: Sendable {
  private struct State {
    var all: [NamedError] = []
    /// The number of errors of records.
    var recordCount = 0
    var isPipeClosed = false
    var skippedLinkCount = 0
  }

  private let state = Mutex(State())
  /// The entries of all errors for a report; nil if there is no report.
  let entries: SpooledList?
  /// The number of errors of a run that show their lines: more would hide the messages.
  private static let explainedCount = 20

  /// - Parameter keepsEntries: True to keep an entry of each error for a report.
  init(keepsEntries: Bool = false) { entries = keepsEntries ? SpooledList() : nil }

  /// The errors of inputs and outputs so far. Those of records, which may be many, are only counted.
  var all: [NamedError] { state.withLock { $0.all } }
  /// True if there is no error, and none of a record.
  var isEmpty: Bool { state.withLock { $0.all.isEmpty && $0.recordCount == 0 } }
  /// True if the reader of the output has closed it. This has no message, because the reader has all that it wants.
  var isPipeClosed: Bool { state.withLock { $0.isPipeClosed } }

  /// The symbolic links in folders that are not inputs, in words such as `2 symbolic links skipped`; nil if there are none.
  var skippedLinks: String? {
    let count = state.withLock { $0.skippedLinkCount }
    return count > 0 ? count.counted("symbolic link") + " skipped" : nil
  }

  /// Returns the numbers of files that are not inputs, and of symbolic links, in words such as `1 other file skipped`. Leaves out zeros.
  func skipped(otherFileCount: Int) -> [String] {
    let files = otherFileCount > 0 ? otherFileCount.counted("other file") + " skipped" : nil
    return [files, skippedLinks].compactMap { $0 }
  }

  /// Writes that a run has no inputs, with the symbolic links that it does not follow: `no files to search, 2 symbolic links skipped`.
  func writeNoInputs(_ words: String) {
    StandardError.write(words + (skippedLinks.map { ", \($0)" } ?? ""))
  }

  /// Counts symbolic links in a folder that are not inputs: they are not followed.
  func addSkippedLinks(_ count: Int) { state.withLock { $0.skippedLinkCount += count } }

  /// Runs a function, and adds its error.
  func collect(_ body: () throws(NamedError) -> Void) {
    do throws(NamedError) { try body() } catch { add(error) }
  }

  /// Adds an error of an input or an output.
  func add(_ error: NamedError) {
    guard !error.isClosedPipe else { return state.withLock { $0.isPipeClosed = true } }
    let earlierCount = state.withLock { state in
      state.all.append(error)
      return state.all.count - 1 + state.recordCount
    }
    report(error, after: earlierCount)
  }

  /// Adds the error of a record that does not end the reading of its input.
  func add(ofRecord error: NamedError) {
    let earlierCount = state.withLock { state in
      state.recordCount += 1
      return state.all.count + state.recordCount - 1
    }
    report(error, after: earlierCount)
  }

  private func report(_ error: NamedError, after earlierCount: Int) {
    StandardError.write(error.line)
    if earlierCount < Self.explainedCount { StandardError.explain(error) }
    entries?.add(.dictionary(error.entry))
  }

  /// Ends the run with an exit status if there was an error, and as by the signal `SIGPIPE` if its output is closed. If the only errors are those
  /// of an XPath that is not valid, the command line is wrong.
  func finish(_ status: ExitCode = .failure) throws(ExitCode) {
    try finishIfPipeIsClosed()
    guard !isEmpty else { return }
    throw status == .failure && areOfCommandLine ? .validationFailure : status
  }

  private var areOfCommandLine: Bool {
    state.withLock { state in
      state.recordCount == 0
        && state.all.allSatisfy { if case .xml(.badXPath) = $0.reason { true } else { false } }
    }
  }

  /// Ends the run as by the signal `SIGPIPE` if its output is closed. Its other exit statuses are answers, which a run that
  /// did not read all of its inputs cannot give.
  func finishIfPipeIsClosed() throws(ExitCode) {
    guard !isPipeClosed else { throw .closedPipe }
  }
}
