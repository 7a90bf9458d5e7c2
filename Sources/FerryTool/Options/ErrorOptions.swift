import ArgumentParser

/// The option to show the line of an error. `Terminal.explainsErrors` reads it, because an error can end a run before a
/// command has its options.
struct ErrorOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Show the line, or the bytes, of an error's location (default: on a terminal).")
  var explain: Bool?
}
