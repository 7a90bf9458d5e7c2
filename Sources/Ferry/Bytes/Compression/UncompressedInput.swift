/// An input without its layers of compression, and the contents of signed data.
struct UncompressedInput {
  private(set) var input: any ByteInput
  /// The compressions, outermost first.
  private(set) var compressions: [Compression] = []
  /// True if the input, or the decompressed input, is signed data.
  private(set) var isSigned = false
  /// The first bytes of the decompressed input.
  private(set) var head: [UInt8]

  /// Recognizes compressed and signed data by its first bytes.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - headSize: The number of first bytes to return.
  ///   - budget: The limits.
  ///   - isEnough: A function that returns true if the first decompressed bytes that a pipe has so far are enough.
  ///   - mayBeCompressed: A function that returns true if an input that begins like compressed or signed data is that. It is called for no other
  ///     input, because it may cost more than the look at the first bytes.
  init(
    _ input: any ByteInput, headSize: Int, budget: Budget, isEnough: ([UInt8]) -> Bool,
    mayBeCompressed: () -> Bool
  ) throws(FerryError) {
    self.input = input
    func isDecisive(_ head: [UInt8]) -> Bool {
      Layer(head) != nil || !Layer.isOpen(head) && isEnough(head)
    }
    head = try input.peekHead(upTo: headSize, until: isDecisive)
    var layers = 0
    while let layer = Layer(head), layers > 0 || mayBeCompressed() {
      let limit = max(budget.nesting, 1)
      guard layers < limit else { throw FerryError(.overBudget(.nesting(limit))) }
      layers += 1
      try remove(layer, budget)
      head = try self.input.peekHead(upTo: headSize, until: isDecisive)
    }
    try readBeyondSpace(headSize)
  }

  private mutating func remove(_ layer: Layer, _ budget: Budget) throws(FerryError) {
    switch layer {
    case .compression(let compression):
      compressions.append(compression)
      input =
        if let outer = input as? DecompressedInput { try outer.decompressed(compression) } else {
          try DecompressedInput(input, compression, budget: budget)
        }
    case .signature:
      isSigned = true
      input = SignedInput(input)
    }
  }

  /// Something around the contents of a file.
  private enum Layer {
    case compression(Compression)
    case signature

    /// Recognizes the outermost layer by the first bytes of a file. Fails if it has none.
    init?(_ head: [UInt8]) {
      if let compression = Compression.of(head) {
        self = .compression(compression)
      } else if SignedData.begins(head) {
        self = .signature
      } else {
        return nil
      }
    }

    /// Returns true if the next bytes of an input decide whether it has a layer.
    static func isOpen(_ head: [UInt8]) -> Bool { Compression.isOpen(head) || SignedData.isOpen(head) }
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
