import ArgumentParser
import Ferry

/// The option for the file to write, for commands that otherwise write to the standard output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this file instead of the standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  /// Throws if the output would replace a file that the command reads, or change a package: an extract is not a new version of
  /// its input.
  func checkReplacesNone(of inputs: [String]) throws(FerryError) {
    guard let file, file != "-" else { return }
    for input in inputs where input != "-" {
      if Folder.isSame(input, file) { throw FerryError(.file(.outputIsInput(file))) }
      if Folder.contains(input, file) { throw FerryError(.package(.outputInside(input))) }
    }
  }
}
