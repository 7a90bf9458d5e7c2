import ArgumentParser
import Ferry

/// The options for the part of an input that has the records.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read only what this selects: an XPath for XML, a path such as people[*] for JSON, property lists and databases.",
      valueName: "path"))
  var select: String?

  @OptionGroup var namespaces: NamespaceOptions

  @Option(
    name: .long,
    help: ArgumentHelp("The table, view or entity of a database.", valueName: "name"))
  var table: String?

  func validate() throws {
    guard namespaces.bindings.isEmpty || select != nil else {
      throw ValidationError("--ns needs --select XPATH")
    }
  }

  /// The namespaces of prefixes.
  var prefixes: [String: String] { namespaces.prefixes }
}
