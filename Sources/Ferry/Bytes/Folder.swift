/// Folders: those of inputs, and those for outputs.
public enum Folder {
  /// Whether a path leads to a folder.
  public static func isFolder(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind == .directory
  }

  /// The folder that a file is in, by its path; the current one for the standard input, `-`.
  public static func containing(_ path: String) -> String { SystemPath.folder(of: path) }

  /// Whether a name is taken, be it by a link that leads nowhere.
  public static func hasSomething(at path: String) -> Bool {
    (try? SystemPath.status(of: path, followingLinks: false))?.map { _ in true } ?? false
  }

  /// The files in a folder and in those below it, as paths that begin with the folder's, in order. Symbolic links are not
  /// followed, so that the walk ends.
  ///
  ///     try Folder.files(under: "documents")     // ["documents/a.plist", "documents/old/b.plist"]
  ///
  /// Throws the system's words when a folder cannot be read.
  public static func files(under path: String) throws(Failure) -> [String] {
    var files: [String] = []
    var waiting = [path]
    while let next = waiting.popLast() {
      let status = try SystemPath.status(of: next, followingLinks: next == path)
      switch status?.kind {
      case .directory:
        let names = try SystemPath.names(in: next)
        // Taken from the end.
        waiting += names.reversed().map { next.hasSuffix("/") ? next + $0 : "\(next)/\($0)" }
      case .regular: files.append(next)
      case .link, .other, nil: break
      }
    }
    return files
  }

  /// The bytes of a file in a folder or below it, by its way from there; nil when there is none. Symbolic links are not
  /// followed: what is in another folder is not in this one.
  public static func file(_ name: String, in folder: String) throws(Failure) -> [UInt8]? {
    var path = folder
    for part in name.split(separator: "/") {
      path += "/\(part)"
      switch try SystemPath.status(of: path, followingLinks: false)?.kind {
      case .regular, .directory: continue
      case nil: return nil
      case .link: throw Failure(.package(.isLink(name)))
      case .other: throw Failure(.package(.otherKind(name)))
      }
    }
    return try FileInput(path: path).readAll()
  }

  /// Makes a folder, and those above it, unless they are there.
  ///
  /// Throws `FileProblem.notADirectory` when a file has the name, or the system's words.
  public static func make(_ path: String) throws(Failure) {
    if let status = try SystemPath.status(of: path) {
      guard status.kind == .directory else { throw Failure(.file(.notADirectory)) }
      return
    }
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    if !parent.isEmpty { try make(parent) }
    try SystemPath.makeFolder(path)
  }
}
