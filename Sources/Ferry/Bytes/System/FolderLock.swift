#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open folder, which is locked until this value is destroyed if its file system supports locks.
///
/// The lock is advisory: it affects only programs that request it. It ends with the process in any case.
struct FolderLock: ~Copyable {
  private let descriptor: FileDescriptor
  /// The identity of the folder, which does not depend on its name.
  let stamp: FileStamp
  /// True if the folder is locked, false if the file system does not support locks.
  let isLocked: Bool

  /// Opens and locks a folder. Fails if it does not exist, or if another process has locked it.
  init?(_ path: String) throws(FerryError) {
    let number = try unsafe open(SystemPath.checked(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw FerryError(system: errno)
    }
    let file = FileDescriptor(rawValue: number)
    var result = flock(number, LOCK_EX | LOCK_NB)
    while result != 0, errno == EINTR { result = flock(number, LOCK_EX | LOCK_NB) }
    if result != 0, errno == EWOULDBLOCK {
      try? file.close()
      return nil
    }
    var info = stat()
    guard unsafe fstat(number, &info) == 0 else {
      let error = errno
      try? file.close()
      throw FerryError(system: error)
    }
    descriptor = file
    stamp = FileStatus(info).stamp
    isLocked = result == 0
    if isLocked { LockWait.noteTaking(stamp) }
  }

  /// Opens a folder and waits for its lock. If the folder is replaced meanwhile, opens the new one at the
  /// path. Fails if there is no folder at the path.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.busy` or `lockedHere` if the lock does not become free, or an error of the
  ///   system.
  init?(waitingFor path: String, patience: Patience<FileStamp> = Patience()) throws(FerryError) {
    var patience = patience
    while let status = try SystemPath.status(of: path, followingLinks: false) {
      patience.folder = (path, status.stamp)
      if let lock = try FolderLock(path), try lock.isAt(path) {
        self = lock
        return
      }
      SystemThread.sleep(for: try patience.pauseForLock(seeing: status.stamp))
    }
    return nil
  }

  deinit {
    // Closing alone does not release the lock while a child process has a copy of the descriptor (SystemFile.unlock).
    if isLocked {
      LockWait.noteRelease(stamp)
      _ = flock(descriptor.rawValue, LOCK_UN)
    }
    try? descriptor.close()
  }

  /// Releases the lock.
  consuming func release() {}

  /// Returns true if the folder is still at a path.
  func isAt(_ path: String) throws(FerryError) -> Bool {
    try SystemPath.status(of: path, followingLinks: false)?.stamp.isSameFile(as: stamp) ?? false
  }
}
