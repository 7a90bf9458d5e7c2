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
      guard case .file(let file) = entry, let known = file.onDisk, file.bytesInMemory == nil else { continue }
      guard let status = try SystemPath.status(of: known.path, followingLinks: false), status.kind == .regular
      else {
        package.forget(path)
        continue
      }
      if status.stamp != known.stamp { package.insert(.file(known.changed(to: status)), at: path) }
    }
    guard let existing else { return package }
    for (path, entry) in existing.entries.sorted(by: { $0.key < $1.key })
    where path.isForeign && package.entries[path] == nil && !removedForeignFiles.contains(path) {
      // A file in a folder that this package does not have goes with the folder.
      guard path.folders.allSatisfy({ package.hasFolder($0) }) else { continue }
      switch entry {
      case .folder: package.insert(.folder, at: path)
      case .link(let target): package.insert(.link(target), at: path)
      case .file:
        if let file = existing.file(at: path) { package.insert(.file(PackagedFile(at: file)), at: path) }
      }
    }
    return package
  }

  /// Returns true if the package has a folder: as an entry, or around other entries.
  private func hasFolder(_ path: PackagePath) -> Bool {
    if let entry = entries[path] { if case .folder = entry { return true } else { return false } }
    return entries.keys.contains { $0.from(path) != nil }
  }
}
