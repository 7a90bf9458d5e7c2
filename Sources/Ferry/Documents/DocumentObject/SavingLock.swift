/// A lock of a folder. A process holds it while it checks the version on disk and replaces a document, so
/// that the second of two processes that save at the same time sees the version of the first.
///
/// The lock is an advisory lock of the folder itself (`flock`). No lock file needs to be created or removed,
/// and the system releases the lock when a process dies. A folder without read permission cannot be locked;
/// there, only the check during the exchange of the files protects the document.
struct SavingLock: ~Copyable {
  private let path: String
  private var folder: SystemFile?
  private var patience = Patience<FileStamp.Time>()
  /// The folder whose lock is taken.
  private var taken: FileStamp?

  private init(ofFolder path: String) throws(FerryError) {
    self.path = path
    try open()
  }

  deinit {
    if let taken { LockWait.noteRelease(taken) }
    folder?.unlock()
  }

  private mutating func open() throws(FerryError) {
    folder?.unlock()
    folder = SystemPath.isReadable(path) ? try SystemFile(reading: path) : nil
    patience.folder = nil
    if let stamp = try folder?.status().stamp { patience.folder = (path, stamp) }
  }

  /// Waits for the lock of the folder that contains a file.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.busy` or `lockedHere` if the lock does not become free in time.
  static func taken(beside path: String) async throws(FerryError) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { try? await Task.sleep(for: pause) }
    return lock
  }

  /// Waits for the lock, blocking the calling thread.
  static func takenBlocking(beside path: String) throws(FerryError) -> SavingLock {
    var lock = try SavingLock(ofFolder: SystemPath.folder(of: path))
    while let pause = try lock.pauseUntilTaken() { SystemThread.sleep(for: pause) }
    return lock
  }

  private mutating func noteTaking() {
    taken = patience.folder?.stamp
    if let taken { LockWait.noteTaking(taken) }
  }

  /// Tries to take the lock. Returns nil after success, or the pause before the next attempt.
  private mutating func pauseUntilTaken() throws(FerryError) -> Duration? {
    guard let state = try folder?.lock() else { return nil }
    if state != .heldByAnother {
      // Saving a package replaces its folder, so the lock may be that of the old folder.
      guard try folder?.isAt(path, followingLinks: true) == false else {
        if state == .locked { noteTaking() }
        return nil
      }
      try open()
    }
    // A change of the folder's time shows that another process is saving, so waiting is worthwhile.
    guard let time = try folder?.status().changed else { return nil }
    return try patience.pauseForLock(seeing: time)
  }
}
