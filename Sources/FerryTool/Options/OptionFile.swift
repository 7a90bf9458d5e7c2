/// A file that a command reads because an option names it, and not as an input.
struct OptionFile {
  /// The option, such as `--schema`.
  let option: String
  let path: String
}
