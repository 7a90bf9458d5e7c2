import ArgumentParser
import Ferry

/// `ferry schema show`: prints a schema.
struct SchemaShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a schema, also as JSON Schema or XML Schema.",
    usage: "ferry schema show [<options>] <schema>",
    discussion: """
      Prints a built-in schema, or the schema in a file of any format, as JSON. --as json-schema and --as xsd print \
      what those languages can say, for validators and editors, and report the rest.

        ferry schema show person
        ferry schema show person --as xsd -o person.xsd
      """)

  @Argument(
    help: "The schema: \(Schema.builtIn.map(\.name).joined(separator: ", ")), or a file.", completion: .file()
  )
  var schema: String

  @Option(name: .customLong("as"), help: ArgumentHelp("ferry, json-schema or xsd.", valueName: "notation"))
  var notation: SchemaNotation = .ferry

  @OptionGroup var output: OutputOptions
  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var quiet: QuietOptions

  func validate() throws { try notation.check(output) }

  func run() throws {
    let options = try SchemaOptions.parse(["--schema", schema])
    guard let schema = try options.load() else { throw ValidationError("none is not a schema to show") }
    let text: [UInt8]
    var notes: [String] = []
    switch notation {
    case .ferry: text = try schema.value.text(forFileNamed: output.file)
    case .jsonSchema:
      let export = JSONSchemaExport(schema)
      (text, notes) = (try export.value.text(forFileNamed: output.file), export.notes)
    case .xsd:
      let export = XMLSchemaExport(schema)
      (text, notes) = (Array(export.text.utf8), export.notes)
    }
    try NamedOutput.put(contents: text, at: output.file ?? "-", replacing: overwriting.force)
    if !quiet.isQuiet { StandardError.write(notes, of: schema.name) }
  }
}

/// A language for schemas.
enum SchemaNotation: String, ArgumentWord {
  case ferry
  case jsonSchema = "json-schema"
  case xsd

  /// Throws if the extension of the output is that of another notation, or of a format that cannot hold a schema. An unknown one is allowed.
  func check(_ output: OutputOptions) throws {
    guard let name = output.file else { return }
    try output.checkKind(mayBeZIP: true)
    let format = Format.ofFile(named: name)
    let isXSD = Compression.nameInside(name).lowercased().hasSuffix(".xsd")
    if self == .xsd {
      guard let format, !format.isOfElements else { return }
      throw ValidationError("-o \(name): XML Schema is not written as \(format.rawValue) (use .xsd)")
    }
    guard !isXSD else {
      throw ValidationError("-o \(name): this schema is not an XML Schema (use ferry schema show --as xsd)")
    }
    guard let format, !format.holdsSchemas else { return }
    let extensions = Format.extensionsOfSchemas.map { ".\($0)" }.joined(separator: ", ")
    throw ValidationError("-o \(name): a schema is not written as \(format.rawValue) (use \(extensions))")
  }
}
