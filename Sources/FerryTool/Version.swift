import Ferry

/// The version of the command, and what its build supports.
enum Version {
  /// The number of the version.
  static let number = "0.1.0"

  /// The number with the build: `0.1.0 (release build for Linux x86_64, with SQLite, YAML, xz, zstd)`.
  static var text: String {
    let parts = parts
    return
      "\(number) (\(kind) build for \(system), \(parts.isEmpty ? "without optional parts" : "with \(parts)"))"
  }

  /// The optional parts of the library that are in the build.
  private static var parts: String {
    let parts = [
      (Format.sqlite.canRead, "SQLite"), (Format.yaml.canRead, "YAML"), (Compression.xz.isSupported, "xz"),
      (Compression.zstd.isSupported, "zstd"),
    ]
    return parts.filter(\.0).map(\.1).joined(separator: ", ")
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
