internal import Synchronization

/// A folder that is filled beside its target and takes the target's place in one step.
///
/// It is locked as long as this is kept, so that other programs can tell it from one that was left behind.
final class TemporaryFolder {
  /// What the names of all such folders begin with.
  static let prefix = ".ferry-package-"

  /// Where it is.
  let path: String
  private let lock: FolderLock
  private var isThere = true

  /// Makes a folder beside a path.
  init(beside target: String) throws(Failure) {
    // Another program may have taken a new folder for one that was left behind.
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

  /// Becomes the folder of a name that nothing has.
  func move(toNew target: String, by means: RenamingMeans = .all) throws(Failure) {
    let path = path
    try FileOutput.temporaries.withLock { names throws(Failure) in
      try SystemPath.moveFolder(path, toNew: target, by: means)
      names.remove(path)
    }
    isThere = false
  }

  /// Takes the place of a folder, which is removed. When `check`, which is told where the old folder is then, throws,
  /// everything is put back.
  func exchange(
    with target: String, by means: RenamingMeans = .all, check: (_ old: String) throws(Failure) -> Void
  ) throws(Failure) {
    let path = path
    // Whoever is interrupted waits until it is decided which of the two is to go.
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

  /// Does the same in three steps where two folders cannot be exchanged. Between the first and the second nothing has the
  /// name; who ends there leaves a folder that `FolderAside` puts back.
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
    // The new one is there: if the old one stays, it harms nobody.
    try? SystemPath.moveFolder(aside, toNew: path, by: means)
  }

  private static func remove(_ path: String) {
    FileOutput.temporaries.withLock { names in
      try? SystemPath.removeAll(path)
      names.remove(path)
    }
  }
}

/// A folder that was moved aside for the one that was to take its place, by a program that was ended before it did.
///
/// It has the old name with `.ferry-old-…` behind, and nothing has the old name. Who replaces a folder holds its lock, by
/// which this is told from a program that is about to go on.
enum FolderAside {
  private static let mark = ".ferry-old-"

  /// Where a folder is moved to, to make place.
  static func path(for target: String) -> String { target + mark + SystemPath.unique }

  /// Gives a folder its name back, if nothing has that name now. What cannot be moved stays where it is.
  static func putBack(to target: String) throws(Failure) {
    guard try SystemPath.status(of: target, followingLinks: false) == nil else { return }
    let start = SystemPath.name(of: target) + mark
    for name in (try? SystemPath.names(in: SystemPath.folder(of: target))) ?? [] where name.hasPrefix(start) {
      let path = SystemPath.sibling(of: target, named: name)
      // Waited for: a program that goes on has given the name to a folder by then.
      guard let lock = try? FolderLock(whatIsAt: path), lock.isLocked else { continue }
      try? SystemPath.moveFolder(path, toNew: target)
    }
  }
}

/// Temporary folders that programs which were ended have left behind.
enum StaleFolders {
  /// The folders that have been looked through by this process.
  private static let visited = Mutex<Set<String>>([])

  /// Removes those beside a path that are ours and that no living program has locked; once a process and folder.
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
