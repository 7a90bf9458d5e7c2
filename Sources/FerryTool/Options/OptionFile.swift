import ArgumentParser
import Ferry

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

  /// Throws if the output that an option names, or an argument such as `the document`, has an empty name, or that of a file in a compression
  /// or an archive that Ferry does not write: the output would be a plain file.
  ///
  /// - Parameter mayBeZIP: True if the output is a ZIP archive like the input, or if its name determines its format, so that the command refuses
  ///   a ZIP archive itself.
  static func checkOutput(
    _ name: String?, of option: String, mayBeZIP: Bool = false
  ) throws(ValidationError) {
    try checkName(name, of: option)
    guard let name else { return }
    if let found = extensionOfArchive(name), !mayBeZIP || found != Self.zip {
      throw ValidationError(
        "\(option) \(name): the extension \"\(found)\" is for an archive, which is not supported (write a file, then pack it)"
      )
    }
    guard let found = extensionOfOtherCompression(name) else { return }
    let known = Compression.allCases.filter(\.isSupported).map { ".\($0.extensions[0])" }
    throw ValidationError(
      "\(option) \(name): the extension \"\(found)\" is for a compression that is not supported (try: \(known.joined(separator: ", ")))"
    )
  }

  /// Returns the extension of a file's name if it is that of a compression that Ferry does not write, or nil.
  private static func extensionOfOtherCompression(_ name: String) -> String? {
    // The programs "compress" and "uncompress" know only the capital letter.
    if name.hasSuffix(".Z") { return ".Z" }
    let lowercase = name.lowercased()
    return [".bz2", ".bz", ".lz4", ".lzma", ".lz", ".br"].first(where: lowercase.hasSuffix)
  }

  private static let zip = ".zip"

  /// Returns the extension of a file's name, without that of a compression around it, if it is that of an archive; otherwise nil.
  private static func extensionOfArchive(_ name: String) -> String? {
    let lowercase = Compression.nameInside(name).lowercased()
    return [zip, ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".tlz", ".7z", ".rar"]
      .first(where: lowercase.hasSuffix)
  }

  /// Returns the files that some options name, without those that are not given.
  static func given(_ files: [(option: String, path: String?)]) -> [OptionFile] {
    files.compactMap { option, path in path.map { OptionFile(option: option, path: $0) } }
  }
}
