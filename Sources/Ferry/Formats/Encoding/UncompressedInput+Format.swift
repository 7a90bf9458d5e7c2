extension UncompressedInput {
  /// Recognizes compressed data, unless the format or the name shows that the file is a picture, which may have any bytes.
  init(
    _ input: any ByteInput, named name: String?, format: Format?, budget: Budget,
    until isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(FerryError) {
    try self.init(
      input, headSize: FormatDetector.headSize, budget: budget, isEnough: isEnough,
      mayBeCompressed: { name.flatMap(Compression.ofFile) != nil || !Self.canHaveAnyBytes(name, format) })
  }

  private static func canHaveAnyBytes(_ name: String?, _ format: Format?) -> Bool {
    (format ?? name.flatMap(Format.ofFile))?.canHaveAnyBytes ?? false
  }
}

extension Format {
  /// True if the name of a file shows the format, and the file is not text.
  var canHaveAnyBytes: Bool {
    description.signature.rank == .name && description.textEncoding == nil
  }
}
