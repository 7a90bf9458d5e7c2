extension UncompressedInput {
  /// Recognizes compressed data, unless the format or the name shows that the file is a picture, which may have any bytes.
  init(
    _ input: any ByteInput, named name: String?, format: Format?, budget: Budget,
    until isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(FerryError) {
    let isNamedCompressed = name.flatMap(Compression.ofFile) != nil
    if !isNamedCompressed, let format = format ?? name.flatMap(Format.ofFile), format.canHaveAnyBytes {
      self.init(uncompressed: input, head: try input.peekHead(upTo: FormatDetector.headSize, until: isEnough))
    } else {
      try self.init(input, headSize: FormatDetector.headSize, budget: budget, until: isEnough)
    }
  }
}

extension Format {
  /// True if the name of a file shows the format, and the file is not text.
  fileprivate var canHaveAnyBytes: Bool {
    description.signature.rank == .name && description.textEncoding == nil
  }
}
