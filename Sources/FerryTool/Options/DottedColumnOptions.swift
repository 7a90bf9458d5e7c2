import ArgumentParser

/// The option for columns of the entries of nested dictionaries.
struct DottedColumnOptions: ParsableArguments {
  @Flag(
    name: .customLong("dotted"),
    help:
      "Use columns such as address.city for the entries of nested dictionaries, in the input and the output.")
  var nestsDottedColumns = false
}
