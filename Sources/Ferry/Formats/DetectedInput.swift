/// An input with its format, which is given or is detected from the first bytes and the file name.
struct DetectedInput {
  let input: any Input
  /// The format that was given or detected. The contents may still show that a binary property list is an
  /// archive, or that an archive in XML is another property list.
  let format: Format
  /// True if the caller gave the format, false if it was detected.
  let isGiven: Bool
  /// The first bytes of the input.
  let head: [UInt8]
  /// The file name of the input.
  let name: String?

  /// Detects the format of an input unless it is given.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - given: The format, or nil to detect it.
  ///   - isEnough: A function that returns true if the first bytes that a pipe has so far are enough.
  /// - Throws: `FileProblem.empty`, `unknownFormat` or `otherKind` if Ferry cannot read the input.
  init(
    _ input: any Input, named name: String?, given: Format?,
    until isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(FerryError) {
    if let file = input as? FileInput {
      head = try file.peek(upTo: FormatDetector.headSize, until: isEnough)
    } else {
      head = try input.peek(upTo: FormatDetector.headSize)
    }
    format = try Format.detect(head, named: name, given: given)
    isGiven = given != nil
    self.input = input
    self.name = name
  }

  /// Returns an error of the reader. If the format was detected and the file's extension is that of text or of no
  /// format, adds how to read the file as text.
  func explaining(_ error: FerryError) -> FerryError {
    isGiven ? error : error.naming(format, ofFileNamed: name)
  }
}

extension Format {
  /// Detects the format of an input from its first bytes and its name, unless the format is given.
  static func detect(_ head: [UInt8], named name: String?, given: Format?) throws(FerryError) -> Format {
    if let given { return given }
    return try FormatDetector(head: head, name: name).detect()
  }

  /// Detects the format of bytes in the same way as the tool. The file name is used if the content has no
  /// signature.
  ///
  ///     try Format.of(bytes, named: "people.pplgrp")   // .archive
  ///
  /// - Throws: `FileProblem.unknownFormat` or `otherKind` if Ferry cannot read the format.
  public static func of(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> Format {
    let found = try detect(Array(bytes.prefix(FormatDetector.headSize)), named: name, given: nil)
    guard found == .binaryPropertyList || found.isArchive,
      let nodes = try found.nodes(of: MemoryInput(bytes), budget: Budget())
    else { return found }
    return try nodes.isKeyedArchive ? found.asArchive : found.asPropertyList
  }
}

extension FerryError {
  /// Returns this error. If the file's extension is that of text or of no format, adds how to read the file as text.
  fileprivate func naming(_ format: Format, ofFileNamed name: String?) -> FerryError {
    guard let name, let fileExtension = FormatDetector.fileExtension(of: name),
      fileExtension == "txt" || Format(fileExtension: fileExtension) == nil
    else { return self }
    switch reason {
    case .json(_), .xml(_), .propertyList(_):
      return FerryError(
        .file(.notText(format: format.rawValue, why: reason.description)), at: position, path: path)
    default: return self
    }
  }
}
