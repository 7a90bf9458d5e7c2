import ArgumentParser
import Ferry

/// The options for a list of input files, for more files than a command line holds.
struct FileListOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: ArgumentHelp(
      "Also read the names of input files from this file, one a line (-: standard input).", valueName: "file"),
    completion: .file())
  var path: String?

  @Flag(
    name: [.customLong("null"), .customShort("0")],
    help: "End each name in the --files-from file with a zero byte, as find -print0 does.")
  var endsWithZero = false

  func validate() throws {
    guard path != nil || !endsWithZero else { throw ValidationError("--null needs --files-from FILE") }
  }

  /// Returns the names of the inputs: the arguments, then the names in the list. Without both, the input is
  /// the standard input.
  func names(after arguments: [String]) throws -> [String] {
    guard let path else { return arguments.isEmpty ? ["-"] : arguments }
    let names = try NamedError.naming(path) { () throws(FerryError) in
      try self.names(in: FileInput(path: path).readAll())
    }
    guard path != "-" || !(arguments + names).contains("-") else {
      throw ValidationError("--files-from - reads the standard input, which cannot be an input as well")
    }
    return arguments + names
  }

  private func names(in list: [UInt8]) throws(FerryError) -> [String] {
    var names: [String] = []
    for bytes in list.split(separator: endsWithZero ? 0 : UInt8(ascii: "\n")) {
      guard let name = String(validating: bytes, as: UTF8.self) else {
        throw FerryError(.file(.nameNotUTF8(String(decoding: bytes, as: UTF8.self))))
      }
      names.append(name)
    }
    return names
  }
}
