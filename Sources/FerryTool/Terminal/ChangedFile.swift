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

    fileprivate init(_ content: VersionFiles.Content) {
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
  static func all(from old: VersionFiles, to new: VersionFiles) -> [ChangedFile] {
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
