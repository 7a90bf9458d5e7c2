/// The contents of a package's folder, without the bytes of its files.
struct PackageListing: Sendable {
  /// An entry of a package.
  enum Entry: Sendable {
    case file(FileStamp, mode: UInt16)
    case folder(FileStatus)
    /// A symbolic link and its target.
    case link(String)
  }

  /// The path of the folder, with all links resolved.
  let path: String
  let folder: FileStatus
  let entries: [PackagePath: Entry]

  /// The number of attempts to list a folder that is being replaced.
  private static let attempts = 64

  /// Lists a package's folder and its subfolders. Symbolic links are listed, not followed.
  ///
  /// - Throws: An error if there is no folder, if an entry is not a file, folder or link, or if a limit is
  ///   exceeded.
  init(_ path: String, budget: Budget) throws(FerryError) {
    self.path = path
    for _ in 0..<Self.attempts {
      let folder = try Self.folder(at: path)
      do throws(FerryError) {
        let entries = try Self.entries(in: path, budget)
        if try Self.folder(at: path).stamp.isSameFile(as: folder.stamp) {
          (self.folder, self.entries) = (folder, entries)
          return
        }
      } catch {
        // An error in a folder that was replaced meanwhile is retried: entries vanish while it is removed.
        guard try !Self.folder(at: path).stamp.isSameFile(as: folder.stamp) else { throw error }
      }
    }
    throw FerryError(.document(.changesWhileRead))
  }

  private static func folder(at path: String) throws(FerryError) -> FileStatus {
    guard let folder = try SystemPath.status(of: path) else { throw FerryError(.file(.notFound)) }
    guard folder.kind == .directory else { throw FerryError(.file(.notADirectory)) }
    return folder
  }

  private static func entries(in path: String, _ budget: Budget) throws(FerryError) -> [PackagePath: Entry] {
    var entries: [PackagePath: Entry] = [:]
    var waiting: [(relativePath: String, depth: Int)] = [("", 1)]
    while let next = waiting.popLast() {
      guard next.depth <= budget.depth else { throw PackagePath.tooDeep(next.relativePath, budget) }
      let names = try SystemPath.exactNames(
        in: next.relativePath.isEmpty ? path : "\(path)/\(next.relativePath)")
      for name in names where !SystemPath.isTemporary(name) {
        let relativePath = next.relativePath.isEmpty ? name : "\(next.relativePath)/\(name)"
        // The entry may have been removed since its name was listed.
        guard let entry = try Self.entry(at: "\(path)/\(relativePath)", named: relativePath) else { continue }
        guard entries.count < budget.files else { throw FerryError(.overBudget(.files(budget.files))) }
        entries[PackagePath(relativePath)] = entry
        if case .folder = entry { waiting.append((relativePath, next.depth + 1)) }
      }
    }
    return entries
  }

  private static func entry(at path: String, named name: String) throws(FerryError) -> Entry? {
    guard let status = try SystemPath.status(of: path, followingLinks: false) else { return nil }
    switch status.kind {
    case .regular: return .file(status.stamp, mode: status.mode)
    case .directory: return .folder(status)
    case .link: return .link(try SystemPath.target(ofLink: path))
    case .other: throw FerryError(.package(.otherKind(name)))
    }
  }

  /// Returns the names of entries that differ from another listing: changed, added or removed, sorted. Files of other programs are left
  /// out.
  func differences(from other: PackageListing) -> [String] {
    let paths = Set(entries.keys).union(other.entries.keys).sorted()
    return paths.filter { !Self.areEqual(entries[$0], other.entries[$0]) && !$0.isForeign }.map(\.text)
  }

  private static func areEqual(_ a: Entry?, _ b: Entry?) -> Bool {
    switch (a, b) {
    case (.file(let a, _), .file(let b, _)): a == b
    // Writing a package replaces its folders, so only their contents are compared.
    case (.folder, .folder): true
    case (.link(let a), .link(let b)): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }
}
