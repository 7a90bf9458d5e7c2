import ArgumentParser
import Ferry

/// The options for a value on the command line, in a file, or on the standard input, shared by `set` and
/// `insert`.
struct ValueOptions: ParsableArguments {
  @Argument(help: "The new value; - reads its text from the standard input.")
  var value: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The type of the value, if not that of the current one.", valueName: "type"))
  var type: ValueType?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp(
      "Read the value from this file: text, or the bytes of data; - is the standard input.",
      valueName: "file"),
    completion: .file())
  var file: String?

  /// Throws unless there is one value, and at most one use of the standard input.
  func validate(withInput name: String) throws {
    guard (value == nil) != (file == nil) || (value == nil && type == .null) else {
      throw ValidationError(
        "no value: give one after the path, or with --from-file (write -- before a value that begins with a dash)"
      )
    }
    guard name != "-" || (value != "-" && file != "-") else {
      throw ValidationError("the standard input cannot be both the file and the value")
    }
  }

  /// The given value.
  enum Given {
    case text(String)
    case contents([UInt8])
  }

  /// Reads the value.
  func read() throws -> Given {
    guard let name = file ?? (value == "-" ? "-" : nil) else { return .text(value ?? "") }
    do throws(NamedError) {
      return try NamedError.naming(name) { () throws(FerryError) in
        let bytes = try FileInput(path: name).readAll()
        return file == nil ? .text(try EditableFile.text(of: bytes)) : .contents(bytes)
      }
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }
}
