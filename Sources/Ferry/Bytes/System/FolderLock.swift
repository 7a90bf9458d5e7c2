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

/// An open folder, locked if its file system has locks, until this value is destroyed.
///
/// The lock affects only programs that ask for it, and ends with the process in any case.
struct FolderLock: ~Copyable {
  private let descriptor: FileDescriptor
  /// The identity of the folder, whatever its name is now.
  let stamp: FileStamp
  /// True if there is a lock; false on file systems without locks.
  let isLocked: Bool

  /// Opens and locks a folder; nil if it does not exist, or if another process has the lock.
  init?(_ path: String) throws(FerryError) {
    let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
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
  }

  /// Waits for the lock of the folder at a path, and follows the path again if the folder was replaced
  /// meanwhile; nil if no folder is at the path.
  ///
  /// - Throws: `DocumentProblem.busy` if the lock does not become free, or an error of the system.
  init?(waitingFor path: String, patience: Patience<FileStamp> = Patience()) throws(FerryError) {
    var patience = patience
    while let status = try SystemPath.status(of: path, followingLinks: false) {
      if let lock = try FolderLock(path), try lock.isAt(path) {
        self = lock
        return
      }
      guard let pause = patience.pause(seeing: status.stamp) else { throw FerryError(.document(.busy)) }
      SystemThread.sleep(for: pause)
    }
    return nil
  }

  deinit { try? descriptor.close() }

  /// Releases the folder.
  consuming func release() {}

  /// Returns true if the folder still has a name.
  func isAt(_ path: String) throws(FerryError) -> Bool {
    try SystemPath.status(of: path, followingLinks: false)?.stamp.isSameFile(as: stamp) ?? false
  }
}
