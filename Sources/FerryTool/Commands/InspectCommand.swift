import ArgumentParser
import Ferry

/// `ferry inspect`: describes the contents of files.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Report the structure of files: format, objects, classes, keys, nested files, warnings.",
    usage: "ferry inspect [<options>] [<files or folders> ...]",
    discussion: """
      Inspects the files in a folder and its subfolders, and counts those of other kinds ("ferry help check"). Inspects the file with \
      the records of a package such as Things.mystuff. After several files, prints a summary. --json prints one object for \
      a file, and one object a line for several files. --expand also inspects XML in data.

        ferry inspect people.pplgrp
        ferry inspect --summary .
        ferry inspect people.pplgrp --json
      """)

  @Argument(
    help: "The files and folders to inspect (default: -, the standard input).",
    completion: .file())
  var files: [FileNames] = []

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Flag(name: .long, help: "Print only the summary of all files.")
  var summary = false

  @Flag(name: .long, help: "With --json, add the references between the objects of an archive.")
  var graph = false

  @OptionGroup var list: FileListOptions
  @OptionGroup var patterns: PatternOptions
  @OptionGroup var habit: RecursionHabit
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var expansion: ExpansionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup var color: ColorOptions
  @OptionGroup var errorOutput: ErrorOptions
  @OptionGroup var layout: LayoutOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws {
    try types.checkOnlyFile()
    guard !graph || json else { throw ValidationError("--graph needs --json") }
    guard layout.style() == .compact || json else {
      throw ValidationError("--pretty, --indent, --tab and --ascii need --json")
    }
  }

  func run() throws {
    let types = try types.load()
    let report = InspectionReport(self, types)
    let names = try list.names(after: files.names, types, report.errors)
    let inputs = FoundInput.all(named: names, patterns.choice, types, report.errors, isQuiet: false)
    var reading = ReadingOptions()
    (reading.format, reading.encoding, reading.budget) = (input.format, encoding.name, limits.budget)
    report.reading = FittedReading(reading, of: inputs)
    // An empty folder has a summary, too.
    report.hasMany = inputs.count != 1 || inputs[0].isInFolder
    report.errors.collect { () throws(NamedError) in
      try report.showListingErrors()
      try ProgressLine.showing(of: inputs.map(\.path)) { progress throws(NamedError) in
        for input in inputs {
          try report.add(input, progress)
          progress?.finishFile()
        }
      }
      try report.summarize()
      if let links = report.errors.skippedLinks { StandardError.write(links) }
    }
    try report.errors.finish()
  }
}
