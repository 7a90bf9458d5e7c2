/// The way to a file in a package: `image.png`, or `images/a.png` in a folder of it.
///
/// Two are equal when their bytes are: a file system may have an `é` of one code point beside one of two.
struct PackagePath: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: PackagePath, b: PackagePath) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  static func < (a: PackagePath, b: PackagePath) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

  /// The names on the way.
  private var names: [Substring.UTF8View] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// The folders on the way, outermost first: of `a/b/c` `a` and `a/b`.
  var folders: [PackagePath] {
    var folders: [PackagePath] = []
    var way = ""
    for name in names.dropLast() {
      way += (way.isEmpty ? "" : "/") + Substring(name)
      folders.append(PackagePath(way))
    }
    return folders
  }

  /// How many names there are on the way.
  var depth: Int { names.count }

  /// The first name on the way.
  var first: PackagePath { PackagePath(names.first.map { String(Substring($0)) } ?? text) }

  /// The way from a folder on; nil when the file is not below it.
  func from(_ folder: PackagePath) -> PackagePath? {
    let start = "\(folder.text)/"
    guard text.utf8.starts(with: start.utf8) else { return nil }
    return PackagePath(String(Substring(text.utf8.dropFirst(start.utf8.count))))
  }

  /// What file systems that do not tell capitals from small letters take for one name.
  var folded: String { text.lowercased() }

  // MARK: What may be one

  /// The longest name that file systems have.
  private static let longestName = 255

  /// Refuses what is no way to a file inside of a package.
  static func check(_ path: String) throws(Failure) {
    if let flaw = PackagePath(path).flaw { throw Failure(.package(.badName(path, flaw))) }
  }

  /// Why this leads to no file of a package; nil when it may.
  var flaw: String? {
    if text.isEmpty { return "it is empty" }
    if text.utf8.contains(0) { return "it has a NUL in it" }
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
