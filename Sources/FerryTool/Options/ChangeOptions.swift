import ArgumentParser
import Ferry

/// A value with its destination: the arguments that `set` and `insert` share.
struct ChangeOptions: ParsableArguments {
  @Argument(
    help: "The file; - reads the standard input and writes the standard output.",
    completion: .file())
  var file: String

  @Argument(
    help: """
      The path of the value: people[0].name. To insert: items[2], before the third; items[], after the last. "ferry help \
      paths" explains paths, also in tables, YAML and ZIP archives.
      """)
  var path: PathArgument

  @Argument(help: "The new value; - reads its text from the standard input, unless it is after --.")
  var value: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The type of the value (default: that of the current value).", valueName: "type"))
  var type: TextType?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp(
      "Read the value from this file: text without its last line feed, or the bytes of data; - is the standard input.",
      valueName: "file"),
    completion: .file())
  var valueFile: String?

  /// Throws unless there is one value, and at most one use of the standard input.
  func validate() throws {
    _ = try path.path()
    guard value == nil || valueFile == nil else {
      throw ValidationError("two values: give one, after the path or with --from-file")
    }
    guard (value == nil) != (valueFile == nil) || (value == nil && type == .null) else {
      throw ValidationError(
        "no value: give one after the path, or with --from-file (write -- before a value that begins with a dash)"
      )
    }
    guard file != "-" || (!isValueFromInput && valueFile != "-") else {
      throw ValidationError("the standard input cannot be both the file and the value")
    }
  }

  /// True if the value is the text of the standard input. The value is the last argument that is not an option.
  private var isValueFromInput: Bool { value == "-" && !ProcessArguments.current.endAfterTerminator }

  /// The file of the value, if there is one.
  var files: [OptionFile] {
    OptionFile.given([("--from-file", valueFile)])
      + (isValueFromInput ? [OptionFile("the new value", path: "-")] : [])
  }

  /// The given value.
  enum Given {
    case text(String)
    case contents([UInt8])
  }

  /// Reads the value.
  func given() throws(NamedError) -> Given {
    guard let name = valueFile ?? (isValueFromInput ? "-" : nil) else { return .text(value ?? "") }
    try RunOutputs.checkReadsNone(of: [name])
    return try NamedError.naming(name) { () throws(FerryError) in
      let bytes = try FileInput(path: name).readAll()
      return valueFile == nil ? .text(try EditableFile.text(of: bytes)) : .contents(bytes)
    }
  }
}
