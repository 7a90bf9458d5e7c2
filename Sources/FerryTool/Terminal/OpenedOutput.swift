import Ferry

/// The output of a command that writes one file or to the standard output.
struct OpenedOutput {
  let output: NamedOutput
  private let name: String
  private let file: FileOutput?
  private let compressed: CompressedOutput?

  /// Creates a file, which appears under its name only when the output is finished.
  init(file name: String, replacing: Bool, _ compression: Compression?) throws(NamedError) {
    let file = try NamedError.naming(name) { () throws(FerryError) in
      try FileOutput(path: name, replacing: replacing, compression: compression)
    }
    (self.name, self.file, compressed) = (name, file, nil)
    output = NamedOutput(file, name: name)
  }

  /// Opens the standard output.
  init(_ compression: Compression?) throws(NamedError) {
    let standard = NamedOutput.standard
    (name, file) = (NamedOutput.standardName, nil)
    compressed = try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      try compression.map { compression throws(FerryError) in try CompressedOutput(standard, compression) }
    }
    output = compressed.map { NamedOutput($0, name: NamedOutput.standardName) } ?? standard
  }

  /// Ends the output, and puts a file in its place.
  func finish() throws(NamedError) {
    try NamedError.naming(name) { () throws(FerryError) in
      try file?.commit()
      try compressed?.finish()
    }
  }
}
