/// The capabilities of a file system for renaming. If one is missing, other system calls are used that
/// guarantee less.
struct RenamingMeans: OptionSet {
  let rawValue: Int

  /// Hard links (`link`).
  static let links = RenamingMeans(rawValue: 1)
  /// Exchanging the names of two files or folders atomically.
  static let exchange = RenamingMeans(rawValue: 2)
  /// Renaming that fails atomically if the new name exists.
  static let refusal = RenamingMeans(rawValue: 4)
  /// All capabilities. The system may still lack some of them.
  static let all: RenamingMeans = [.links, .exchange, .refusal]
}
