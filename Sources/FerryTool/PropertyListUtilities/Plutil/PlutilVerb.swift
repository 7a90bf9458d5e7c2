import Ferry

/// A verb of `plutil`, with its options and files.
protocol PlutilVerb {
  var options: PlutilOptions { get }
  /// The files that the verb reads.
  var inputs: [String] { get }
  /// Processes one file.
  func process(_ file: String) throws(PlutilError)
}

extension PlutilVerb {
  var inputs: [String] { options.files }

  /// Processes all files. An error of one does not stop the others. Returns true if there was no error.
  func run() -> Bool {
    guard Plutil.readsNoOutput(inputs) else { return false }
    var hasFailed = false
    for file in options.files {
      do throws(PlutilError) {
        guard !file.isEmpty else { throw PlutilError("Empty path specified") }
        try process(file)
      } catch {
        StandardError.write("\(Self.shownName(of: file)): \(error.message)")
        hasFailed = true
      }
    }
    return !hasFailed
  }

  /// Returns the name of a file in messages.
  static func shownName(of file: String) -> String { file == "-" ? "<stdin>" : file }

  /// Reads a file.
  func read(_ file: String) throws(PlutilError) -> PropertyListFile {
    do throws(PropertyListFile.Problem) {
      return try PropertyListFile(path: file)
    } catch {
      throw PlutilError(error)
    }
  }

  /// Changes the value of a file, and writes it in a format; nil means its own.
  func rewrite(
    _ file: String, as format: PlutilFormat? = nil, keyPath: PlutilKeyPath? = nil, hasHeader: Bool = false,
    _ change: (inout Value) throws(PlutilError) -> Void = { _ in }
  ) throws(PlutilError) {
    let output = try PlutilOutput(of: file, options, as: format)
    var contents = try read(file)
    try change(&contents.value)
    let emission = PlutilEmission(
      value: contents.value, format: format ?? PlutilFormat(of: contents),
      openStepFormat: format == nil ? contents.format : .openStepPropertyList,
      isFromJSON: contents.format == .json,
      isReadable: options.isReadable, keyPath: keyPath)
    var bytes = try emission.bytes(from: file, to: output.path)
    if emission.format.isText, output.path == "-", options.endsLine { bytes.append(UInt8(ascii: "\n")) }
    try output.write(bytes)
    if hasHeader {
      let literal = try emission.objectiveC(from: file, to: output.path)
      try output.write(Array(literal.header.utf8), withExtension: "h")
    }
  }
}
