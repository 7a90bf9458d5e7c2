import ArgumentParser
import Ferry

extension Format: ExpressibleByArgument {
  /// Creates the format with a name or alias.
  public init?(argument: String) { self.init(name: argument) }

  /// The names in help and completion.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension Form: ExpressibleByArgument {}

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
    help: ArgumentHelp("The input's format, when its content does not tell.", valueName: "format"))
  var from: Format?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How records look: a built-in schema (person, whatsit, item), none, or a file.", valueName: "schema"),
    completion: .file())
  var schema: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of classes, for archived objects that Ferry does not know by itself.", valueName: "file"),
    completion: .file())
  var classes: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The elements of an XML document that are the records.", valueName: "xpath"))
  var select: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The table, view or entity of a database that is read; the table of one that is written.",
      valueName: "name"))
  var table: String?

  @Flag(
    name: .long, help: "Open data that holds a property list, an archive, a typedstream or JSON in its place."
  )
  var expand = false

  @Flag(name: .customLong("keep-going"), help: "Leave out records that break their schema, and go on.")
  var keepsGoing = false

  @Flag(
    name: .customLong("allow-newer"),
    help: "Read records of a newer version than the schema knows, as of the newest that it knows.")
  var allowsNewer = false

  @OptionGroup(title: "Limits for input that is not trusted")
  var budget: BudgetOptions

  /// The argument of `--schema` that turns off all schemas, including matching ones.
  static let noSchema = "none"

  /// Returns the schema in `--schema`. An unknown name is a mistake in the command; an invalid schema file is
  /// reported and ends the run.
  func loadSchema() throws -> Schema? { try Self.loadSchema(schema) }

  /// Returns the schema with a name, or in a file.
  static func loadSchema(_ schema: String?) throws -> Schema? {
    guard let schema, schema != noSchema else { return nil }
    do throws(Failure) {
      return try Schema(named: schema)
    } catch {
      if case .record(.unknownSchema) = error.reason { throw ValidationError("\(error).") }
      StandardError.write(NamedFailure(name: schema, failure: error).line)
      throw ExitCode.failure
    }
  }
}

extension InputOptions {
  /// Returns the standard class catalog, with the classes of the file in `--classes`.
  func loadCatalogue() throws -> Catalogue {
    guard let classes else { return .standard }
    do throws(Failure) {
      return Catalogue.standard.adding(try Catalogue(classesInFile: classes))
    } catch {
      StandardError.write(NamedFailure(name: classes, failure: error).line)
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
  @Option(name: .customLong("max-depth"), help: .limit("Levels of nesting.", "n"))
  var depth: Int = Budget().depth

  @Option(name: .customLong("max-token"), help: .limit("Bytes of one string or data value.", "bytes"))
  var tokenBytes: Int = Budget().tokenBytes

  @Option(name: .customLong("max-attributes"), help: .limit("Attributes of one XML element.", "n"))
  var attributes: Int = Budget().attributes

  @Option(name: .customLong("max-names"), help: .limit("Different names in one XML document.", "n"))
  var names: Int = Budget().names

  @Option(
    name: .customLong("max-nesting"), help: .limit("Documents opened inside the data of each other.", "n"))
  var nesting: Int = Budget().nesting

  @Option(
    name: .customLong("max-amplification"),
    help: .limit("How many times its size an input may expand to.", "factor"))
  var amplification: Int = Budget().amplification

  @Option(name: .customLong("max-files"), help: .limit("Files of one package.", "n"))
  var files: Int = Budget().files

  /// The limits as a budget.
  var budget: Budget {
    var budget = Budget()
    budget.depth = depth
    budget.tokenBytes = tokenBytes
    budget.attributes = attributes
    budget.names = names
    budget.nesting = nesting
    budget.amplification = amplification
    budget.files = files
    return budget
  }

  func validate() throws {
    guard [depth, tokenBytes, attributes, names, amplification, files].allSatisfy({ $0 > 0 }) else {
      throw ValidationError("A limit has to be a number above 0.")
    }
  }
}

/// The options for the form and the destination of an output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file; its extension may tell the format.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: .customLong("out-dir"),
    help: ArgumentHelp("Write a file for each input into this folder.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Flag(name: [.customShort("i"), .customLong("in-place")], help: "Replace each input by its conversion.")
  var inPlace = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The output's format, or a type of document: people-group, things.", valueName: "format"))
  var to: TargetName?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the files of a package into this folder; records only name them.", valueName: "folder"),
    completion: .directory)
  var extract: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Take the files that records name, and do not hold, from this folder; otherwise from the input's.",
      valueName: "folder"),
    completion: .directory)
  var attachments: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "plain: what a person would write; typed: everything, so that it comes back; raw: an archive as it is stored.",
      valueName: "form"))
  var form: Form = .plain

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Give a class another name, as an app's module needs it.", valueName: "old=new"))
  var classNames: [ClassName] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The root element of XML without a schema.", valueName: "name"))
  var root: String?

  @Flag(
    name: .customLong("older-keys"),
    help: "Write the older keys of a schema (alsoWrite) in every format, not only in archives.")
  var writesOlderKeys = false

  @Flag(name: .long, help: "Lay JSON out over lines.")
  var pretty = false

  @Flag(name: .customLong("sort-keys"), help: "Sort the keys of all dictionaries, as Apple's tools do.")
  var sortKeys = false

  @Flag(name: .long, help: "Refuse what the output's format cannot hold exactly.")
  var strict = false

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  @Flag(name: .long, help: "Add the records to the database of -o, which keeps all it has.")
  var append = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write a copy of this Core Data store, an app's own, with the records as its objects.",
      valueName: "store"))
  var template: String?

  @Flag(name: .shortAndLong, help: "Say nothing of what is lost.")
  var quiet = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write every loss and failure with its path to this file (- is the standard output), as JSON.",
      valueName: "file"),
    completion: .file())
  var report: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("How many inputs are converted at once.", valueName: "n"))
  var jobs: Int?
}
