import Ferry

/// An output that remembers its own failure, to tell it from the input's: a full disk is no fault of what was read.
final class NamedOutput: ByteOutput {
  private let output: any ByteOutput
  private let name: String
  /// What writing failed with.
  private(set) var failure: NamedFailure?

  init(_ output: any ByteOutput, name: String) {
    self.output = output
    self.name = name
  }

  /// Puts bytes into a file, as a whole or not at all; `-` is the standard output. A file that is edited in place is put there
  /// by its edit.
  static func put(
    _ bytes: [UInt8], at path: String, replacing: Bool, in edit: InPlaceEdit? = nil
  ) throws(NamedFailure) {
    guard path != "-" else {
      return try NamedFailure.naming("standard output") { () throws(Failure) in
        try Terminal.output.write(bytes.span)
      }
    }
    try NamedFailure.naming(path) { () throws(Failure) in
      if let edit { return try edit.replace(with: bytes) }
      let output = try FileOutput(path: path, replacing: replacing)
      try output.write(bytes.span)
      try output.commit()
    }
  }

  var database: String? { output.database }

  func write(_ bytes: Span<UInt8>) throws(Failure) {
    do throws(Failure) {
      try output.write(bytes)
    } catch {
      failure = NamedFailure(name: name, failure: error)
      throw error
    }
  }

  /// Runs `body`, which writes here what it reads from `input`, and names what fails.
  func naming<Result>(
    input: String, _ body: (NamedOutput) throws(Failure) -> Result
  ) throws(NamedFailure) -> Result {
    do throws(Failure) {
      return try body(self)
    } catch {
      // What the output's own name asks for is no fault of the input.
      let isOfOutput = error.reason == .database(.needsTemplate)
      throw failure ?? NamedFailure(name: isOfOutput ? name : input, failure: error)
    }
  }
}
