internal import Synchronization

/// The time limit for a lock: two minutes since the last sign of progress by its owners, and an hour in any case.
///
/// An owner shows no progress while it waits for the disk, which may take a minute on a busy machine. The time
/// is counted in pauses instead of seconds, so that the limit is longer where pauses take longer.
struct Patience<Sign: Equatable> {
  private let limit: Duration
  private var rest: Duration
  private var waited = Duration.zero
  private var lastSign: Sign?
  private var nextPause = Duration.microseconds(100)
  /// The folder with the lock, which `LockWait` reports after a second.
  var folder: String?

  init(_ limit: Duration = .seconds(120), folder: String? = nil) {
    (self.limit, rest, self.folder) = (limit, limit, folder)
  }

  /// Returns the pause before the next attempt, or nil when the limit is reached.
  ///
  /// - Parameter sign: A value that changes when the owners of the lock make progress.
  mutating func pause(seeing sign: Sign) -> Duration? {
    if let lastSign, lastSign != sign { rest = limit }
    lastSign = sign
    guard rest > .zero, waited < .seconds(3600) else { return nil }
    if let folder, waited >= .seconds(1) { LockWait.report(folder) }
    rest -= nextPause
    waited += nextPause
    defer { nextPause = min(nextPause * 2, .milliseconds(10)) }
    return nextPause
  }
}

/// Waits for locks that take long, which a program shows to its user.
package enum LockWait {
  private struct State {
    var body: (@Sendable (String) -> Void)?
    /// The paths of the reported folders in UTF-8.
    var reported: Set<[UInt8]> = []
  }

  private static let state = Mutex(State())

  /// Calls a function with the path of each folder for whose lock the process has waited for a second, once.
  package static func report(by body: @escaping @Sendable (_ folder: String) -> Void) {
    state.withLock { $0.body = body }
  }

  fileprivate static func report(_ folder: String) {
    let body = state.withLock { $0.reported.insert(Array(folder.utf8)).inserted ? $0.body : nil }
    body?(folder)
  }
}
