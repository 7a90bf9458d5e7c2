#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pattern for the names of files as in a shell: `*`, `?` and `[a-z]`. A pattern with a slash is for paths.
///
///     NamePattern("*.plist").matches("old/a.plist")        // true
///     NamePattern("old/*.plist").matches("old/a.plist")    // true
struct NamePattern {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Returns true if the name of a file fits, or for a pattern with a slash its path below the folder.
  func matches(_ path: String) -> Bool {
    let subject = text.contains("/") ? path : path.split(separator: "/").last.map(String.init) ?? path
    return unsafe fnmatch(text, subject, 0) == 0
  }
}
