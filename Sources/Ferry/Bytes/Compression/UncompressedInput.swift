/// An input without its layers of compression.
struct UncompressedInput {
  private(set) var input: any ByteInput
  /// The compressions, outermost first.
  private(set) var compressions: [Compression] = []
  /// The first bytes of the decompressed input.
  private(set) var head: [UInt8]

  /// Recognizes compressed data by its first bytes.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - headSize: The number of first bytes to return.
  ///   - budget: The limits.
  ///   - isEnough: A function that returns true if the first decompressed bytes that a pipe has so far are enough.
  ///   - mayBeCompressed: A function that returns true if an input that begins like compressed data is compressed. It is called for no other
  ///     input, because it may cost more than the look at the first bytes.
  init(
    _ input: any ByteInput, headSize: Int, budget: Budget, isEnough: ([UInt8]) -> Bool,
    mayBeCompressed: () -> Bool
  ) throws(FerryError) {
    self.input = input
    head = try input.peekHead(upTo: headSize) { head in
      Compression.of(head) != nil || !Compression.isOpen(head) && isEnough(head)
    }
    while let compression = Compression.of(head), !compressions.isEmpty || mayBeCompressed() {
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
    try readBeyondSpace(headSize)
  }

  /// The maximum number of bytes of white space to read while looking for the beginning of a text.
  private static let mostSpace = 1 << 22

  /// Extends the head if more than half of it is white space, so that it has `headSize` bytes of the text after the white space. If the
  /// input is only white space, shortens the head below `headSize`, which marks it as the whole input.
  private mutating func readBeyondSpace(_ headSize: Int) throws(FerryError) {
    var (count, start) = (headSize, head.startOfText)
    while head.count == count, start > count / 2 {
      guard start == count else {
        head = try input.peek(upTo: start + headSize)
        return
      }
      guard count < Self.mostSpace else { return }
      count *= 4
      head = try input.peek(upTo: count)
      start = head.startOfText
    }
    guard count > headSize else { return }
    head = start < head.count ? try input.peek(upTo: start + headSize) : Array(head.prefix(headSize - 1))
  }
}

extension [UInt8] {
  /// The index after a byte order mark and white space.
  fileprivate var startOfText: Int {
    self[utf8MarkCount...].firstIndex { $0 != 0x20 && !(0x09...0x0d).contains($0) } ?? count
  }
}
