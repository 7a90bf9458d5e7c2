/// The text of a file for a program that compares lines, such as git: files with other values have other text, and a file that cannot be
/// read has a text, too.
///
///     {
///       icon: <a PNG image, 1204 bytes: 89 50 4e 47 0d 0a 1a 0a … sha256 2cf24dba5fb0a30e>
///     }
///
///     cannot be read: 2:5: expected a value, found "}" (at b)
///     {"a": 1,
///     "b":}
package struct ComparableText {
  private let options: ReadingOptions
  private let width: Int

  /// Creates the text for a way to read files.
  ///
  /// - Parameter width: The number of columns in a line.
  package init(_ options: ReadingOptions, width: Int) {
    var options = options
    // The JSON text of a key, in its place, would be that of a string.
    options.showsKeys = false
    (self.options, self.width) = (options, width)
  }

  /// Writes the tree of a file's values. Writes the error and the lines of a file whose content cannot be read.
  ///
  /// - Throws: An error of the output, or of the folder for temporary files.
  package func write(
    _ input: any ByteInput, named name: String, to output: any ByteOutput
  ) throws(FerryError) {
    // The part before an error is not text of the file.
    let tree = SpooledOutput()
    do throws(FerryError) {
      try input.makeRewindable()
      _ = try FileTree.write(input, named: name, options, to: tree) { output in writer(to: output) }
    } catch {
      return try write((try? lines(of: input)) ?? [], named: name, after: error, to: output)
    }
    try tree.forEachChunk { chunk throws(FerryError) in try output.write(chunk) }
  }

  private func lines(of input: any ByteInput) throws(FerryError) -> [UInt8] {
    try input.rewind()
    return try input.readAll()
  }

  /// Returns the first line of the text of a file that cannot be read.
  package static func firstLine(of error: FerryError) -> String {
    "cannot be read: \(error.located.withoutControls)\n"
  }

  private func writer(to output: any ByteOutput) -> TreeWriter {
    var limits = TreeWriter.Limits(text: .max)
    limits.marksDifferences = true
    return TreeWriter(to: output, width: width, color: Colors(areShown: false), limits: limits)
  }

  /// Writes an error, and the file as it is if it is text, or else a summary of its bytes.
  private func write(
    _ bytes: [UInt8], named name: String, after error: FerryError, to output: any ByteOutput
  ) throws(FerryError) {
    try output.write(Self.firstLine(of: error).utf8.span)
    guard !bytes.isEmpty else { return }
    guard let text = text(of: bytes, named: name) else {
      let writer = writer(to: output)
      try writer.data(bytes.span)
      return try writer.finish()
    }
    var lines = ""
    for scalar in text.unicodeScalars {
      let isShown = scalar == "\n" || scalar == "\r" || scalar == "\t" || !scalar.isControl
      lines += isShown ? String(scalar) : scalar.escaped
    }
    if lines.utf8.last != UInt8(ascii: "\n") { lines += "\n" }
    try output.write(lines.utf8.span)
  }

  /// Returns the text of a file; nil if it is not text.
  private func text(of bytes: [UInt8], named name: String) -> String? {
    guard
      let content = try? DecodedContent(
        MemoryInput(bytes), named: name, encoding: options.encoding, budget: options.budget),
      let decoded = try? content.input.readAll(limit: Self.longestText),
      !decoded.contains(where: Self.isBinary)
    else { return nil }
    return String(validating: decoded, as: UTF8.self)
  }

  /// Returns true for a control character that texts do not have.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 0x20 && !"\t\n\u{c}\r\u{1b}".utf8.contains(byte)
  }

  private static let longestText = 64 << 20
}
