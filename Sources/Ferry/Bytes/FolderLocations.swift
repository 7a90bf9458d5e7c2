/// A finder of the locations of many paths, which looks up each folder once.
package struct FolderLocations: Sendable {
  /// A path, as it was found.
  package struct Found {
    /// The location that the path leads to; nil if its folder does not exist.
    package let location: Folder.Location?
    /// True if a file, a folder or a link is at the path.
    package let exists: Bool
    /// True if surely nothing is at the path. False for a path with redundant slashes, or that cannot be looked up.
    package let isFree: Bool
    /// True if a file is surely at the path, and not a link to one. False for a path with links or redundant slashes.
    package let isRegularFile: Bool
  }

  /// The folders that exist, by their paths.
  private var folders: [[UInt8]: Folder.Identity] = [:]

  package init() {}

  /// Looks up a path.
  package mutating func find(_ path: String) -> Found {
    // Links are resolved, and so are redundant slashes, of which the last one follows a link.
    guard let path = try? SystemPath.checked(path), SystemPath.withSingleSlashes(path).equals(path) else {
      return resolved(path)
    }
    let kind: FileStatus.Kind?
    do throws(FerryError) {
      kind = try SystemPath.status(of: path, followingLinks: false)?.kind
    } catch {
      return Found(location: nil, exists: false, isFree: false, isRegularFile: false)
    }
    guard kind != .link else { return resolved(path) }
    return Found(
      location: location(of: path), exists: kind != nil, isFree: kind == nil, isRegularFile: kind == .regular)
  }

  /// Looks up a path that may lead through links.
  private func resolved(_ path: String) -> Found {
    Found(
      location: Folder.location(of: path), exists: Folder.hasSomething(at: path), isFree: false,
      isRegularFile: false)
  }

  /// Returns the location of a path that is not that of a link.
  private mutating func location(of target: String) -> Folder.Location? {
    let folder = SystemPath.folder(of: target)
    let key = Array(folder.utf8)
    guard let identity = folders[key] ?? Folder.identity(of: folder) else { return nil }
    folders[key] = identity
    return Folder.Location(of: target, in: identity)
  }
}
