import ArgumentParser

/// The option for files in data.
struct ExpansionOptions: ParsableArguments {
  @Flag(
    name: .customLong("expand"),
    help: "Open the files in data: property lists, archives, typedstreams and JSON.")
  var expandsData = false
}
