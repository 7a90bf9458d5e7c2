/// A file of a package that both sides have changed differently.
///
///     1__#$!@%!#__image.png: ours 1204 bytes, theirs 988 bytes, base nothing
public struct FileConflict: Sendable {
  /// The path of the file in the package.
  public let path: String
  /// The content in each version, or nil if that version has no such file.
  public let base, ours, theirs: Content?

  /// The content of a file, folder or link in a package.
  public struct Content: Sendable {
    let entry: DocumentPackage.Entry
  }

  init(_ path: PackagePath, of versions: PackageVersions) {
    let content = { (side: MergeSide) in versions[side, path].map(Content.init) }
    (base, ours, theirs) = (content(.base), content(.ours), content(.theirs))
    self.path = path.text
  }
}

extension FileConflict.Content: CustomStringConvertible {
  /// Returns the bytes of a file, or nil for a folder or a link. They are read on demand.
  ///
  /// - Throws: A `FerryError` with the reason `PackageProblem.changed` if another program has changed the file since it was listed, or an
  ///   error of the system.
  public func bytes() throws(FerryError) -> [UInt8]? {
    guard case .file(let file) = entry else { return nil }
    return try file.bytes()
  }

  /// The content in words: `1204 bytes`, `a folder` or `a link to images/a.png`.
  public var description: String {
    switch entry {
    case .file(let file): file.size == 1 ? "1 byte" : "\(file.size) bytes"
    case .folder: "a folder"
    case .link(let target): "a link to \(target)"
    }
  }
}

extension FileConflict: CustomStringConvertible {
  /// The conflict on one line: the path, and the content of each version.
  public var description: String { "\(path): \(differences)" }

  /// The content of each version, in words.
  public var differences: String {
    let words = { (content: Content?) in content?.description ?? "nothing" }
    return "ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
  }
}
