/// The lock of a folder. A process that saves a document holds it while it checks the version on disk and
/// replaces the document, so of two processes that save at the same time the second sees the version of the
/// first.
///
/// It is a lock of the folder itself (`flock`), so there is no lock file to create or remove, and the system
/// releases the lock when a process dies. A folder without read permission cannot be locked; in it, the check
/// at the exchange of the files is the only one.
struct SavingLock: ~Copyable {
  private let path: String
  private var folder: SystemFile?
  private var patience = Patience<FileStamp.Time>()

  private init(ofFolder path: String) throws(FerryError) {
    self.path = path
    try open()
  }

  private mutating func open() throws(FerryError) {
    folder = SystemPath.isReadable(path) ? try SystemFile(reading: path) : nil
  }

  /// Waits for the lock of the folder that contains a file.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free.
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

  /// Tries to take the lock. Returns the pause before the next attempt; nil after success.
  private mutating func pauseUntilTaken() throws(FerryError) -> Duration? {
    guard let state = try folder?.lock() else { return nil }
    if state != .heldByAnother {
      // A package is replaced as a whole, and then its folder is another one.
      guard try folder?.isAt(path, followingLinks: true) == false else { return nil }
      try open()
    }
    // A process that saves a document changes the names in the folder, and with them its time.
    guard let time = try folder?.status().changed else { return nil }
    guard let pause = patience.pause(seeing: time) else { throw FerryError(.document(.busy)) }
    return pause
  }
}
