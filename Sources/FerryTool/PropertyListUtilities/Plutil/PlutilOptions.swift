import Ferry

/// The options and files that follow a verb and its own arguments.
struct PlutilOptions {
  private(set) var files: [String] = []
  /// The name after `-o`.
  private(set) var output: String?
  /// The extension after `-e`.
  private(set) var fileExtension: String?
  /// True for `-r`: pretty-printed JSON.
  private(set) var isReadable = false
  /// True for `-s`: nothing is printed about success.
  private(set) var isSilent = false
  /// False for `-n`: no line feed after a raw value.
  private(set) var endsLine = true

  init(_ arguments: some Sequence<String>) throws(PlutilError) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "-n": endsLine = false
      case "-s": isSilent = true
      case "-r": isReadable = true
      case "-o":
        guard let name = rest.next() else { throw PlutilError("Missing argument for -o.") }
        output = name
      case "-e":
        guard let name = rest.next() else { throw PlutilError("Missing argument for -e.") }
        fileExtension = name
      case "--":
        while let name = rest.next() { files.append(name) }
      case "-": files.append(argument)
      default:
        guard !argument.hasPrefix("-") else { throw PlutilError("unrecognized option: \(argument)") }
        files.append(argument)
      }
    }
    guard !files.isEmpty else { throw PlutilError("No files specified.") }
  }

  /// Throws for `-o` and `-e`, which a verb does not use.
  func checkNamesNoOutput(_ verb: String) throws(PlutilError) {
    if output != nil { throw PlutilError("-o is not used with \(verb).") }
    if fileExtension != nil { throw PlutilError("-e is not used with \(verb).") }
  }
}
