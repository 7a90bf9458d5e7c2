/// The path of a file in a package: `image.png`, or `images/a.png` in a subfolder.
///
/// Paths are compared by their bytes, because a file system may have two files named `é`: one with a single
/// code point and one with two.
struct PackagePath: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: PackagePath, b: PackagePath) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  static func < (a: PackagePath, b: PackagePath) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// The names in the path.
  private var names: [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// The folders in the path, outermost first: `a` and `a/b` for `a/b/c`.
  var folders: [PackagePath] {
    var folders: [PackagePath] = []
    var folder = ""
    for name in names.dropLast() {
      folder += (folder.isEmpty ? "" : "/") + Substring(name)
      folders.append(PackagePath(folder))
    }
    return folders
  }

  /// True if the path is that of a file of another program, or of a file in a folder with such a name.
  var isForeign: Bool { names.contains { ForeignFile.isName(String(Substring($0))) } }

  /// The number of names in the path.
  var depth: Int { names.count }

  /// The first name of the path.
  var first: PackagePath { PackagePath(names.first.map { String(Substring($0)) } ?? text) }

  /// Returns the path relative to a folder, or nil if the file is not in the folder.
  func from(_ folder: PackagePath) -> PackagePath? {
    let start = "\(folder.text)/"
    guard text.utf8.starts(with: start.utf8) else { return nil }
    return PackagePath(String(Substring(text.utf8.dropFirst(start.utf8.count))))
  }

  /// The case-folded path, equal for paths that a case-insensitive file system does not distinguish.
  var folded: String { text.foldedName }

  // MARK: Valid paths

  /// The maximum length of a name in file systems, in bytes.
  private static let longestName = 255
  /// The maximum length of a path in bytes, which is also that of the target of a symbolic link.
  static let longestPath = 4096

  /// Throws if a text is not a valid path of a file in a package, besides the file with the records.
  static func check(_ path: String, besides main: String? = nil) throws(FerryError) {
    if let flaw = PackagePath(path).flaw { throw FerryError(.package(.badName(path, flaw))) }
    guard !main.equals(path) else { throw FerryError(.package(.badName(path, "the records are in it"))) }
  }

  /// Returns the error for a path with more folders than a budget allows.
  static func tooDeep(_ path: String, _ budget: Budget) -> FerryError {
    FerryError(.overBudget(.depth(budget.depth)), path: ValuePath([.key(path)]))
  }

  /// The reason why the path is invalid in a package, or nil if it is valid.
  var flaw: String? {
    if text.isEmpty { return "it is empty" }
    if text.utf8.contains(0) { return "it has a NUL in it" }
    if text.utf8.count > Self.longestPath { return "it is longer than \(Self.longestPath) bytes" }
    for name in names {
      switch Array(name) {
      case []: return "a name in it is empty"
      case Array("..".utf8), Array(".".utf8): return "it leads out of the package"
      case let bytes where bytes.count > Self.longestName:
        return "a name in it is longer than \(Self.longestName) bytes"
      default: continue
      }
    }
    return nil
  }
}
