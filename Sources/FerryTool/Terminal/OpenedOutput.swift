import Ferry

/// The output of a command that writes one file or to the standard output.
struct OpenedOutput {
  let output: NamedOutput
  private let name: String
  private let file: FileOutput?
  private let compressed: CompressedOutput?
  /// The first bytes of a file, which show how programs read it.
  private let head: HeadOutput?

  /// Creates a file, which appears under its name only when the output is finished.
  init(file name: String, replacing: Bool, _ compression: Compression?) throws(NamedError) {
    let file = try NamedError.naming(name) { () throws(FerryError) in
      try FileOutput(path: name, replacing: replacing, compression: compression)
    }
    let head = DocumentTypes.headOutput(to: file)
    (self.name, self.file, compressed, self.head) = (name, file, nil, head)
    output = NamedOutput(head, name: name)
  }

  /// Opens the standard output.
  init(_ compression: Compression?) throws(NamedError) {
    let standard = NamedOutput.standard
    (name, file, head) = (NamedOutput.standardName, nil, nil)
    compressed = try NamedError.naming(NamedOutput.standardName) { () throws(FerryError) in
      try compression.map { compression throws(FerryError) in try CompressedOutput(standard, compression) }
    }
    output = compressed.map { NamedOutput($0, name: NamedOutput.standardName) } ?? standard
  }

  /// Writes a note if a file in a format has the name of a file in another one.
  func writeNote(on writing: WritingOptions, _ types: DocumentTypes) {
    guard let head,
      let note = types.note(
        onName: name, of: writing.format, beginning: head.head, encoding: writing.encoding)
    else { return }
    StandardError.write([note], of: name)
  }

  /// Ends the output, and puts a file in its place.
  func finish() throws(NamedError) {
    try NamedError.naming(name) { () throws(FerryError) in
      try file?.commit()
      try compressed?.finish()
    }
  }
}
