import ArgumentParser

/// A file that a command reads because an option names it, and not as an input.
struct OptionFile {
  /// The option, such as `--schema`.
  let option: String
  let path: String

  /// The file in words, without its path.
  var words: String { "the file of \(option)" }

  /// Throws if an option has an empty name, as with an unset variable of a shell.
  static func checkName(_ name: String?, of option: String, _ kind: String = "file") throws(ValidationError) {
    guard name?.isEmpty != true else {
      throw ValidationError("\(option) is empty: give the name of a \(kind)")
    }
  }

  /// Returns the files that some options name, without those that are not given.
  static func given(_ files: [(option: String, path: String?)]) -> [OptionFile] {
    files.compactMap { option, path in path.map { OptionFile(option: option, path: $0) } }
  }
}
