/// The lock of a folder. A process that saves a document holds it while it checks the version on disk and
/// replaces the document, so of two processes that save at the same time the second sees the version of the
/// first.
///
/// It is a lock of the folder itself (`flock`), so there is no lock file to create or remove, and the system
/// releases the lock when a process dies.
struct SavingLock: ~Copyable {
  private let folder: SystemFile
  private let end = ContinuousClock().now + FolderLock.patience
  private var pause = Duration.microseconds(100)

  private init(ofFolder path: String) throws(Failure) { folder = try SystemFile(reading: path) }

  /// Waits for the lock of the folder that contains a file.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free.
  static func taken(beside path: String) async throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { try? await Task.sleep(for: pause) }
    return lock
  }

  /// Waits for the lock of the folder that contains a file, blocking the calling thread.
  static func takenBlocking(beside path: String) throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { SystemThread.sleep(for: pause) }
    return lock
  }

  /// Tries to take the lock. Returns the time to wait before the next attempt; nil after success.
  private mutating func pauseUntilTaken() throws(Failure) -> Duration? {
    guard try !folder.lock() else { return nil }
    guard ContinuousClock().now < end else { throw Failure(.document(.busy)) }
    defer { pause = min(pause * 2, .milliseconds(10)) }
    return pause
  }
}
