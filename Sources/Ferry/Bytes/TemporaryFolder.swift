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
      if let lock = try FolderLock(path, waits: false), try lock.isAt(path) {
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
  func move(toNew target: String) throws(Failure) {
    let path = path
    try FileOutput.temporaries.withLock { names throws(Failure) in
      try SystemPath.moveFolder(path, toNew: target)
      names.remove(path)
    }
    isThere = false
  }

  /// Takes the place of a folder, which is removed. When `check`, which is told where the old folder is then, throws,
  /// everything is put back.
  func exchange(with target: String, check: (_ old: String) throws(Failure) -> Void) throws(Failure) {
    let path = path
    let isExchanged = try FileOutput.temporaries.withLock { _ throws(Failure) in
      try SystemPath.exchange(path, target)
    }
    guard isExchanged else { return try moveAside(target, check) }
    do throws(Failure) {
      try check(path)
    } catch {
      let failure = error
      _ = try FileOutput.temporaries.withLock { _ throws(Failure) in try SystemPath.exchange(path, target) }
      throw failure
    }
  }

  /// Where two folders cannot be exchanged, the old one is moved aside under a name that nobody cleans up.
  private func moveAside(_ target: String, _ check: (String) throws(Failure) -> Void) throws(Failure) {
    let aside = "\(target).ferry-old-\(SystemPath.unique)"
    let path = path
    try FileOutput.temporaries.withLock { names throws(Failure) in
      try SystemPath.moveFolder(target, toNew: aside)
      do throws(Failure) {
        try check(aside)
        try SystemPath.moveFolder(path, toNew: target)
      } catch {
        let failure = error
        try SystemPath.moveFolder(aside, toNew: target)
        throw failure
      }
      names.remove(path)
    }
    isThere = false
    try SystemPath.removeAll(aside)
  }

  private static func remove(_ path: String) {
    FileOutput.temporaries.withLock { names in
      try? SystemPath.removeAll(path)
      names.remove(path)
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
        let lock = try? FolderLock(path, waits: false), lock.isLocked, (try? lock.isAt(path)) == true
      else { continue }
      try? SystemPath.removeAll(path)
    }
  }
}
