import ArgumentParser
import Ferry

/// `ferry seed`: makes an app's first document from bundled data.
struct MakeSeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Make a document of bundled data, only if it is not there yet.",
    discussion: """
      The data is XML, JSON, a property list or any other format that Ferry reads. A document that exists stays as it is; \
      with --merge it gets the records whose key it does not have yet. Data that breaks its schema, or has a key twice, \
      makes nothing. A package gets the files that its records name from the folder of the data.

        ferry seed people.pplgrp --from folks.xml
        ferry seed 'Things I Own.mystuff' --from things.xml
        ferry seed items.archive --from items.json --merge --key itemKey
        ferry seed People.storedata --from groups.xml --template Empty.storedata
      """)

  @Argument(help: "The document.", completion: .file())
  var document: String

  @Option(
    name: .long, help: ArgumentHelp("The file of the data; - is the standard input.", valueName: "file"),
    completion: .file())
  var from: String

  @Option(
    name: .customLong("from-format"),
    help: ArgumentHelp("The data's format, when its content does not tell.", valueName: "format"))
  var sourceFormat: Format?

  @Option(
    name: .long,
    help: ArgumentHelp("The document's format, when its extension does not tell.", valueName: "format"))
  var to: Format?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How records look: a built-in schema (person, whatsit, item) or a file.", valueName: "schema"))
  var schema: String?

  @Flag(name: .long, help: "Add the records whose key the document does not have yet.")
  var merge = false

  @Option(
    name: .long,
    help: ArgumentHelp("The field that tells records apart, unless the schema says it.", valueName: "field"))
  var key: String?

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Give a class another name, as an app's module needs it.", valueName: "old=new"))
  var classNames: [ClassName] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder of the files that records of a package name, unless it is the data's.", valueName: "folder"),
    completion: .directory)
  var attachments: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Make a copy of this Core Data store, an app's own, with the data as its objects.", valueName: "store"),
    completion: .file())
  var template: String?

  @OptionGroup var documents: TypeOptions

  @Flag(name: .shortAndLong, help: "Say nothing of what was done, and what was lost.")
  var quiet = false

  @OptionGroup(title: "Limits for input that is not trusted")
  var budget: BudgetOptions

  func validate() throws {
    if let to, !to.canWrite { throw ValidationError("Ferry reads \(to.rawValue) but does not write it.") }
    guard document != "-" else { throw ValidationError("A document is a file.") }
    guard template == nil || !merge else {
      throw ValidationError("--template and --merge exclude each other.")
    }
  }

  func run() throws {
    var seed = Seed(from: from)
    seed.schema = try InputOptions.loadSchema(schema)
    (seed.key, seed.addsMissing) = (key, merge)
    (seed.sourceFormat, seed.format) = (sourceFormat, to)
    for name in classNames { seed.classNames[name.old] = name.new }
    (seed.types, seed.attachments) = (try documents.load(), attachments)
    seed.budget = budget.budget
    if let template { seed.template = try loadTemplate(template) }
    let losses = LossReport()
    do throws(SeedFailure) {
      say(try seed.seed(at: document, losses: losses))
      if !quiet { StandardError.write(losses.all, of: from) }
    } catch {
      let name = error.isAboutData ? from : document
      StandardError.write(NamedFailure(name: name, failure: error.failure).line)
      throw ExitCode.failure
    }
  }

  private func loadTemplate(_ path: String) throws -> StoreTemplate {
    do throws(Failure) {
      return try StoreTemplate(path: path, budget: budget.budget)
    } catch {
      StandardError.write(NamedFailure(name: path, failure: error).line)
      throw ExitCode.failure
    }
  }

  private func say(_ outcome: Seed.Outcome) {
    guard !quiet else { return }
    switch outcome {
    case .made(let count):
      print("\(document): made\(count.map { " with \(Self.records($0))" } ?? "")".withoutControls)
    case .exists: print("\(document): already there, and left as it is".withoutControls)
    case .added(let keys) where keys.isEmpty: print("\(document): has all records already".withoutControls)
    case .added(let keys):
      print("\(document): added \(Self.records(keys.count))".withoutControls)
      for key in keys { print("  \(key.words)".withoutControls) }
    }
  }

  private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}
