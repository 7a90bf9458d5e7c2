import Ferry

/// The arguments that git appends to a command of its configuration: names of files, which may look like options.
enum GitArguments {
  /// Returns arguments with `--` before those of git if the configuration has no `--`: a file may be called `-x.json` or `--help`.
  static func separated(_ arguments: [String]) -> [String] {
    guard let count = count(in: arguments) else { return arguments }
    let start = arguments.count - count
    guard !arguments[..<start].contains("--") else { return arguments }
    return arguments[..<start] + ["--"] + arguments[start...]
  }

  /// Returns the number of arguments that git has appended; nil if it has appended none that look like options.
  private static func count(in arguments: [String]) -> Int? {
    switch arguments.first {
    case "diff":
      guard let option = arguments.firstIndex(of: "--git") else { return nil }
      let appended = arguments[(option + 1)...]
      return [7, 9].first { isDifference(appended.suffix($0), count: $0) }
        ?? (isFileLikeOption(appended.last) ? 1 : nil)
    case "show":
      guard let option = arguments.firstIndex(of: "--textconv") else { return nil }
      return isFileLikeOption(arguments[(option + 1)...].last) ? 1 : nil
    default: return nil
    }
  }

  /// Returns true for the arguments of an external diff: the path, and each version as a file, a hash and a mode. The new path and
  /// the lines about it follow if the file is renamed.
  private static func isDifference(_ appended: ArraySlice<String>, count: Int) -> Bool {
    guard appended.count == count else { return false }
    let arguments = Array(appended)
    return [2, 5].allSatisfy { isHash(arguments[$0]) && isMode(arguments[$0 + 1]) }
  }

  private static func isHash(_ text: String) -> Bool {
    text == "."
      || text.utf8.count >= 40 && text.utf8.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
  }

  private static func isMode(_ text: String) -> Bool {
    text == "."
      || text.utf8.count == 6 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
  }

  private static func isFileLikeOption(_ argument: String?) -> Bool {
    guard let argument, argument.hasPrefix("-"), argument != "-" else { return false }
    return ProcessArguments.current.bytes(of: argument) != nil || Folder.hasSomething(at: argument)
  }
}
