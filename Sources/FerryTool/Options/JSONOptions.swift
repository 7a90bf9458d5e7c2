import ArgumentParser

/// The option for the layout of JSON and XML.
struct JSONOptions: ParsableArguments {
  @Flag(name: [.customLong("pretty"), .customShort("p")], help: "Pretty-print JSON and XML.")
  var isPretty = false
}
