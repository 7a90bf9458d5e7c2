import ArgumentParser

/// The option to overwrite existing files.
struct OverwriteOptions: ParsableArguments {
  @Flag(name: .long, help: "Overwrite existing files.")
  var force = false
}
