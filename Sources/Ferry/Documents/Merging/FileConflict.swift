/// A file of a package that both sides have changed, each in its own way.
///
///     1__#$!@%!#__image.png: ours 1204 bytes, theirs 988 bytes, base nothing
public struct FileConflict: Sendable {
  /// The way to the file in the package.
  public let path: String
  /// What each version has there; nil when it has nothing.
  public let base, ours, theirs: Content?

  /// What has a name in a package.
  public struct Content: Sendable {
    let entry: Package.Entry
  }

  init(_ path: PackagePath, of versions: PackageVersions) {
    let content = { (side: MergeSide) in versions[side, path].map(Content.init) }
    (base, ours, theirs) = (content(.base), content(.ours), content(.theirs))
    self.path = path.text
  }
}

extension FileConflict.Content: CustomStringConvertible {
  /// The bytes of a file, read when they are asked for; nil for a folder or a link.
  ///
  /// - Throws: `PackageProblem.changed` when another program has changed the file meanwhile, or what the system says.
  public func bytes() throws(Failure) -> [UInt8]? {
    guard case .file(let file) = entry else { return nil }
    return try file.bytes()
  }

  /// `1204 bytes`, `a folder`, `a link to images/a.png`.
  public var description: String {
    switch entry {
    case .file(let file): file.size == 1 ? "1 byte" : "\(file.size) bytes"
    case .folder: "a folder"
    case .link(let target): "a link to \(target)"
    }
  }
}

extension FileConflict: CustomStringConvertible {
  /// One line: the path, and what each version has there.
  public var description: String { "\(path): \(differences)" }

  /// What each version has.
  public var differences: String {
    let words = { (content: Content?) in content?.description ?? "nothing" }
    return "ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
  }
}
