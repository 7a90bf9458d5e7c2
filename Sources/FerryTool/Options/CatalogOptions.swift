import ArgumentParser
import Ferry

/// The option for additional classes of archived objects.
struct CatalogOptions: ParsableArguments {
  @Option(
    name: .customLong("classes"),
    help: ArgumentHelp("A file that describes more classes of archived objects.", valueName: "file"),
    completion: .file())
  var file: String?

  /// Returns the standard class catalog, with the classes of the file in the option.
  func load() throws(NamedError) -> ClassCatalog {
    guard let file else { return .standard }
    try RunOutputs.checkReadsNone(of: [file])
    return try NamedError.naming(file) { () throws(FerryError) in
      ClassCatalog.standard.adding(try ClassCatalog(classesInFile: file))
    }
  }
}
