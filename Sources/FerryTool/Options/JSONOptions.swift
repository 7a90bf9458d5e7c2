import ArgumentParser

/// The option for the layout of JSON.
struct JSONOptions: ParsableArguments {
  @Flag(name: .customLong("pretty"), help: "Pretty-print JSON.")
  var isPretty = false
}
