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

  @Option(
    name: .customLong("ns"), parsing: .singleValue,
    help: ArgumentHelp(
      "The namespace of a prefix in the XPath of --select, such as a=http://www.w3.org/2005/Atom.",
      valueName: "prefix=uri"),
    transform: NamespaceBinding.init(parsing:))
  var bindings: [NamespaceBinding] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The table, view or entity of a database.", valueName: "name"))
  var table: String?

  func validate() throws {
    guard bindings.isEmpty || select != nil else { throw ValidationError("--ns needs --select XPATH") }
    let prefixes = prefixes
    for binding in bindings {
      guard let namespace = prefixes[binding.prefix], !namespace.equals(binding.namespace) else { continue }
      throw RepeatedOption.problem("--ns \(binding.prefix)", namespace, binding.namespace)
    }
  }

  /// The namespaces of prefixes.
  var prefixes: [String: String] {
    Dictionary(bindings.map { ($0.prefix, $0.namespace) }) { first, _ in first }
  }
}
