import ArgumentParser

/// The option to check an edit without writing.
struct DryRunOptions: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: "Check that the edit works, and write nothing.")
  var isDryRun = false
}
