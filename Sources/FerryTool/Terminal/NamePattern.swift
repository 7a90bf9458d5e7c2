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
struct NamePattern {
  /// The pattern for each name in a path, or one pattern for a name alone.
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: "/", omittingEmptySubsequences: false) }

  /// Returns true if the name of a file fits, or for a pattern with a slash its path below the folder.
  func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/")
    guard parts.count > 1 else { return names.last.map { Self.fits($0, parts[0]) } ?? false }
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

  private static func fits(_ name: Substring, _ pattern: Substring) -> Bool {
    unsafe fnmatch(String(pattern), String(name), 0) == 0
  }
}
