import ArgumentParser

/// A file that a command reads because an option or a second argument names it, and not as an input.
struct OptionFile {
  /// The option, such as `--schema`; nil for an argument.
  let option: String?
  let path: String
  /// The file in words, without its path.
  let words: String

  /// Creates a file that an option names, described by words other than `the file of --schema` if some are given.
  init(option: String, path: String, words: String? = nil) {
    (self.option, self.path, self.words) = (option, path, words ?? "the file of \(option)")
  }

  /// Creates the file of an argument, described by words such as `the patch`.
  init(argument words: String, path: String) { (option, self.path, self.words) = (nil, path, words) }

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
