import ArgumentParser
import Ferry

/// The option for additional document types, shared by all commands that name documents.
struct TypeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file that describes more document types.", valueName: "file"),
    completion: .file())
  var types: String?

  /// Returns the built-in types, with those of the file in `--types`. Reports an error and ends the run.
  func load() throws -> DocumentTypes {
    do throws(NamedError) {
      return try known()
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }

  /// Returns the built-in types, with those of the file in `--types`.
  func known() throws(NamedError) -> DocumentTypes {
    guard let types else { return .builtIn }
    return try NamedError.naming(types) { () throws(FerryError) in try DocumentTypes(file: types) }
  }

  /// Returns the file with the values of a document: for a package the file with its records, otherwise the
  /// document.
  func mainFile(of name: String) throws(NamedError) -> String {
    guard name != "-", Folder.isFolder(name) else { return name }
    let types = try known()
    return try NamedError.naming(name) { () throws(FerryError) in try types.mainFile(of: name) }
  }
}
