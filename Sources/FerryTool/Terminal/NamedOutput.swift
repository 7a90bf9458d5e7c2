import Ferry

/// An output with a name, which keeps its error: so a full disk is reported as an error of the output, and
/// not of the input.
final class NamedOutput: ForwardingOutput {
  let next: any ByteOutput
  let name: String
  /// The error of writing.
  private(set) var error: NamedError?

  /// The name of the standard output in messages.
  static let standardName = "standard output"

  init(_ output: any ByteOutput, name: String) {
    next = output
    self.name = name
  }

  /// The standard output.
  static var standard: NamedOutput { NamedOutput(Terminal.output, name: standardName) }

  /// Writes text to the standard output.
  static func print(_ text: String) throws(NamedError) {
    try put(stored: Array(text.utf8), at: "-", replacing: true)
  }

  /// Writes contents to a file as a whole or not at all, compressed as the file's name shows; `-` is the standard output. A file that is
  /// edited in place is replaced by its edit.
  static func put(
    contents: [UInt8], at path: String, replacing: Bool, in edit: InPlaceEdit? = nil
  ) throws(NamedError) {
    let bytes = try NamedError.naming(output: path) { () throws(FerryError) in
      try Compression.ofFile(named: path)?.compressed(contents) ?? contents
    }
    try put(stored: bytes, at: path, replacing: replacing, in: edit)
  }

  /// Writes the bytes of a file, which are compressed already if the file is, as `put(contents:at:replacing:in:)`.
  static func put(
    stored bytes: [UInt8], at path: String, replacing: Bool, in edit: InPlaceEdit? = nil
  ) throws(NamedError) {
    try NamedError.naming(output: path) { () throws(FerryError) in
      guard path != "-" else { return try Terminal.output.write(bytes.span) }
      if let edit { return try edit.replace(with: bytes) }
      let output = try FileOutput(path: path, replacing: replacing)
      try output.write(bytes.span)
      try output.commit()
    }
  }

  var database: String? { next.database }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    try keepingError { () throws(FerryError) in try next.write(bytes) }
  }

  func replace(_ bytes: Span<UInt8>, at offset: Int) throws(FerryError) {
    try keepingError { () throws(FerryError) in
      try (next as? any ReplacingOutput)?.replace(bytes, at: offset)
    }
  }

  func removeBytes(from offset: Int) throws(FerryError) {
    try keepingError { () throws(FerryError) in
      try (next as? any ReplacingOutput)?.removeBytes(from: offset)
      // An error of writing the removed bytes is of no concern.
      error = nil
    }
  }

  private func keepingError(_ write: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) {
      try write()
    } catch {
      self.error = NamedError(name: name, error: error)
      throw error
    }
  }

  /// Runs a function that reads `input` and writes to this output, and adds to its error the name of the
  /// input or output that causes it.
  func naming<Result>(
    input: String, _ body: (NamedOutput) throws(FerryError) -> Result
  ) throws(NamedError) -> Result {
    do throws(FerryError) {
      return try body(self)
    } catch {
      if let written = self.error { throw written }
      // The output's name demands a template, so this is an error of the output.
      let isOfOutput = error.reason == .database(.needsTemplate)
      throw NamedError(name: isOfOutput ? name : input, error: error)
    }
  }
}
