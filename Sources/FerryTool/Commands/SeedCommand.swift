import ArgumentParser
import Ferry

/// `ferry seed`: makes an app's first document from bundled data.
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Create a document from data, if it does not exist yet.",
    discussion: """
      The data can have any format that Ferry reads. An existing document stays as it is; --merge adds the records whose key \
      it does not have. If the data does not fit its schema, or has a key twice, nothing is written. A package gets the \
      files that its records name from the folder of the data.

        ferry seed people.pplgrp --from folks.xml
        ferry seed 'Things I Own.mystuff' --from things.xml
        ferry seed items.archive --from items.json --merge --key itemKey
        ferry seed People.storedata --from groups.xml --template Empty.storedata
      """)

  @Argument(help: "The document to create.", completion: .file())
  var document: String

  @Option(
    name: .long, help: ArgumentHelp("The file with the data; - reads the standard input.", valueName: "file"),
    completion: .file())
  var from: String

  @Option(
    name: .customLong("from-format"),
    help: ArgumentHelp("The input format, if the content does not tell.", valueName: "format"))
  var sourceFormat: Format?

  @Option(
    name: .long,
    help: ArgumentHelp("The output format, if the extension does not tell.", valueName: "format"))
  var to: WrittenFormat?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The schema of the records: person, whatsit, item, or a file.", valueName: "schema"))
  var schema: String?

  @Flag(name: .long, help: "Add the records whose key an existing document does not have.")
  var merge = false

  @Option(
    name: .long,
    help: ArgumentHelp("The field that identifies a record, if the schema does not say.", valueName: "field"))
  var key: String?

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Rename a class, as in Person=MyApp.Person.", valueName: "old=new"),
    transform: ClassName.init(parsing:))
  var classNames: [ClassName] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Read the files that records name from this folder (default: the data's).", valueName: "folder"),
    completion: .directory)
  var attachments: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write a copy of this Core Data store, with the records as its objects.", valueName: "store"),
    completion: .file())
  var template: String?

  @OptionGroup var documents: TypeOptions

  @Flag(name: .shortAndLong, help: "Don't report what was done, or data that could not be kept.")
  var quiet = false

  @OptionGroup(title: "Limits for untrusted input")
  var budget: BudgetOptions

  func validate() throws {
    if let format = to?.format, !format.canWrite {
      throw ValidationError("writing \(format.rawValue) is not supported")
    }
    guard document != "-" else {
      throw ValidationError("the document must be a file, not the standard output")
    }
    guard template == nil || !merge else {
      throw ValidationError("--template and --merge cannot be used together")
    }
    try classNames.checkDistinct()
  }

  func run() throws {
    var seed = Seed(from: from)
    seed.schema = try InputOptions.loadSchema(schema)
    (seed.key, seed.addsMissing) = (key, merge)
    (seed.sourceFormat, seed.format) = (sourceFormat, to?.format)
    seed.classNames = classNames.names
    (seed.types, seed.attachments) = (try documents.load(), attachments)
    seed.budget = budget.budget
    if let template { seed.template = try loadTemplate(template) }
    let losses = LossReport()
    let outcome: Seed.Outcome
    do throws(SeedError) {
      outcome = try seed.seed(at: document, losses: losses)
    } catch {
      let name = error.isAboutData ? from : document
      StandardError.write(NamedError(name: name, failure: error.failure).line)
      throw ExitCode.failure
    }
    try say(outcome)
    if !quiet { StandardError.write(losses.all, of: from) }
  }

  private func loadTemplate(_ path: String) throws -> StoreTemplate {
    do throws(FerryError) {
      return try StoreTemplate(path: path, budget: budget.budget)
    } catch {
      StandardError.write(NamedError(name: path, failure: error).line)
      throw ExitCode.failure
    }
  }

  /// Prints the result. A failure to print is an error, although the document exists.
  private func say(_ outcome: Seed.Outcome) throws {
    guard !quiet else { return }
    let text = lines(of: outcome).map { $0.withoutControls + "\n" }.joined()
    do throws(NamedError) {
      try NamedOutput.put(Array(text.utf8), at: "-", replacing: true)
    } catch {
      guard error.failure.reason != .file(.brokenPipe) else { return }
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }

  private func lines(of outcome: Seed.Outcome) -> [String] {
    switch outcome {
    case .made(let count): ["\(document): made\(count.map { " with \(Self.records($0))" } ?? "")"]
    case .exists: ["\(document): already there, and left as it is"]
    case .added(let keys) where keys.isEmpty: ["\(document): has all records already"]
    case .added(let keys):
      ["\(document): added \(Self.records(keys.count))"] + keys.map { "  \($0.words)" }
    }
  }

  private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}
