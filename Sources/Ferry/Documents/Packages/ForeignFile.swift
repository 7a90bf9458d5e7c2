/// The files that other programs create in every folder that they show, and that do not belong to a document: settings of file managers, and
/// attributes on volumes that do not have them. They change no document, and stay in a package that is saved.
enum ForeignFile {
  /// The names of files of the Finder and of the Windows Explorer in lower case, because these programs ignore the case.
  private static let names = Set(
    [".ds_store", ".localized", "icon\r", "desktop.ini", "thumbs.db", "ehthumbs.db"].map { ExactString($0) })
  /// The prefix of a file with the attributes of the file whose name follows (AppleDouble).
  private static let attributesPrefix = "._"

  /// Returns true if a name is that of a file of another program.
  static func isName(_ name: String) -> Bool {
    name.utf8.starts(with: attributesPrefix.utf8) && name.utf8.count > attributesPrefix.utf8.count
      || names.contains(ExactString(name.lowercased()))
  }
}

extension DocumentPackage {
  /// Returns this package with the files of other programs as they are on disk now: in the package that it replaces, and those that it was
  /// read with. Files whose bytes were set here, and those that were removed here, stay as they are here.
  ///
  /// - Parameter existing: The package that this one replaces, or nil.
  func withForeignFiles(of existing: PackageListing?) throws(FerryError) -> DocumentPackage {
    var package = self
    for (path, entry) in entries where path.isForeign {
      // Bytes that were set here are not on disk.
      guard case .file(let file) = entry, let known = file.onDisk else { continue }
      let status = try SystemPath.status(of: known.path, followingLinks: false)
      if let status, status.kind == .regular {
        if status.stamp != known.stamp { package.insert(.file(known.changed(to: status)), at: path) }
      } else {
        package.forget(path)
      }
    }
    if let existing { package.addForeignFiles(of: existing) }
    return package
  }

  /// Adds the files of other programs in the package that this one replaces, except those whose names are taken, ignoring case. A file in a folder
  /// that this package does not have goes with the folder.
  private mutating func addForeignFiles(of existing: PackageListing) {
    let added = existing.entries.keys.filter { path in
      path.isForeign && taken[path.folded] == nil && !removedForeignFiles.contains(path)
    }
    guard !added.isEmpty else { return }
    var folders = Set(entries.keys.flatMap(\.folders))
    for (path, entry) in entries { if case .folder = entry { folders.insert(path) } }
    for path in added.sorted() where path.folders.allSatisfy(folders.contains) {
      switch existing.entries[path] {
      case .folder?:
        insert(.folder, at: path)
        folders.insert(path)
      case .link(let target)?: insert(.link(target), at: path)
      case .file?: if let file = existing.file(at: path) { insert(.file(PackagedFile(at: file)), at: path) }
      case nil: break
      }
    }
  }
}
