import ArgumentParser
import Ferry

/// The option for the schema of records.
struct SchemaOptions: ParsableArguments {
  @Option(
    name: .customLong("schema"),
    help: ArgumentHelp(
      "The schema of the records: person, whatsit, item, a file, or none.", valueName: "schema"),
    completion: .file())
  var name: String?

  /// True if a built-in schema, or that of the document's type, may apply: `--schema none` turns them off.
  var matches: Bool { name != "none" }

  /// The file with the schema; nil for a built-in schema or none.
  var file: OptionFile? {
    guard let name, matches, !Schema.builtIn.contains(where: { $0.name.equals(name) }) else { return nil }
    return OptionFile(option: "--schema", path: name)
  }

  /// Returns the schema in the option. An unknown name is a mistake in the command.
  func load() throws -> Schema? {
    guard let name, matches else { return nil }
    if let file { try RunOutputs.checkReadsNone(of: [file.path]) }
    do throws(FerryError) {
      return try Schema(named: name)
    } catch {
      if case .record(.unknownSchema) = error.reason { throw ValidationError("\(error.advised).") }
      throw NamedError(name: name, error: error)
    }
  }
}
