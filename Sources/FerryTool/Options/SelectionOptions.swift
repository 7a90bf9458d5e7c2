import ArgumentParser

/// The options for the part of an input that has the records.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read only what this selects: an XPath for XML, a path such as people[*] for JSON, property lists and databases.",
      valueName: "path"))
  var select: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The table, view or entity of a database.", valueName: "name"))
  var table: String?
}
