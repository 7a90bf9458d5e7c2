/// The files of a version of a package, other than that with the records.
struct PackagedFiles {
  fileprivate enum Content: Equatable {
    case file([UInt8])
    case link(LinkTarget)
  }

  /// The contents of each file by its name in UTF-8: names that differ only by Unicode normalization are different files.
  fileprivate var contents: [[UInt8]: Content] = [:]

  mutating func add(_ name: String, _ bytes: [UInt8]) { contents[Array(name.utf8)] = .file(bytes) }

  /// Adds a symbolic link.
  mutating func add(_ name: String, _ target: LinkTarget) { contents[Array(name.utf8)] = .link(target) }
}

/// A file of a package, other than that with the records, that differs between two versions; or one that only one of two folders has, or
/// whose bytes differ.
struct ChangedFile {
  enum Change {
    case added, removed, changed
  }

  /// A version of the file.
  enum Version {
    /// A file with its size in bytes.
    case file(size: Int)
    case link(LinkTarget)

    fileprivate init(_ content: PackagedFiles.Content) {
      switch content {
      case .file(let bytes): self = .file(size: bytes.count)
      case .link(let target): self = .link(target)
      }
    }
  }

  let name: String
  /// The versions; nil for one that does not have the file.
  let old, new: Version?

  var change: Change { old == nil ? .added : new == nil ? .removed : .changed }

  /// Both versions in words: `5 bytes`, `a link to "a.png"`. A missing version is empty.
  var words: (old: String, new: String) {
    guard case .link(let before)? = old, case .link(let after)? = new else {
      return (Self.words(for: old), Self.words(for: new))
    }
    let targets = before.shown(beside: after)
    return ("a link to \(targets.old)", "a link to \(targets.new)")
  }

  private static func words(for version: Version?) -> String {
    switch version {
    case .file(let size)?: "\(size) bytes"
    case .link(let target)?: "a link to \(target.shown())"
    case nil: ""
    }
  }

  /// Returns the files that differ between two versions, by name.
  static func all(from old: PackagedFiles, to new: PackagedFiles) -> [ChangedFile] {
    let names = Set(old.contents.keys).union(new.contents.keys).sorted { $0.lexicographicallyPrecedes($1) }
    return names.compactMap { name in
      let (before, after) = (old.contents[name], new.contents[name])
      guard before != after else { return nil }
      return ChangedFile(
        name: String(decoding: name, as: UTF8.self), old: before.map(Version.init),
        new: after.map(Version.init))
    }
  }
}
