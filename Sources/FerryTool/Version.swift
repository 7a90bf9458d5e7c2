import Ferry

/// The version of the command, and what its build supports.
enum Version {
  /// The number of the version.
  static let number = "0.1.0"

  /// The number with the build: `0.1.0 (release build for Linux x86_64, with SQLite, YAML, xz, zstd)`.
  static var text: String {
    "\(number) (\(kind) build for \(system), \(parts.isEmpty ? "without optional parts" : parts))"
  }

  /// The optional parts of the library that are in the build: `with SQLite, xz`.
  ///
  /// Written part by part: `joined(separator:)` makes the Swift runtime look through all conformances of the
  /// tool, which takes most of the time of `ferry --version`.
  private static var parts: String {
    var text = ""
    func add(_ part: String, _ isIncluded: Bool) {
      if isIncluded { text += (text.isEmpty ? "with " : ", ") + part }
    }
    add("SQLite", Format.sqlite.canRead)
    add("YAML", Format.yaml.canRead)
    add("xz", Compression.xz.isSupported)
    add("zstd", Compression.zstd.isSupported)
    return text
  }

  #if DEBUG
    private static let kind = "debug"
  #else
    private static let kind = "release"
  #endif

  private static var system: String { "\(operatingSystem) \(processor)" }

  #if os(macOS)
    private static let operatingSystem = "macOS"
  #else
    private static let operatingSystem = "Linux"
  #endif

  #if arch(x86_64)
    private static let processor = "x86_64"
  #elseif arch(arm64)
    private static let processor = "arm64"
  #else
    private static let processor = "(another processor)"
  #endif
}
