import ArgumentParser

/// The option for the field that identifies records.
struct RecordKeyOptions: ParsableArguments {
  @Option(
    name: .customLong("key"),
    help: ArgumentHelp("The field that identifies a record (default: the schema's key).", valueName: "field"))
  var field: String?
}
