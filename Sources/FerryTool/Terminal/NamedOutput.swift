import Ferry

/// An output that records its own error, to distinguish it from an error of the input: a full disk is not a
/// defect of the input.
final class NamedOutput: ByteOutput {
  private let output: any ByteOutput
  private let name: String
  /// The error of writing.
  private(set) var failure: NamedError?

  init(_ output: any ByteOutput, name: String) {
    self.output = output
    self.name = name
  }

  /// Writes a file as a whole or not at all; `-` is the standard output. A file that is edited in place is
  /// replaced by its edit.
  static func put(
    _ bytes: [UInt8], at path: String, replacing: Bool, in edit: InPlaceEdit? = nil
  ) throws(NamedError) {
    guard path != "-" else {
      return try NamedError.naming("standard output") { () throws(FerryError) in
        try Terminal.output.write(bytes.span)
      }
    }
    try NamedError.naming(path) { () throws(FerryError) in
      if let edit { return try edit.replace(with: bytes) }
      let output = try FileOutput(path: path, replacing: replacing)
      try output.write(bytes.span)
      try output.commit()
    }
  }

  var database: String? { output.database }

  func write(_ bytes: Span<UInt8>) throws(FerryError) {
    do throws(FerryError) {
      try output.write(bytes)
    } catch {
      failure = NamedError(name: name, failure: error)
      throw error
    }
  }

  /// Runs a function that reads `input` and writes to this output, and adds the name of the one that fails to
  /// its error.
  func naming<Result>(
    input: String, _ body: (NamedOutput) throws(FerryError) -> Result
  ) throws(NamedError) -> Result {
    do throws(FerryError) {
      return try body(self)
    } catch {
      if let failure { throw failure.following(error.earlier) }
      // The name of the output requires a template, so this is not an error of the input.
      let isOfOutput = error.reason == .database(.needsTemplate)
      throw NamedError(name: isOfOutput ? name : input, failure: error)
    }
  }
}
