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
  init(beside target: String) throws(FerryError) {
    // Another program may have removed the new folder before it was locked, believing it abandoned.
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

  deinit { if isThere { Self.remove(path) } }

  /// Renames the folder to a free name.
  func move(toNew target: String, by means: RenamingMeans = .all) throws(FerryError) {
    let path = path
    try FileOutput.temporaries.withLock { names throws(FerryError) in
      try SystemPath.moveFolder(path, toNew: target, by: means)
      names.remove(path)
    }
    isThere = false
  }

  /// Replaces a folder, which is removed. `check` is called with the path of the old folder after the
  /// exchange. If it throws, the folders are exchanged back.
  func exchange(
    with target: String, by means: RenamingMeans = .all, check: (_ old: String) throws(FerryError) -> Void
  ) throws(FerryError) {
    let path = path
    // An interruption waits until it is decided which of the two folders is removed.
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
  /// and the second step nothing has the name; a program that ends there leaves a folder that `FolderAside`
  /// restores.
  private static func moveAside(
    _ target: String, for path: String, by means: RenamingMeans, _ check: (String) throws(FerryError) -> Void
  ) throws(FerryError) {
    let aside = FolderAside.path(for: target)
    try SystemPath.moveFolder(target, toNew: aside, by: means)
    do throws(FerryError) {
      try check(aside)
      try SystemPath.moveFolder(path, toNew: target, by: means)
    } catch {
      let cause = error
      try SystemPath.moveFolder(aside, toNew: target, by: means)
      throw cause
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

  /// Runs a function that looks up a folder, and repeats it if the folder was missing only for a moment, or
  /// has been restored.
  static func finding<Result>(
    _ target: String, _ body: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    while true {
      do throws(FerryError) {
        return try body()
      } catch {
        guard error.reason == .file(.notFound), try putBack(to: target) else { throw error }
      }
    }
  }

  /// Restores the name of a folder that was moved aside, if nothing has that name now. Returns true if the
  /// name has a folder again, or may have. A folder that cannot be moved stays.
  ///
  /// - Throws: `DocumentProblem.busy` if a program that has moved the folder aside does not continue.
  @discardableResult
  static func putBack(
    to target: String, patience: Patience<FileStamp> = Patience()
  ) throws(FerryError) -> Bool {
    // Twice, because a program may have moved the folder aside after the first search for moved folders.
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

  /// Moves one folder back. Returns false if it has to stay.
  private static func putBack(
    _ path: String, to target: String, _ patience: Patience<FileStamp>
  ) throws(FerryError) -> Bool {
    // Waits, because a program that is still running will have given the name to a folder by then, and
    // removed this one.
    guard let lock = try FolderLock(waitingFor: path, patience: patience) else { return true }
    guard lock.isLocked else { return false }
    do throws(FerryError) {
      try SystemPath.moveFolder(path, toNew: target)
      return true
    } catch {
      return error.reason == .file(.exists)
    }
  }
}
