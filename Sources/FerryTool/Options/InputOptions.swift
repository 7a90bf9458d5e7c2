import ArgumentParser
import Ferry

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
