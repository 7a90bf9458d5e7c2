internal import Synchronization

/// Temporary files and folders that were left by killed programs.
///
/// The first time that a process writes in a folder, it removes the leftovers there. A file is a leftover if
/// it has a temporary name, belongs to the user, and is not locked. Running programs lock their temporary
/// files, and the system releases the locks of a process that has ended. On a file system without locks,
/// leftovers are not removed.
enum Leftovers {
  /// The folders that this process has searched.
  private static let visited = Mutex<Set<[UInt8]>>([])

  /// Removes the leftovers next to a path. Each process searches a folder only once.
  static func remove(beside target: String) {
    let folder = SystemPath.folder(of: target)
    guard visited.withLock({ $0.insert(Array(folder.utf8)).inserted }) else { return }
    remove(from: folder, beside: target)
  }

  /// Removes the leftovers in a folder, as far as possible.
  static func remove(from folder: String, beside target: String) {
    for name in (try? SystemPath.names(in: folder)) ?? [] {
      let path = SystemPath.sibling(of: target, named: name)
      if SystemPath.isTemporary(name) {
        removeFile(path)
      } else if name.hasPrefix(TemporaryFolder.prefix) {
        removeFolder(path)
      }
    }
  }

  private static func removeFile(_ path: String) {
    guard isOurs(path, .regular), let file = try? SystemFile(readingNoLink: path),
      (try? file.lock()) == .locked, (try? file.isAt(path)) == true
    else { return }
    try? SystemPath.remove(path)
  }

  private static func removeFolder(_ path: String) {
    guard isOurs(path, .directory), let lock = try? FolderLock(path), lock.isLocked,
      (try? lock.isAt(path)) == true
    else { return }
    try? SystemPath.removeAll(path)
  }

  private static func isOurs(_ path: String, _ kind: FileStatus.Kind) -> Bool {
    guard let status = try? SystemPath.status(of: path, followingLinks: false) else { return false }
    return status.kind == kind && SystemPath.isOurs(status)
  }
}
