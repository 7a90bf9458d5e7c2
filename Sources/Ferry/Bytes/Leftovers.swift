internal import Synchronization

/// Temporary files and folders that programs which were killed have left behind.
///
/// Nobody puts them in their place any more. The first writer of a process in their folder removes those that have a temporary
/// name, are its user's, and are locked by nobody: whoever works on one holds its lock, and the system gives a dead process's
/// locks back. On a file system without locks they stay.
enum Leftovers {
  /// The folders that have been looked through by this process.
  private static let visited = Mutex<Set<[UInt8]>>([])

  /// Removes the leftovers beside a path; once a process and folder.
  static func remove(beside target: String) {
    let folder = SystemPath.folder(of: target)
    guard visited.withLock({ $0.insert(Array(folder.utf8)).inserted }) else { return }
    remove(from: folder, beside: target)
  }

  /// Removes the leftovers in a folder; what cannot be removed stays.
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
