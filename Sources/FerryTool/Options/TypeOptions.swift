import ArgumentParser
import Ferry
import Synchronization

/// The option for additional document types, and for the notation of types in XML.
struct TypeOptions: ParsableArguments {
  @Option(
    name: .customLong("types"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file that describes more document types, also several times; or attributes: the types of values in XML without a schema as xsi:type and xsi:nil (only convert, show, check, find, diff and get).",
      valueName: "file"),
    completion: .file())
  var values: [String] = []

  private let loaded = LoadedTypes()

  // `loaded` is not an option.
  private enum CodingKeys: CodingKey { case values }

  /// The types of the files in the option, or the error of reading them; nil before they are read. They are read once, because a pipe, such as
  /// the standard input, can be read only once.
  private final class LoadedTypes: Sendable {
    let result = Mutex<Result<DocumentTypes, NamedError>?>(nil)
  }

  /// The notation of types in XML. The name `attributes` is never a file; write `./attributes` for a file.
  var notation: XMLTypeNotation {
    values.contains(XMLTypeNotation.attributes.rawValue) ? .attributes : .none
  }

  /// The files with document types.
  private var files: [String] { values.filter { $0 != XMLTypeNotation.attributes.rawValue } }

  /// The files with document types, with the name of the option, and the schema files that they name.
  var optionFiles: [OptionFile] {
    // `load` throws the error of an invalid file.
    let schemaFiles = (try? load())?.schemaFiles ?? []
    return files.map { OptionFile(option: "--types", path: $0) }
      + schemaFiles.map { OptionFile("a schema of --types", path: $0) }
  }

  /// Throws if the notation of types is given to a command that does not use it.
  func checkOnlyFile() throws(ValidationError) {
    guard notation == .none else {
      throw ValidationError(
        "--types attributes is for convert, show, check, find, diff and get (a file of this name is ./attributes)"
      )
    }
  }

  /// Returns the built-in types, with those of the files in the option.
  func load() throws(NamedError) -> DocumentTypes {
    guard !files.isEmpty else { return .builtIn }
    let result = loaded.result.withLock { found in
      let result = found ?? Result { () throws(NamedError) in try read() }
      found = result
      return result
    }
    return try result.get()
  }

  /// Reads the files in the option.
  private func read() throws(NamedError) -> DocumentTypes {
    try RunOutputs.checkReadsNone(of: files)
    let types: DocumentTypes
    var schemaFiles: [String] = []
    do throws(FerryError) { types = try DocumentTypes(files: files) { schemaFiles += $0 } } catch {
      // The shell has emptied a schema to which the standard output is redirected.
      try RunOutputs.checkReadsNone(of: schemaFiles)
      throw NamedError(name: error.file ?? files[0], error: error)
    }
    try RunOutputs.checkReadsNone(of: types.schemaFiles)
    return types
  }

  /// Returns the file with the values of a document: for a package the file with its records, otherwise the
  /// document.
  func mainFile(of name: String) throws(NamedError) -> String {
    guard name != "-", Folder.isFolder(name) else { return name }
    let types = try load()
    return try NamedError.naming(name) { () throws(FerryError) in try types.mainFile(of: name) }
  }
}
