/// Folders for outputs.
public enum Folder {
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
