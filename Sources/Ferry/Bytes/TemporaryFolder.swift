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
        do throws(Failure) {
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

  /// Runs `body`, which finds the folder of a name; again when it did not, and the folder was away only for a moment or has been
  /// put back.
  static func finding<Result>(
    _ target: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    while true {
      do throws(Failure) {
        return try body()
      } catch {
        guard error.reason == .file(.notFound), try putBack(to: target) else { throw error }
      }
    }
  }

  /// Gives a folder its name back, if nothing has that name now. Returns true if the name has a folder again, or may have.
  ///
  /// A folder that cannot be moved stays where it is. Throws `DocumentProblem.busy` if a program that has moved the folder aside
  /// does not go on.
  @discardableResult
  static func putBack(
    to target: String, patience: Patience<FileStamp> = Patience()
  ) throws(Failure) -> Bool {
    // Twice: a program may have moved the folder aside after its name was looked for among those of the parent.
    for _ in 0..<2 {
      guard try SystemPath.status(of: target, followingLinks: false) == nil else { return true }
      for path in folders(movedFor: target) where try putBack(path, to: target, patience) { return true }
    }
    return try SystemPath.status(of: target, followingLinks: false) != nil
  }

  private static func folders(movedFor target: String) -> [String] {
    let start = SystemPath.name(of: target) + mark
    let names = (try? SystemPath.names(in: SystemPath.folder(of: target))) ?? []
    return names.filter { $0.hasPrefix(start) }.map { SystemPath.sibling(of: target, named: $0) }
  }

  /// Moves one folder back; false if it has to stay where it is.
  private static func putBack(
    _ path: String, to target: String, _ patience: Patience<FileStamp>
  ) throws(Failure) -> Bool {
    // Waited for: a program that goes on has given the name to a folder by then, and removed this one.
    guard let lock = try FolderLock(waitingFor: path, patience: patience) else { return true }
    guard lock.isLocked else { return false }
    do throws(Failure) {
      try SystemPath.moveFolder(path, toNew: target)
      return true
    } catch {
      return error.reason == .file(.exists)
    }
  }
}
