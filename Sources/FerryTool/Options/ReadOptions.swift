import ArgumentParser
import Ferry

/// The options for the part of an input that is read, and for the form of its values.
struct ReadOptions: ParsableArguments {
  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; typed: everything, to convert back exactly; raw: an archive as it is stored.",
      valueName: "form"))
  var representation: Representation = .plain

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read only what this selects: an XPath for XML, a path such as people[*] for JSON, property lists and databases.",
      valueName: "path"))
  var select: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The table, view or entity to read from a database, or the table to write to.", valueName: "name"))
  var table: String?
}
