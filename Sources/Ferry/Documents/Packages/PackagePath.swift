/// The names of files in a package: `image.png`, or `images/a.png` in a folder of it.
enum PackagePath {
  /// The longest name that file systems have.
  private static let longestName = 255

  /// Refuses what is no way to a file inside of a package.
  static func check(_ path: String) throws(Failure) {
    if let flaw = flaw(in: path) { throw Failure(.package(.badName(path, flaw))) }
  }

  /// Why a path leads to no file of a package; nil when it may.
  static func flaw(in path: String) -> String? {
    if path.isEmpty { return "it is empty" }
    if path.utf8.contains(0) { return "it has a NUL in it" }
    for name in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      switch Array(name) {
      case []: return "a name in it is empty"
      case Array("..".utf8), Array(".".utf8): return "it leads out of the package"
      case let bytes where bytes.count > longestName: return "a name in it is longer than \(longestName) bytes"
      default: continue
      }
    }
    return nil
  }
}
