/// A file that a command reads because an option names it, and not as an input.
struct OptionFile {
  /// The option, such as `--schema`.
  let option: String
  let path: String

  /// The file in words, without its path.
  var words: String { "the file of \(option)" }

  /// Returns the files that some options name, without those that are not given.
  static func given(_ files: [(option: String, path: String?)]) -> [OptionFile] {
    files.compactMap { option, path in path.map { OptionFile(option: option, path: $0) } }
  }
}
