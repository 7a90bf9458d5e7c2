internal import Synchronization

/// A folder that is filled beside its target, and replaces the target in one step.
///
/// It is locked as long as this object exists, so that other programs can distinguish it from an abandoned
/// one.
final class TemporaryFolder {
  /// The prefix of the names of all such folders.
  static let prefix = ".ferry-package-"

  /// The path of the folder.
  let path: String
  private let lock: FolderLock
  private var isThere = true

  /// Creates a folder beside a path.
  init(beside target: String) throws(Failure) {
    // Another program may have removed the new folder before it was locked, believing it abandoned.
    for _ in 0..<16 {
      let path = SystemPath.sibling(of: target, named: Self.prefix + SystemPath.unique)
      try FileOutput.temporaries.withLock { names throws(Failure) in
        try SystemPath.makeNewFolder(path)
        names.insert(path)
      }
      if let lock = try FolderLock(path), try lock.isAt(path) {
        self.path = path
        self.lock = lock
        return
      }
      Self.remove(path)
    }
    throw Failure(.file(.system("no temporary folder could be made")))
  }

  deinit { if isThere { Self.remove(path) } }

  /// Renames the folder to a free name.
  func move(toNew target: String, by means: RenamingMeans = .all) throws(Failure) {
    let path = path
    try FileOutput.temporaries.withLock { names throws(Failure) in
      try SystemPath.moveFolder(path, toNew: target, by: means)
      names.remove(path)
    }
    isThere = false
  }

  /// Replaces a folder, which is removed. `check` is called with the path of the old folder after the
  /// exchange. If it throws, the folders are exchanged back.
  func exchange(
    with target: String, by means: RenamingMeans = .all, check: (_ old: String) throws(Failure) -> Void
  ) throws(Failure) {
    let path = path
    // An interruption waits until it is decided which of the two folders is removed.
    try FileOutput.temporaries.withLock { _ throws(Failure) in
      guard means.contains(.exchange), try SystemPath.exchange(path, target) else {
        return try Self.moveAside(target, for: path, by: means, check)
      }
      do throws(Failure) {
        try check(path)
      } catch {
        let failure = error
        _ = try SystemPath.exchange(path, target)
        throw failure
      }
    }
  }

  /// Replaces a folder in three steps, on file systems that cannot exchange two folders. Between the first
  /// and the second step nothing has the name; a program that ends there leaves a folder that `FolderAside`
  /// restores.
  private static func moveAside(
    _ target: String, for path: String, by means: RenamingMeans, _ check: (String) throws(Failure) -> Void
  ) throws(Failure) {
    let aside = FolderAside.path(for: target)
    try SystemPath.moveFolder(target, toNew: aside, by: means)
    do throws(Failure) {
      try check(aside)
      try SystemPath.moveFolder(path, toNew: target, by: means)
    } catch {
      let failure = error
      try SystemPath.moveFolder(aside, toNew: target, by: means)
      throw failure
    }
    // The new folder is in place, so an old one that stays is harmless.
    try? SystemPath.moveFolder(aside, toNew: path, by: means)
  }

  private static func remove(_ path: String) {
    FileOutput.temporaries.withLock { names in
      try? SystemPath.removeAll(path)
      names.remove(path)
    }
  }
}

/// A folder that was moved aside to be replaced, by a program that ended before the replacement.
///
/// Its name is the old one followed by `.ferry-old-…`, and nothing has the old name. A program that replaces
/// a folder holds the folder's lock, which distinguishes it from a program that has ended.
enum FolderAside {
  private static let mark = ".ferry-old-"

  /// Returns the path to which a folder is moved aside.
  static func path(for target: String) -> String { target + mark + SystemPath.unique }

  /// Restores the name of a folder that was moved aside, if nothing has that name now. A folder that cannot
  /// be moved stays.
  static func putBack(to target: String) throws(Failure) {
    guard try SystemPath.status(of: target, followingLinks: false) == nil else { return }
    let start = SystemPath.name(of: target) + mark
    for name in (try? SystemPath.names(in: SystemPath.folder(of: target))) ?? [] where name.hasPrefix(start) {
      let path = SystemPath.sibling(of: target, named: name)
      // Waits, because a program that is still running will have given the name to a folder by then.
      guard let lock = try? FolderLock(whatIsAt: path), lock.isLocked else { continue }
      try? SystemPath.moveFolder(path, toNew: target)
    }
  }
}

/// Temporary folders that killed programs have left.
enum StaleFolders {
  /// The folders that this process has searched.
  private static let visited = Mutex<Set<String>>([])

  /// Removes abandoned folders beside a path that the user owns and that no program has locked. Each process
  /// searches a folder once.
  static func remove(beside target: String) {
    let folder = SystemPath.folder(of: target)
    guard visited.withLock({ $0.insert(folder).inserted }) else { return }
    for name in (try? SystemPath.names(in: folder)) ?? [] where name.hasPrefix(TemporaryFolder.prefix) {
      let path = SystemPath.sibling(of: target, named: name)
      guard let status = try? SystemPath.status(of: path, followingLinks: false),
        status.kind == .directory, SystemPath.isOurs(status),
        let lock = try? FolderLock(path), lock.isLocked, (try? lock.isAt(path)) == true
      else { continue }
      try? SystemPath.removeAll(path)
    }
  }
}
