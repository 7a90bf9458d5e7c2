/// The capabilities of file systems for renaming, some of which may be missing. Without them, other calls are
/// used that guarantee less.
struct RenamingMeans: OptionSet {
  let rawValue: Int

  /// A file can have several names (`link`).
  static let links = RenamingMeans(rawValue: 1)
  /// Two files or folders can exchange their names in one step.
  static let exchange = RenamingMeans(rawValue: 2)
  /// A renaming can refuse an existing name in one step.
  static let refusal = RenamingMeans(rawValue: 4)
  /// All capabilities, each of which the system may still refuse.
  static let all: RenamingMeans = [.links, .exchange, .refusal]
}
