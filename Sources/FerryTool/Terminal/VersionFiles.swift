/// The files of a version of a package, other than that with the records.
struct VersionFiles {
  /// The content of a file.
  enum Content: Equatable {
    case file([UInt8])
    case link(LinkTarget)
  }

  /// The contents of each file by its name in UTF-8: names that differ only by Unicode normalization are different files.
  private(set) var contents: [[UInt8]: Content] = [:]

  mutating func add(_ name: String, _ bytes: [UInt8]) { contents[Array(name.utf8)] = .file(bytes) }

  /// Adds a symbolic link.
  mutating func add(_ name: String, _ target: LinkTarget) { contents[Array(name.utf8)] = .link(target) }
}
