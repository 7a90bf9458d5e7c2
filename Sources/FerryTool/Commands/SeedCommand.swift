import ArgumentParser
import Ferry

/// `ferry seed`: makes an app's first document from bundled data.
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Create a document from data, if it does not exist yet.",
    discussion: """
      The data can have any format that Ferry reads. An existing document is not changed, unless --merge adds the records \
      whose keys it does not have. If the data does not fit its schema, or has a key twice, nothing is written. A package \
      gets the files that its records name from the folder of the data.

        ferry seed people.pplgrp --from folks.xml
        ferry seed 'Things I Own.mystuff' --from things.xml
        ferry seed items.archive --from items.json --merge --key itemKey
        ferry seed People.storedata --from groups.xml --template Empty.storedata
      """)

  @Argument(help: "The document to create.", completion: .file())
  var document: String

  @Option(
    name: .long,
    help: ArgumentHelp("The file or package with the data; - reads the standard input.", valueName: "file"),
    completion: .file())
  var from: String

  @Option(
    name: .customLong("from-format"),
    help: ArgumentHelp("The input format (default: detected from the content).", valueName: "format"))
  var sourceFormat: Format?

  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var schema: SchemaOptions

  @Flag(name: .customLong("merge"), help: "Add the records whose keys are missing from an existing document.")
  var addsMissing = false

  @OptionGroup var key: RecordKeyOptions
  @OptionGroup var classNames: ClassNameOptions
  @OptionGroup var content: DocumentOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var quiet: QuietOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try types.checkOnlyFile()
    guard document != "-" else {
      throw ValidationError("the document must be a file, not the standard output")
    }
    try OptionFile.checkOutput(document, of: "the document", mayBeZIP: format.written == nil)
    guard content.template == nil || !addsMissing else {
      throw ValidationError("--template and --merge cannot be used together")
    }
  }

  func run() throws {
    let (outcome, losses) = try run(try seed())
    guard !quiet.isQuiet else { return }
    let text = lines(of: outcome).map { $0.withoutInvisibles + "\n" }.joined()
    let errors = RunErrors()
    // The losses are reported even if the result cannot be printed, because the document exists.
    errors.collect { () throws(NamedError) in try NamedOutput.print(text) }
    StandardError.write(losses, of: from)
    try errors.finish()
  }

  /// Returns the seed that the options describe.
  private func seed() throws -> Seed {
    let documentTypes = try types.load()
    try RunOutputs.checkReadsNone(of: [from], among: documentTypes)
    try NamedError.naming(document) { () throws(FerryError) in
      try RunOutputs.check(document, isOutside: from)
    }
    var seed = Seed(from: from)
    (seed.schema, seed.matchesSchemas) = (try schema.load(), schema.matches)
    (seed.key, seed.addsMissing) = (key.field, addsMissing)
    (seed.sourceFormat, seed.sourceEncoding, seed.format) = (sourceFormat, encoding.name, format.format)
    seed.classNames = classNames.rules.names
    (seed.types, seed.attachments) = (documentTypes, content.attachments)
    seed.budget = limits.budget
    guard content.template == nil || seed.mayBeDatabase(at: document) else {
      throw ValidationError("--template needs the name of a Core Data store, the copy to create")
    }
    seed.template = try content.loadTemplate(limits.budget)
    return seed
  }

  private func run(_ seed: Seed) throws(NamedError) -> (outcome: Seed.Outcome, losses: Losses) {
    do throws(SeedError) {
      return try seed.seed(at: document)
    } catch {
      let (name, option) = error.isAboutData ? (from, "--from-format") : (document, "--to")
      throw NamedError(name: name, error: error.error, formatOption: option)
    }
  }

  private func lines(of outcome: Seed.Outcome) -> [String] {
    switch outcome {
    case .made(let count): ["\(document): created\(count.map { " with \(Self.records($0))" } ?? "")"]
    case .exists: ["\(document): already exists, not changed"]
    case .added(let keys) where keys.isEmpty: ["\(document): already has all records"]
    case .added(let keys):
      ["\(document): added \(Self.records(keys.count))"] + keys.map { "  \($0.words)" }
    }
  }

  private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}
