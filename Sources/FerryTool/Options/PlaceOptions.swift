import ArgumentParser
import Ferry

extension ValueType: ExpressibleByArgument {}

/// The forms of an archive through which paths can lead.
enum PathForm: String, CaseIterable, ExpressibleByArgument {
  case plain, raw

  var form: Form {
    switch self {
    case .plain: .plain
    case .raw: .raw
    }
  }
}

/// A path argument.
struct PathArgument: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }

  /// Parses the path. An invalid path is a mistake in the command.
  func path() throws -> ValuePath {
    do throws(Failure) { return try ValuePath(parsing: text) } catch { throw ValidationError("\(error)") }
  }
}

/// A value with its destination: the arguments that `set` and `insert` share.
struct ChangeOptions: ParsableArguments {
  /// The operation with the value.
  enum Change {
    case set, insert
  }

  @Argument(
    help: "The file; - is the standard input, and the result goes to the standard output.",
    completion: .file())
  var file: String

  @Argument(
    help:
      "The way to the value. For a new one: items[2] before the third, items[] behind the last, a new key.")
  var path: PathArgument

  @OptionGroup var value: ValueOptions
  @OptionGroup var edit: EditOptions

  func validate() throws {
    _ = try path.path()
    try value.validate(withInput: file)
  }

  func perform(_ change: Change) throws {
    let (path, given, type) = (try path.path(), try value.read(), value.type)
    try edit.edit(file) { file throws(Failure) in
      switch (change, given) {
      case (.set, .text(let text)): try file.set(text: text, as: type, at: path)
      case (.set, .contents(let bytes)): try file.set(contents: bytes, as: type, at: path)
      case (.insert, .text(let text)): try file.insert(text: text, as: type, at: path)
      case (.insert, .contents(let bytes)): try file.insert(contents: bytes, as: type, at: path)
      }
    }
  }
}

/// The options for opening a file whose values are named by paths, shared by `get`, `set`, `insert` and
/// `remove`.
struct PlaceOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("The file's format, when its content does not tell.", valueName: "format")
  )
  var from: Format?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "plain: an archive by what it means; raw: as it is stored.", valueName: "form"))
  var form: PathForm = .plain

  @Flag(name: .long, help: "Take a reference to an object that is not there for null, and keep it.")
  var lenient = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of classes, for archived objects that Ferry does not know by itself.", valueName: "file"),
    completion: .file())
  var classes: String?

  @OptionGroup(title: "Limits for input that is not trusted")
  var budget: BudgetOptions

  @OptionGroup var documents: TypeOptions

  /// Opens the file; for a package the file with its records.
  func open(_ name: String) throws(NamedFailure) -> EditableFile {
    let path = try documents.mainFile(of: name)
    var options = EditableFile.Options()
    (options.format, options.form, options.isLenient) = (from, form.form, lenient)
    options.budget = budget.budget
    if let classes {
      options.catalogue = .standard.adding(
        try NamedFailure.naming(classes) { () throws(Failure) in try Catalogue(classesInFile: classes) })
    }
    return try NamedFailure.naming(name) { () throws(Failure) in
      try EditableFile(path: path, options: options)
    }
  }

  /// Reports references to missing objects.
  static func warn(of file: EditableFile, named name: String) {
    for failure in file.danglingReferences {
      StandardError.write(NamedFailure(name: name, failure: failure).line + " (taken for null)")
    }
  }
}

/// The options for the destination of an edited file, shared by `set`, `insert` and `remove`.
struct EditOptions: ParsableArguments {
  @OptionGroup var place: PlaceOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file (- is the standard output) instead of in place.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Replace the file of -o.")
  var force = false

  @Flag(name: .customLong("dry-run"), help: "Do everything but write.")
  var isDryRun = false

  /// Opens a file, changes it and writes it as a whole, or not at all.
  func edit(_ name: String, _ change: (EditableFile) throws(Failure) -> Void) throws {
    do throws(NamedFailure) {
      let file = try place.open(name)
      try NamedFailure.naming(name) { () throws(Failure) in try change(file) }
      let bytes = try NamedFailure.naming(name) { () throws(Failure) in try file.bytes() }
      PlaceOptions.warn(of: file, named: name)
      guard !isDryRun else { return }
      let main = try place.documents.mainFile(of: name)
      let target = output ?? main
      try NamedOutput.put(bytes, at: target, replacing: force || output == nil || output == name)
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }
}

/// The options for a value on the command line, in a file, or on the standard input, shared by `set` and
/// `insert`.
struct ValueOptions: ParsableArguments {
  @Argument(help: "The value; - reads it from the standard input.")
  var value: String?

  @Option(
    name: .long,
    help: ArgumentHelp("What the value is, whatever stands there now.", valueName: "type"))
  var type: ValueType?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp("Take the value from this file: text, or the bytes of data.", valueName: "file"),
    completion: .file())
  var file: String?

  /// Throws unless there is one value, and at most one use of the standard input.
  func validate(withInput name: String) throws {
    guard (value == nil) != (file == nil) || (value == nil && type == .null) else {
      throw ValidationError(
        "A value is needed: behind the path, or by --from-file. One that begins with a dash stands behind --."
      )
    }
    guard name != "-" || (value != "-" && file != "-") else {
      throw ValidationError("The standard input can be the file or the value, not both.")
    }
  }

  /// The given value.
  enum Given {
    case text(String)
    case contents([UInt8])
  }

  /// Reads the value.
  func read() throws -> Given {
    let name = file ?? (value == "-" ? "-" : nil)
    guard let name else { return .text(value ?? "") }
    do throws(NamedFailure) {
      return .contents(
        try NamedFailure.naming(name) { () throws(Failure) in try FileInput(path: name).readAll() })
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }
}
