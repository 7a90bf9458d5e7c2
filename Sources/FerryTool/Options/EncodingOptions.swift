import ArgumentParser

/// The option for the encoding of a text that does not show it.
struct EncodingOptions: ParsableArguments {
  @Option(
    name: .customLong("encoding"),
    help: ArgumentHelp(
      "The encoding of a text that does not show it, such as windows-1252 (default: UTF-8).",
      valueName: "name"))
  var name: String?
}
