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
  var folder: (path: String, stamp: FileStamp)?
  /// The time since another thread of this process has last had the lock of the folder.
  private var waitedForOthers = Duration.zero
  private var ownUse = LockWait.OwnUse()

  init(_ limit: Duration = .seconds(120)) { (self.limit, rest) = (limit, limit) }

  /// Returns the pause before the next attempt, or nil when the limit is reached.
  ///
  /// - Parameter sign: A value that changes when the owners of the lock make progress.
  mutating func pause(seeing sign: Sign) -> Duration? {
    if let lastSign, lastSign != sign { rest = limit }
    lastSign = sign
    guard rest > .zero, waited < .seconds(3600) else { return nil }
    if let folder {
      let use = LockWait.ownUse(of: folder.stamp)
      if use.isHeld || use != ownUse { waitedForOthers = .zero }
      ownUse = use
      if waitedForOthers >= .seconds(1) { LockWait.report(folder.path) }
    }
    rest -= nextPause
    waitedForOthers += nextPause
    waited += nextPause
    defer { nextPause = min(nextPause * 2, .milliseconds(10)) }
    return nextPause
  }

  /// Returns the pause before the next attempt to take the lock of `folder`.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.busy` when the limit is reached, or `lockedHere` if this process has the lock
  ///   then. If the calling task or thread itself has the lock, waiting cannot help, and the error is thrown at once.
  mutating func pauseForLock(seeing sign: Sign) throws(FerryError) -> Duration {
    if let folder, LockWait.isHeldByCaller(folder.stamp) { throw FerryError(.document(.lockedHere)) }
    if let pause = pause(seeing: sign) { return pause }
    let isHeldHere = folder.map { LockWait.isHeldHere($0.stamp) } ?? false
    throw FerryError(.document(isHeldHere ? .lockedHere : .busy))
  }
}
