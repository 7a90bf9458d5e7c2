import ArgumentParser
import Ferry

/// The options for a page in HTML.
struct PageOptions: ParsableArguments {
  @Flag(name: .long, help: "Write an HTML page that opens in a browser without a network.")
  var html = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var overwriting: OverwriteOptions

  func validate() throws {
    guard html || output.file == nil && !overwriting.force else {
      throw ValidationError("--output and --force need --html")
    }
  }

  /// Writes a page as a whole or not at all.
  ///
  /// - Parameter inputs: The files that the page shows, which it cannot replace.
  func write(
    showing inputs: [String], _ page: (any ByteOutput) throws(FerryError) -> Void
  ) throws(NamedError) {
    let path = output.file ?? "-"
    try NamedError.naming(output: path) { () throws(FerryError) in
      guard path != "-" else { return try page(Terminal.output) }
      if inputs.contains(where: { Folder.isSame($0, path) }) { throw FerryError(.file(.outputIsInput(path))) }
      let output = try FileOutput(path: path, replacing: overwriting.force)
      try page(output)
      try output.commit()
    }
  }
}
