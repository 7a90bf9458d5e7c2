import ArgumentParser
import Ferry

/// The options for opening a file whose values are named by paths, shared by `get`, `set`, `insert` and
/// `remove`.
struct PathOptions: ParsableArguments {
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
