import ArgumentParser
import Ferry

/// The options that change a dictionary to a list of its entries, and back.
struct EntryOptions: ParsableArguments {
  @Flag(
    name: .customLong("to-entries"),
    help: "Write each entry of a dictionary as a record with its key and its value, such as a row of a table."
  )
  var makesRecords = false

  @Flag(
    name: .customLong("from-entries"),
    help: "Write a list of records, each with a key and a value, as a dictionary.")
  var makesDictionary = false

  @Option(
    name: .customLong("entry-names"),
    help: ArgumentHelp(
      "The names of the key and the value in these records, separated by a comma (default: key,value).",
      valueName: "names"),
    transform: ColumnNames.init(parsing:))
  var names: ColumnNames?

  func validate() throws {
    guard !makesRecords || !makesDictionary else {
      throw ValidationError("--to-entries and --from-entries cannot be used together")
    }
    guard let names = names?.names else { return }
    guard option != nil else {
      throw ValidationError("--entry-names needs --to-entries or --from-entries, whose records it names")
    }
    guard names.count == 2 else {
      throw ValidationError("--entry-names takes the names of the key and the value, as in key,value")
    }
  }

  /// The option for the change, or nil if there is none.
  var option: String? { makesRecords ? "--to-entries" : makesDictionary ? "--from-entries" : nil }

  /// The change of entries, or nil.
  var change: EntryChange? {
    let names = names?.names ?? ["key", "value"]
    guard names.count == 2 else { return nil }
    return makesRecords
      ? .toRecords(key: names[0], value: names[1])
      : makesDictionary ? .fromRecords(key: names[0], value: names[1]) : nil
  }
}
