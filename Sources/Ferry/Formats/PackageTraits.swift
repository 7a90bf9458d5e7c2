/// The package traits that the library is built with.
enum PackageTraits {
  #if SQLite
    /// True if databases are read and written.
    static let hasSQLite = true
  #else
    /// True if databases are read and written.
    static let hasSQLite = false
  #endif
}
