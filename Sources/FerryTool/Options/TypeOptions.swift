import ArgumentParser
import Ferry

/// The option for additional document types.
struct TypeOptions: ParsableArguments {
  @Option(
    name: .customLong("types"),
    help: ArgumentHelp("A file that describes more document types.", valueName: "file"),
    completion: .file())
  var file: String?

  /// Returns the built-in types, with those of the file in the option.
  func load() throws(NamedError) -> DocumentTypes {
    guard let file else { return .builtIn }
    return try NamedError.naming(file) { () throws(FerryError) in try DocumentTypes(file: file) }
  }

  /// Returns the file with the values of a document: for a package the file with its records, otherwise the
  /// document.
  func mainFile(of name: String) throws(NamedError) -> String {
    guard name != "-", Folder.isFolder(name) else { return name }
    let types = try load()
    return try NamedError.naming(name) { () throws(FerryError) in try types.mainFile(of: name) }
  }
}
