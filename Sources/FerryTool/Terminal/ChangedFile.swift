/// The files of a version of a package, other than that with the records.
struct PackagedFiles {
  /// The bytes of each file by its name in UTF-8: names that differ only by Unicode normalization are different files.
  fileprivate var bytes: [[UInt8]: [UInt8]] = [:]

  mutating func add(_ name: String, _ bytes: [UInt8]) { self.bytes[Array(name.utf8)] = bytes }
}

/// A file of a package, other than that with the records, that differs between two versions.
struct ChangedFile {
  enum Change {
    case added, removed, changed
  }

  let name: String
  let change: Change
  /// The sizes in bytes; 0 for a version that does not have the file.
  let oldSize, newSize: Int

  /// Returns the files that differ between two versions, by name.
  static func all(from old: PackagedFiles, to new: PackagedFiles) -> [ChangedFile] {
    let names = Set(old.bytes.keys).union(new.bytes.keys).sorted { $0.lexicographicallyPrecedes($1) }
    return names.compactMap { name in
      let (before, after) = (old.bytes[name], new.bytes[name])
      guard before != after else { return nil }
      return ChangedFile(
        name: String(decoding: name, as: UTF8.self),
        change: before == nil ? .added : after == nil ? .removed : .changed,
        oldSize: before?.count ?? 0, newSize: after?.count ?? 0)
    }
  }
}
