import ArgumentParser

/// The option to check an edit without writing.
struct DryRunOptions: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .customLong("dry-run")], help: "Check that the edit works, and write nothing.")
  var isDryRun = false
}
