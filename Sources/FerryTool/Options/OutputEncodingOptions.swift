import ArgumentParser

/// The option for the encoding of a text output.
struct OutputEncodingOptions: ParsableArguments {
  @Option(
    name: .customLong("to-encoding"),
    help: ArgumentHelp(
      "The encoding of a text output, such as utf-16, utf-8-bom or windows-1252 (default: UTF-8).",
      valueName: "name"))
  var name: String?
}
