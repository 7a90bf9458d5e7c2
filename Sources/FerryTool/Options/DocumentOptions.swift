import ArgumentParser
import Ferry

/// The options for the content of a new document apart from its records.
struct DocumentOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the files that records name from this folder (default: the input's).", valueName: "folder"),
    completion: .directory)
  var attachments: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write a copy of this Core Data store, with the records as its objects.", valueName: "store"),
    completion: .file())
  var template: String?

  /// Reads the Core Data store to copy.
  func loadTemplate(_ budget: Budget) throws(NamedError) -> StoreTemplate? {
    guard let template else { return nil }
    return try NamedError.naming(template) { () throws(FerryError) in
      try StoreTemplate(path: template, budget: budget)
    }
  }
}
