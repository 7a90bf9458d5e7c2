import ArgumentParser

/// The option for columns of the entries of nested dictionaries.
struct DottedColumnOptions: ParsableArguments {
  @Flag(
    name: .customLong("dotted"),
    help: "Treat columns such as address.city as the entries of nested dictionaries.")
  var nestsDottedColumns = false
}
