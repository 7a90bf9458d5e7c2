import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pattern for the names of files: `*`, `?` and `[a-z]`, as in `grep --include`. They also match the period of a hidden file. A
/// pattern with a slash is for paths: there, they match no slash, and `**` matches any number of folders.
///
///     NamePattern("*.plist").matches("old/a.plist")         // true
///     NamePattern("old/*.plist").matches("old/a.plist")     // true
///     NamePattern("*/a.plist").matches("old/b/a.plist")     // false
///     NamePattern("**/a.plist").matches("old/b/a.plist")    // true
///
/// A slash at the end, which shells complete, is ignored. `./a`, `/a` and `FOLDER/a` are the path `a` in the folder.
struct NamePattern {
  /// The pattern for each name in a path, or one pattern for a name alone.
  private let parts: [Substring]
  /// True for a pattern for paths, false for one for names.
  private let isPath: Bool

  /// Creates a pattern for the files in a folder.
  ///
  /// - Parameter folder: The folder as the user named it.
  init(_ text: String, in folder: String = ".") {
    let (path, isInFolder) = Self.path(text, in: folder)
    parts = String(path).namesInPath
    isPath = isInFolder || parts.count > 1
  }

  /// Returns a pattern without the folder at its beginning, and true if it had one.
  private static func path(_ text: String, in folder: String) -> (Substring, Bool) {
    func withoutDot(_ path: Substring) -> Substring {
      path.hasPrefix("./") ? withoutDot(path.dropFirst(2).drop { $0 == "/" }) : path
    }
    let (path, folder) = (withoutDot(text[...]), withoutDot(folder[...]))
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    if folder != ".", !folder.isEmpty, path.hasPrefix(base) { return (path.dropFirst(base.count), true) }
    return (path, path.hasPrefix("/") || text.hasPrefix("./"))
  }

  /// Returns true if the name of a file fits, or for a pattern with a slash its path below the folder.
  func matches(_ path: String) -> Bool {
    let names = path.namesInPath
    guard !parts.isEmpty else { return false }
    guard isPath else { return names.last.map { Self.fits($0, parts[0]) } ?? false }
    // The numbers of first names that the parts so far match.
    var matched: Set<Int> = [0]
    for part in parts {
      if part == "**", let first = matched.min() {
        matched = Set(first...names.count)
      } else {
        matched = Set(matched.filter { $0 < names.count && Self.fits(names[$0], part) }.map { $0 + 1 })
      }
    }
    return matched.contains(names.count)
  }

  /// Returns true if the pattern may match a path inside a folder, given by its path.
  func mayMatch(inside folder: String) -> Bool {
    guard isPath else { return true }
    let names = folder.namesInPath
    for (part, name) in zip(parts, names) {
      if part == "**" { return true }
      guard Self.fits(name, part) else { return false }
    }
    return names.count < parts.count
  }

  private static func fits(_ name: Substring, _ pattern: Substring) -> Bool {
    unsafe fnmatch(String(pattern), String(name), 0) == 0
  }
}
