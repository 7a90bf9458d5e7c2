/// A writer that buffers the whole value in memory and writes the file at the end.
final class SingleValueWriter: ForwardingSink {
  private let builder: ValueBuilder
  private let output: any ByteOutput
  private let bytes: (Value) throws(FerryError) -> [UInt8]

  /// Creates a writer. `bytes` returns the file for the value.
  init(to output: any ByteOutput, _ bytes: @escaping (Value) throws(FerryError) -> [UInt8]) {
    self.output = output
    self.bytes = bytes
    builder = ValueBuilder()
    super.init(to: builder)
  }

  override func finish() throws(FerryError) {
    let file = try bytes(try builder.result())
    try output.write(file.span)
  }
}

extension Value {
  /// Returns the value inside nested dictionaries with a single entry, such as the root element of XML.
  ///
  /// - Parameter losses: Receives a loss for the dictionaries.
  func withoutWrapping(_ losses: LossReport?) -> Value {
    var value = self
    while case .dictionary(let entries) = value, entries.count == 1, let inner = entries.values.first {
      value = inner
    }
    if case .dictionary = self { losses?.add(.unwrapped) }
    return value
  }
}
