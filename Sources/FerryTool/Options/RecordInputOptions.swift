import ArgumentParser
import Ferry

/// The options for files whose records are read to infer or check their schema.
struct RecordInputOptions: ParsableArguments {
  @OptionGroup var list: FileListOptions
  @OptionGroup var input: InputOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var types: TypeOptions
  @OptionGroup(title: XMLOptions.title) var entities: XMLEntityOptions
  @OptionGroup(title: CSVOptions.title) var csv: CSVOptions
  @OptionGroup(title: CSVOptions.title) var dotted: DottedColumnOptions
  @OptionGroup(title: BudgetOptions.title) var limits: BudgetOptions

  func validate() throws { try types.checkOnlyFile() }

  /// Returns the options for reading inputs, each of which gets those that its format can have.
  func load(for inputs: [FoundInput]) throws -> FittedReading {
    var options = ReadingOptions()
    options.format = input.format
    (options.select, options.table) = (selection.select, selection.table)
    (options.xml.entities, options.xml.prefixes) = (try entities.load(), selection.prefixes)
    (options.encoding, options.csv) = (encoding.name, csv.reading)
    options.csv.nestsDottedColumns = dotted.nestsDottedColumns
    // A schema has the types of the columns.
    options.csv.infersTypes = false
    options.budget = limits.budget
    return FittedReading(options, of: inputs)
  }
}
