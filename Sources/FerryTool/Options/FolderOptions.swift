import ArgumentParser

/// The option for the folder of the outputs, for commands that take several inputs.
struct FolderOptions: ParsableArguments {
  @Option(
    name: .customLong("out-dir"),
    help: ArgumentHelp("Write the results to this folder, named after the inputs.", valueName: "folder"),
    completion: .directory)
  var path: String?

  func validate() throws { try OptionFile.checkName(path, of: "--out-dir", "folder") }
}
