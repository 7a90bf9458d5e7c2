import ArgumentParser
import Ferry

extension ValueType: ExpressibleByArgument {}

/// The forms of an archive through which paths can lead.
enum PathRepresentation: String, CaseIterable, ExpressibleByArgument {
  case plain, raw

  var representation: Representation {
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
    do throws(FerryError) { return try ValuePath(parsing: text) } catch { throw ValidationError("\(error)") }
  }
}

/// A value with its destination: the arguments that `set` and `insert` share.
struct ChangeOptions: ParsableArguments {
  /// The operation with the value.
  enum Change {
    case set, insert
  }

  @Argument(
    help: "The file; - reads the standard input and writes the standard output.",
    completion: .file())
  var file: String

  @Argument(
    help:
      "The path of the value: people[0].name. To insert: items[2], before the third; items[], after the last."
  )
  var path: PathArgument

  @OptionGroup var value: ValueOptions

  func validate() throws {
    _ = try path.path()
    try value.validate(withInput: file)
  }

  func perform(_ change: Change, at place: PlaceOptions, _ edit: EditOptions) throws {
    let (path, given, type) = (try path.path(), try value.read(), value.type)
    try edit.edit(file, at: place) { file throws(FerryError) in
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
    name: .long, help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format")
  )
  var from: Format?

  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; raw: an archive as it is stored.", valueName: "form"))
  var representation: PathRepresentation = .plain

  @Flag(name: .long, help: "Read references to missing objects as null, and keep them.")
  var lenient = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file that describes more classes of archived objects.", valueName: "file"),
    completion: .file())
  var classes: String?

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  @OptionGroup var documents: TypeOptions

  /// Opens the file; for a package the file with its records.
  func open(
    _ name: String, shared: SharedObjectStyle = .reference
  ) throws(NamedError) -> EditableFile {
    let path = try documents.mainFile(of: name)
    var options = EditableFile.Options()
    (options.format, options.representation, options.isLenient) = (
      from, representation.representation, lenient
    )
    options.shared = shared
    options.budget = budget.budget
    if let classes {
      options.catalog = .standard.adding(
        try NamedError.naming(classes) { () throws(FerryError) in try ClassCatalog(classesInFile: classes) })
    }
    return try NamedError.naming(name) { () throws(FerryError) in
      try EditableFile(path: path, options: options)
    }
  }

  /// Reports references to missing objects, and objects that a class file does not fit.
  static func warn(of file: EditableFile, named name: String) {
    for failure in file.danglingReferences {
      StandardError.write(NamedError(name: name, failure: failure).line + " (read as null)")
    }
    StandardError.write(notes: file.notes, of: name)
  }
}

/// The options for the destination of an edited file, shared by `set`, `insert` and `remove`.
///
/// A group of options inside another takes a debug build several times as long to parse, so the commands have
/// `PlaceOptions` beside these.
struct EditOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file (-: standard output) instead of changing the input.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .long, help: "Overwrite existing files, and write documents that are no longer of their type.")
  var force = false

  @Flag(name: .customLong("dry-run"), help: "Check that the edit works, and write nothing.")
  var isDryRun = false

  /// Opens a file, changes it and writes it as a whole, or not at all.
  func edit(
    _ name: String, at place: PlaceOptions, _ change: (EditableFile) throws(FerryError) -> Void
  ) throws {
    do throws(NamedError) {
      let main = try place.documents.mainFile(of: name)
      let target = output ?? main
      let isReplacing = force || output == nil || output == name
      let isInPlace = isReplacing && !isDryRun && main != "-" && Folder.isSame(main, target)
      // The edit begins before the file is read.
      let types = try place.documents.known()
      let edit =
        isInPlace
        ? try NamedError.naming(name) { () throws(FerryError) in try InPlaceEdit(of: target, among: types) }
        : nil
      let file = try place.open(name)
      try NamedError.naming(name) { () throws(FerryError) in try change(file) }
      let bytes = try NamedError.naming(name) { () throws(FerryError) in try file.bytes() }
      if !force {
        try NamedError.naming(name) { () throws(FerryError) in
          try types.checkEdit(to: bytes, at: target, of: (main, file.originalBytes))
        }
      }
      PlaceOptions.warn(of: file, named: name)
      guard !isDryRun else { return }
      try NamedOutput.put(bytes, at: target, replacing: isReplacing, in: edit)
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
  @Argument(help: "The new value; - reads it from the standard input.")
  var value: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The type of the value, if not that of the current one.", valueName: "type"))
  var type: ValueType?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp("Read the value from this file: text, or the bytes of data.", valueName: "file"),
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
    let name = file ?? (value == "-" ? "-" : nil)
    guard let name else { return .text(value ?? "") }
    do throws(NamedError) {
      return .contents(
        try NamedError.naming(name) { () throws(FerryError) in try FileInput(path: name).readAll() })
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }
}
