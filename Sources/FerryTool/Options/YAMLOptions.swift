import ArgumentParser
import Ferry

/// The option for changes of values that anchors share with aliases.
struct AliasOptions: ParsableArguments {
  @Flag(
    name: .customLong("with-aliases"),
    help: "Change a value of YAML that an anchor shares with aliases and merge keys, at all of them.")
  var changesAliases = false
}

/// The option for the documents of YAML.
struct YAMLOptions: ParsableArguments {
  @Flag(
    name: .customLong("documents"),
    help:
      "Write each element of a list as a separate YAML document. Several documents stay documents without it."
  )
  var hasDocuments = false

  /// Throws if the option has no effect on the output.
  func check(_ target: Format) throws(ValidationError) {
    guard !hasDocuments || target.layoutOptions.contains(.documents) else {
      throw ValidationError("--documents needs --to yaml")
    }
  }
}
