import ArgumentParser
import Ferry

/// The options for a page in HTML.
struct PageOptions: ParsableArguments {
  @Flag(name: .long, help: "Write an HTML page that opens in a browser without a network.")
  var html = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var overwriting: OverwriteOptions

  func validate() throws { try output.checkKind() }

  /// Writes a page, or another output, as a whole or not at all. The extension of the output determines its compression.
  ///
  /// - Parameters:
  ///   - inputs: The files and packages that the output shows, which it cannot replace or change.
  ///   - options: The files that options name and the command reads, which it cannot replace, either.
  func write(
    showing inputs: [String], _ options: [OptionFile], _ page: (any ByteOutput) throws(FerryError) -> Void
  ) throws(NamedError) {
    let path = output.file ?? "-"
    try NamedError.naming(output: path) { () throws(FerryError) in
      guard path != "-" else { return try page(Terminal.output) }
      try self.output.checkReplacesNone(of: inputs, options)
      let output = try FileOutput(
        path: path, replacing: overwriting.force, compression: Compression.ofFile(named: path))
      try page(output)
      try output.commit()
    }
  }
}
