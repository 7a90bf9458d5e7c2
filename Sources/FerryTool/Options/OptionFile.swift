import Ferry

/// A file that a command reads because an option names it, and not as an input.
struct OptionFile {
  /// The option, such as `--schema`.
  let option: String
  let path: String
}

extension SchemaOptions {
  /// The file with the schema; nil for a built-in schema or none.
  var file: OptionFile? {
    guard let name, matches, !Schema.builtIn.contains(where: { $0.name.equals(name) }) else { return nil }
    return OptionFile(option: "--schema", path: name)
  }
}
