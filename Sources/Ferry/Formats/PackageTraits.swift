/// The package traits of this build.
enum PackageTraits {
  #if SQLite
    /// True if this build supports databases.
    static let hasSQLite = true
  #else
    /// True if this build supports databases.
    static let hasSQLite = false
  #endif

  #if YAML
    /// True if this build reads YAML.
    static let hasYAML = true
  #else
    /// True if this build reads YAML.
    static let hasYAML = false
  #endif
}
