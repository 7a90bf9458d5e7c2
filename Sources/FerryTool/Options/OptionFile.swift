import ArgumentParser

/// A file that a command reads because an option, a second argument or the file of an option names it, and not as an input.
struct OptionFile {
  /// The option that names the file, such as `--schema`; nil for other files.
  let option: String?
  let path: String
  /// The file in words, without its path.
  let words: String

  init(option: String, path: String) {
    (self.option, self.path, words) = (option, path, "the file of \(option)")
  }

  /// Creates another file, described by words such as `the patch`.
  init(_ words: String, path: String) { (option, self.path, self.words) = (nil, path, words) }

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
