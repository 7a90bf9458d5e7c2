import ArgumentParser
import Ferry

extension Format: ExpressibleByArgument {
  /// Creates the format with a name or alias.
  public init?(argument: String) { self.init(name: argument) }

  /// The names in help and completion.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension Representation: ExpressibleByArgument {}
extension SharedObjectStyle: ExpressibleByArgument {}

/// The option for objects with several references, shared by all commands that print values.
struct SharedObjectOptions: ParsableArguments {
  @Option(
    name: .customLong("shared"),
    help: ArgumentHelp(
      "reference: show an object that others refer to once, and refer to it; in-full: show it each time.",
      valueName: "style"))
  var style: SharedObjectStyle = .reference
}

/// `--class Person=MyApp.Person`
struct ClassName: ExpressibleByArgument {
  let old: String
  let new: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    (old, new) = (String(parts[0]), String(parts[1]))
  }
}

/// The options for reading an input, shared by all commands that read one.
struct InputOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format"))
  var from: Format?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The schema of the records: person, whatsit, item, a file, or none.", valueName: "schema"),
    completion: .file())
  var schema: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file that describes more classes of archived objects.", valueName: "file"),
    completion: .file())
  var classes: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Read only the XML elements that this XPath selects, as records.", valueName: "xpath"))
  var select: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The table, view or entity to read from a database, or the table to write to.",
      valueName: "name"))
  var table: String?

  @Flag(
    name: .long, help: "Decode data that holds a property list, an archive, a typedstream or JSON.")
  var expand = false

  @Flag(name: .customLong("keep-going"), help: "Skip records that do not fit their schema, and continue.")
  var keepsGoing = false

  @Flag(
    name: .customLong("allow-newer"),
    help: "Read records of a newer version than the schema describes.")
  var allowsNewer = false

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  /// The argument of `--schema` that turns off all schemas, including matching ones.
  static let noSchema = "none"

  /// Returns the schema in `--schema`. An unknown name is a mistake in the command; an invalid schema file is
  /// reported and ends the run.
  func loadSchema() throws -> Schema? { try Self.loadSchema(schema) }

  /// Returns the schema with a name, or in a file.
  static func loadSchema(_ schema: String?) throws -> Schema? {
    guard let schema, schema != noSchema else { return nil }
    do throws(FerryError) {
      return try Schema(named: schema)
    } catch {
      if case .record(.unknownSchema) = error.reason { throw ValidationError("\(error).") }
      StandardError.write(NamedError(name: schema, failure: error).line)
      throw ExitCode.failure
    }
  }
}

extension InputOptions {
  /// Returns the standard class catalog, with the classes of the file in `--classes`.
  func loadCatalog() throws -> ClassCatalog {
    guard let classes else { return .standard }
    do throws(FerryError) {
      return ClassCatalog.standard.adding(try ClassCatalog(classesInFile: classes))
    } catch {
      StandardError.write(NamedError(name: classes, failure: error).line)
      throw ExitCode.failure
    }
  }
}

extension ArgumentHelp {
  /// Returns help that only `--help-hidden` shows. Few runs need another limit, and the error names the
  /// option that raises it.
  fileprivate static func limit(_ abstract: String, _ valueName: String) -> ArgumentHelp {
    ArgumentHelp("\(abstract)", valueName: valueName, visibility: .hidden)
  }
}

/// The limits of the budget, with an option for each.
struct BudgetOptions: ParsableArguments {
  @Option(name: .customLong("max-depth"), help: .limit("The most levels of nesting.", "n"))
  var depth: Int?

  @Option(name: .customLong("max-token"), help: .limit("The most bytes of a string or data value.", "bytes"))
  var tokenBytes: Int = Budget().tokenBytes

  @Option(name: .customLong("max-attributes"), help: .limit("The most attributes of an XML element.", "n"))
  var attributes: Int = Budget().attributes

  @Option(name: .customLong("max-names"), help: .limit("The most different names in an XML document.", "n"))
  var names: Int = Budget().names

  @Option(
    name: .customLong("max-nesting"), help: .limit("The most documents inside each other's data.", "n"))
  var nesting: Int = Budget().nesting

  @Option(
    name: .customLong("max-amplification"),
    help: .limit("The most that an input may expand, as a multiple of its size.", "factor"))
  var amplification: Int = Budget().amplification

  @Option(name: .customLong("max-files"), help: .limit("The most files of a package.", "n"))
  var files: Int = Budget().files

  /// The limits as a budget.
  var budget: Budget {
    var budget = Budget()
    if let depth { budget.depth = depth }
    budget.tokenBytes = tokenBytes
    budget.attributes = attributes
    budget.names = names
    budget.nesting = nesting
    budget.amplification = amplification
    budget.files = files
    return budget
  }

  func validate() throws {
    guard [depth ?? 1, tokenBytes, attributes, names, amplification, files].allSatisfy({ $0 > 0 }) else {
      throw ValidationError("a limit must be greater than 0")
    }
  }
}

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
    help: ArgumentHelp("Rename a class, as in Person=MyApp.Person.", valueName: "old=new"))
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
      "Write every loss and error, with its path, to this file as JSON (-: standard output).",
      valueName: "file"),
    completion: .file())
  var report: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Convert this many inputs at the same time.", valueName: "n"))
  var jobs: Int?
}
