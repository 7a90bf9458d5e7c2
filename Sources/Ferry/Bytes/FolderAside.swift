/// A folder that was moved aside by a program that ended before it replaced the folder.
///
/// Its name is the original name followed by `.ferry-old-package`, and nothing has the original name. A program
/// that is still running holds the folder's lock.
///
/// Unlike the name of a temporary file, this name has no random part, so that a missing folder is looked up by one name. Each output of a
/// run may be missing, and to read all names in the folder around it for each takes long if there are thousands.
enum FolderAside {
  private static let mark = ".ferry-old-package"

  /// Moves a folder aside. Returns its new path.
  static func move(_ target: String, by means: RenamingMeans) throws(FerryError) -> String {
    let aside = target + mark
    do throws(FerryError) {
      try SystemPath.moveFolder(target, toNew: aside, by: means)
    } catch {
      guard error.reason == .file(.exists) else { throw error }
      // A program ended between replacing the folder and removing the old one, which no program restores.
      try SystemPath.moveFolder(aside, toNew: "\(aside)-\(SystemPath.unique)", by: means)
      try SystemPath.moveFolder(target, toNew: aside, by: means)
    }
    return aside
  }

  /// Runs a function that looks up a folder. Runs it again if the folder was only missing for a moment, or
  /// has been restored.
  static func finding<Result>(
    _ target: String, _ body: () throws(FerryError) -> Result
  ) throws(FerryError) -> Result {
    while true {
      do throws(FerryError) {
        return try body()
      } catch {
        // The folder that a symbolic link names is the one that a program moves, and a link to nothing stays.
        guard error.reason == .file(.notFound), try putBack(to: SystemPath.destination(of: target)) else {
          throw error
        }
      }
    }
  }

  /// Restores a folder that was moved aside, if nothing has its name. Returns true if a folder has the name
  /// again, or may have. A folder that cannot be moved is left.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.busy` if a running program has moved the folder aside and does not finish.
  @discardableResult
  static func putBack(
    to target: String, patience: Patience<FileStamp> = Patience()
  ) throws(FerryError) -> Bool {
    // A program may have moved the folder aside after the first search, so the search is repeated once.
    for _ in 0..<2 {
      guard try SystemPath.status(of: target, followingLinks: false) == nil else { return true }
      let aside = target + mark
      if isFolder(aside), try putBack(aside, to: target, patience) { return true }
    }
    return try SystemPath.status(of: target, followingLinks: false) != nil
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? SystemPath.status(of: path, followingLinks: false))??.kind == .directory
  }

  /// Moves a folder back. Returns false if it cannot be moved.
  private static func putBack(
    _ path: String, to target: String, _ patience: Patience<FileStamp>
  ) throws(FerryError) -> Bool {
    // A program that is still running will have replaced the folder, and removed this one, when the lock is
    // free.
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
