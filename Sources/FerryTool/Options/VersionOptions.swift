import ArgumentParser

/// The option for records of a newer version than their schema.
struct VersionOptions: ParsableArguments {
  @Flag(
    name: .customLong("allow-newer"),
    help: "Read records of a newer version than the schema describes.")
  var allowsNewer = false
}
