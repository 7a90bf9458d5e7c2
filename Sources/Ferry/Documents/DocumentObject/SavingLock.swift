/// The lock of a folder, which whoever saves a document of the folder holds while it looks whether the document is still the
/// one it knows, and replaces it: of two that save at once, the second sees what the first wrote.
///
/// It is the lock of the folder itself (`flock`), no file beside the document: nothing has to be made or tidied away, and
/// when a process dies, the system gives its locks back.
struct SavingLock: ~Copyable {
  /// How long a lock is waited for.
  private static let patience = Duration.seconds(30)

  private let folder: SystemFile

  /// Waits for the lock of the folder that a file is in.
  ///
  /// Throws `DocumentProblem.busy` when it does not become free.
  static func taken(beside path: String) async throws(Failure) -> SavingLock {
    let folder = try SystemFile(reading: SystemPath.folder(of: path))
    let clock = ContinuousClock()
    let end = clock.now + patience
    var pause = Duration.microseconds(100)
    while try !folder.lock() {
      guard clock.now < end else { throw Failure(.document(.busy)) }
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(10))
    }
    return SavingLock(folder: folder)
  }
}
