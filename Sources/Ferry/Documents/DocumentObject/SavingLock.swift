/// The lock of a folder, which whoever saves a document of the folder holds while it looks whether the document is still the
/// one it knows, and replaces it: of two that save at once, the second sees what the first wrote.
///
/// It is the lock of the folder itself (`flock`), no file beside the document: nothing has to be made or tidied away, and
/// when a process dies, the system gives its locks back. A folder that may not be read cannot be locked: in it, the check when
/// the files are exchanged is all there is.
struct SavingLock: ~Copyable {
  private let path: String
  private var folder: SystemFile?
  private var patience = Patience<FileStamp.Time>()

  private init(ofFolder path: String) throws(Failure) {
    self.path = path
    try open()
  }

  private mutating func open() throws(Failure) {
    folder = SystemPath.isReadable(path) ? try SystemFile(reading: path) : nil
  }

  /// Waits for the lock of the folder that contains a file.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free.
  static func taken(beside path: String) async throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { try? await Task.sleep(for: pause) }
    return lock
  }

  /// Waits for the lock on a thread of the caller's own.
  static func takenBlocking(beside path: String) throws(Failure) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { SystemThread.sleep(for: pause) }
    return lock
  }

  /// Tries to take the lock. Returns the pause before the next attempt; nil when the lock is taken.
  private mutating func pauseUntilTaken() throws(Failure) -> Duration? {
    guard let state = try folder?.lock() else { return nil }
    if state != .heldByAnother {
      // A package is replaced as a whole, and its folder is then another one.
      guard try folder?.isAt(path, followingLinks: true) == false else { return nil }
      try open()
    }
    // Whoever saves a document changes the names in the folder, and with them its time.
    guard let time = try folder?.status().changed else { return nil }
    guard let pause = patience.pause(seeing: time) else { throw Failure(.document(.busy)) }
    return pause
  }
}
