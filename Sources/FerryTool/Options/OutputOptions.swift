import ArgumentParser
import Ferry

/// The options for the form and the destination of an output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: .customLong("out-dir"),
    help: ArgumentHelp("Write a file for each input to this folder.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Flag(
    name: [.customShort("i"), .customLong("in-place")], help: "Replace each input file with its conversion.")
  var inPlace = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The output format, or a document type such as people-group.", valueName: "format"))
  var to: TargetName?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the files of a package to this folder; records then name them.", valueName: "folder"),
    completion: .directory)
  var extract: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the files that records name from this folder (default: the input's).",
      valueName: "folder"),
    completion: .directory)
  var attachments: String?

  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; typed: everything, to convert back exactly; raw: an archive as it is stored.",
      valueName: "form"))
  var representation: Representation = .plain

  @OptionGroup var shared: SharedObjectOptions

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Rename a class, as in Person=MyApp.Person.", valueName: "old=new"),
    transform: ClassName.init(parsing:))
  var classNames: [ClassName] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The name of the root element of XML without a schema.", valueName: "name"))
  var root: String?

  @Flag(
    name: .customLong("older-keys"),
    help: "Write the older keys of a schema (alsoWrite) to all formats, not only to archives.")
  var writesOlderKeys = false

  @Flag(name: .long, help: "Pretty-print JSON.")
  var pretty = false

  @Flag(name: .customLong("sort-keys"), help: "Sort the keys of dictionaries.")
  var sortKeys = false

  @Flag(name: .long, help: "Fail if the output format cannot hold everything.")
  var strict = false

  @Flag(name: .long, help: "Overwrite existing files.")
  var force = false

  @Flag(name: .long, help: "Add the records to the existing database of -o.")
  var append = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write a copy of this Core Data store, with the records as its objects.",
      valueName: "store"))
  var template: String?

  @Flag(name: .shortAndLong, help: "Don't report data that the output format cannot hold.")
  var quiet = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      Write errors, the number of losses of each kind, and each input's first 10,000 losses with their paths to this file \
      as JSON (-: standard output).
      """,
      valueName: "file"),
    completion: .file())
  var report: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Convert this many inputs at the same time.", valueName: "n"))
  var jobs: Int?
}
