/// An input without its layers of compression.
struct UncompressedInput {
  private(set) var input: any ByteInput
  /// The compressions, outermost first.
  private(set) var compressions: [Compression] = []
  /// The first bytes of the decompressed input.
  private(set) var head: [UInt8]

  /// Creates an input without a layer.
  init(uncompressed input: any ByteInput, head: [UInt8]) { (self.input, self.head) = (input, head) }

  /// Recognizes compressed data by its first bytes.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - headSize: The number of first bytes to return.
  ///   - budget: The limits.
  ///   - isEnough: A function that returns true if the first decompressed bytes that a pipe has so far are enough.
  init(
    _ input: any ByteInput, headSize: Int, budget: Budget, until isEnough: ([UInt8]) -> Bool
  ) throws(FerryError) {
    self.input = input
    head = try input.peekHead(upTo: headSize) { head in
      Compression.of(head) != nil || !Compression.isOpen(head) && isEnough(head)
    }
    while let compression = Compression.of(head) {
      let limit = max(budget.nesting, 1)
      guard compressions.count < limit else { throw FerryError(.overBudget(.nesting(limit))) }
      compressions.append(compression)
      let inner =
        if let outer = self.input as? DecompressedInput { try outer.decompressed(compression) } else {
          try DecompressedInput(self.input, compression, budget: budget)
        }
      self.input = inner
      head = try inner.peek(upTo: headSize) { head in
        Compression.of(head) != nil || !Compression.isOpen(head) && isEnough(head)
      }
    }
  }
}
