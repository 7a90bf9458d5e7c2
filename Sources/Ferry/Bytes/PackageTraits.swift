/// The package traits of this build.
enum PackageTraits {
  #if SQLite
    /// True if this build supports databases.
    static let hasSQLite = true
  #else
    /// True if this build supports databases.
    static let hasSQLite = false
  #endif

  #if XZ
    /// True if this build supports the compression of xz.
    static let hasXZ = true
  #else
    /// True if this build supports the compression of xz.
    static let hasXZ = false
  #endif

  #if YAML
    /// True if this build reads YAML.
    static let hasYAML = true
  #else
    /// True if this build reads YAML.
    static let hasYAML = false
  #endif

  #if Zstd
    /// True if this build supports the compression of zstd.
    static let hasZstd = true
  #else
    /// True if this build supports the compression of zstd.
    static let hasZstd = false
  #endif
}
