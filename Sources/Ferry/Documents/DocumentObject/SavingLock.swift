/// The lock of a folder, which whoever saves a document of the folder holds while it looks whether the document is still the
/// one it knows, and replaces it: of two that save at once, the second sees what the first wrote.
///
/// It is the lock of the folder itself (`flock`), no file beside the document: nothing has to be made or tidied away, and
/// when a process dies, the system gives its locks back.
struct SavingLock: ~Copyable {
  private let folder: SystemFile
  private let end = ContinuousClock().now + FolderLock.patience
  private var pause = Duration.microseconds(100)

  private init(ofFolder path: String) throws(Failure) { folder = try SystemFile(reading: path) }

  /// Waits for the lock of the folder that a file is in.
  ///
  /// Throws `DocumentProblem.busy` when it does not become free.
  static func taken(beside path: String) async throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { try? await Task.sleep(for: pause) }
    return lock
  }

  /// The same for those who have a thread of their own to wait on.
  static func takenBlocking(beside path: String) throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { SystemThread.sleep(for: pause) }
    return lock
  }

  /// Tries to take the lock; how long to wait for the next time, nil when there is no need.
  private mutating func pauseUntilTaken() throws(Failure) -> Duration? {
    guard try !folder.lock() else { return nil }
    guard ContinuousClock().now < end else { throw Failure(.document(.busy)) }
    defer { pause = min(pause * 2, .milliseconds(10)) }
    return pause
  }
}
