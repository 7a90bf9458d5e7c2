/// A folder that was moved aside by a program that ended before it replaced the folder.
///
/// Its name is the original name followed by `.ferry-old-…`, and nothing has the original name. A program
/// that is still running holds the folder's lock.
enum FolderAside {
  private static let mark = ".ferry-old-"

  /// Returns the path to which a folder is moved aside.
  static func path(for target: String) -> String { target + mark + SystemPath.unique }

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
      for path in folders(movedFor: target) where try putBack(path, to: target, patience) { return true }
    }
    return try SystemPath.status(of: target, followingLinks: false) != nil
  }

  private static func folders(movedFor target: String) -> [String] {
    let start = SystemPath.name(of: target) + mark
    let names = (try? SystemPath.names(in: SystemPath.folder(of: target))) ?? []
    return names.filter { $0.hasPrefix(start) }.map { SystemPath.sibling(of: target, named: $0) }
  }

  /// Moves one folder back. Returns false if it cannot be moved.
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
