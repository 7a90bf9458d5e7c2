/// An input with its format, which is given or detected from the first bytes and the name.
struct DetectedInput {
  let input: any Input
  /// The given or detected format. A binary property list may still turn out to be an archive, and an archive
  /// in XML another property list.
  let format: Format
  /// True if the caller gave the format.
  let isGiven: Bool
  /// The first bytes.
  let head: [UInt8]
  /// The file name of the input.
  let name: String?

  /// Detects the format of an input, unless it is given.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - given: The format; nil to detect it.
  ///   - headSize: The number of bytes to peek at.
  /// - Throws: `FileProblem.empty`, `unknownFormat` or `otherKind` if Ferry does not read the input.
  init(
    _ input: any Input, named name: String?, given: Format?, headSize: Int = FormatDetector.headSize
  ) throws(FerryError) {
    head = try input.peek(upTo: headSize)
    format = try Format.detect(head, named: name, given: given)
    isGiven = given != nil
    self.input = input
    self.name = name
  }

  /// Returns an error of the reader. If the file has the extension of text, and its format was detected, the
  /// error names the way to read the file as text.
  func explaining(_ error: FerryError) -> FerryError {
    isGiven ? error : error.naming(format, ofFileNamed: name)
  }
}

extension Format {
  /// Detects the format of an input by its first bytes and its name, unless it is given.
  static func detect(_ head: [UInt8], named name: String?, given: Format?) throws(FerryError) -> Format {
    if let given { return given }
    return try FormatDetector(head: head, name: name).detect()
  }

  /// Detects the format of bytes, as the tool does. The file name is used for contents without a signature.
  ///
  ///     try Format.of(bytes, named: "people.pplgrp")   // .archive
  ///
  /// - Throws: `FileProblem.unknownFormat` or `otherKind` if Ferry does not read the format.
  public static func of(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> Format {
    let found = try detect(Array(bytes.prefix(FormatDetector.headSize)), named: name, given: nil)
    guard found == .binaryPropertyList || found.isArchive,
      let nodes = try found.nodes(of: MemoryInput(bytes), budget: Budget())
    else { return found }
    return try nodes.isKeyedArchive ? found.asArchive : found.asPropertyList
  }
}

extension FerryError {
  /// Returns this error. For a file with the extension of text that begins like another format, the error
  /// names the way to read the file as text.
  fileprivate func naming(_ format: Format, ofFileNamed name: String?) -> FerryError {
    guard let name, FormatDetector.fileExtension(of: name) == "txt" else { return self }
    switch reason {
    case .json(_), .xml(_), .propertyList(_):
      return FerryError(
        .file(.notText(format: format.rawValue, why: reason.description)), at: position, path: path)
    default: return self
    }
  }
}
