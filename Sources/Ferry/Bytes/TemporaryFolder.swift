internal import Synchronization

/// A folder that is filled next to its target, and then replaces the target atomically.
///
/// It is locked as long as this object exists, so that other programs can distinguish it from a leftover.
final class TemporaryFolder {
  /// The prefix of the names of such folders.
  static let prefix = ".ferry-package-"

  /// Returns true if a name has the form of the names of such folders.
  static func isName(_ name: String) -> Bool { SystemPath.isUnique(name, after: prefix) }

  /// The path of the folder.
  let path: String
  private let lock: FolderLock
  private var exists = true

  /// Creates a folder next to a path.
  init(beside target: String) throws(FerryError) {
    // Another program may remove the new folder as a leftover before it is locked, so creating it is retried.
    for _ in 0..<16 {
      let path = SystemPath.sibling(of: target, named: Self.prefix + SystemPath.unique)
      try FileOutput.temporaries.withLock { names throws(FerryError) in
        do throws(FerryError) {
          try SystemPath.makeNewFolder(path)
        } catch {
          throw error.ofFolder(SystemPath.folder(of: path))
        }
        names.insert(path)
      }
      if let lock = try FolderLock(path), try lock.isAt(path) {
        self.path = path
        self.lock = lock
        return
      }
      Self.remove(path)
    }
    throw FerryError(.file(.system("no temporary folder could be made")))
  }

  deinit { if exists { Self.remove(path) } }

  /// Renames the folder to a name that does not exist.
  func move(toNew target: String, by means: RenamingMeans = .all) throws(FerryError) {
    let path = path
    try FileOutput.temporaries.withLock { names throws(FerryError) in
      try SystemPath.moveFolder(path, toNew: target, by: means)
      names.remove(path)
    }
    exists = false
  }

  /// Exchanges the folder with the target, and removes the old folder. `check` is called with the path of the
  /// old folder after the exchange. If it throws, the folders are exchanged back.
  func exchange(
    with target: String, by means: RenamingMeans = .all, check: (_ old: String) throws(FerryError) -> Void
  ) throws(FerryError) {
    let path = path
    // An interruption must wait until it is decided which of the two folders is removed.
    try FileOutput.temporaries.withLock { _ throws(FerryError) in
      guard means.contains(.exchange), try SystemPath.exchange(path, target) else {
        return try Self.moveAside(target, for: path, by: means, check)
      }
      do throws(FerryError) {
        try check(path)
      } catch {
        let cause = error
        _ = try SystemPath.exchange(path, target)
        throw cause
      }
    }
  }

  /// Replaces a folder in three steps, on file systems that cannot exchange two folders. Between the first
  /// and the second step, no folder has the name. If the program ends then, it leaves a folder that
  /// `FolderAside` restores.
  private static func moveAside(
    _ target: String, for path: String, by means: RenamingMeans, _ check: (String) throws(FerryError) -> Void
  ) throws(FerryError) {
    let aside = try FolderAside.move(target, by: means)
    do throws(FerryError) {
      try check(aside)
      try SystemPath.moveFolder(path, toNew: target, by: means)
    } catch {
      let cause = error
      try SystemPath.moveFolder(aside, toNew: target, by: means)
      throw cause
    }
    // The new folder is in place, so it does no harm if the old one cannot be moved.
    try? SystemPath.moveFolder(aside, toNew: path, by: means)
  }

  private static func remove(_ path: String) {
    FileOutput.temporaries.withLock { names in
      try? SystemPath.removeAll(path)
      names.remove(path)
    }
  }
}
