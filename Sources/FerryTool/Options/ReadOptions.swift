import ArgumentParser
import Ferry

/// The options for the part of an input that is read, and for the form of its values.
struct ReadOptions: ParsableArguments {
  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; typed: everything, to convert back exactly; raw: an archive as it is stored.",
      valueName: "form"))
  var representation: Representation = .plain

  @OptionGroup var selection: SelectionOptions

  var select: String? { selection.select }
  var table: String? { selection.table }
}
