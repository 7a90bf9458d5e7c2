extension Conversion {
  /// Reads an input and sends its value to a sink in its own form; then finishes the sink. `target` is
  /// ignored. XML is interpreted by the given schema, or by one that matches its root element; an archive
  /// only by a given schema.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input.
  ///   - sink: The receiver of the events.
  ///   - marksShared: Pass true to send a collection of a binary property list with more than one reference
  ///     as an object without a class (`ObjectClass.none`) with an identity, and as a reference after that.
  ///     So shared and even cyclic collections cost no more than their size in the file.
  ///   - decodedForms: The objects of an archive that are decoded: only those that stand for one scalar, or all
  ///     in the class catalog.
  /// - Returns: Sentences about the way in which the input was read, as in a report.
  /// - Throws: A `FerryError` with the source location and the path.
  @discardableResult
  public func read(
    _ input: any Input, named name: String? = nil, into sink: any ValueSink, marksShared: Bool = false,
    decodedForms: DecodedFormUse = .scalars
  ) throws(FerryError) -> [String] {
    let head = try input.peek(upTo: FormatDetector.headSize)
    let found: Format
    if let source { found = source } else { found = try FormatDetector(head: head, name: name).detect() }
    var exact = self
    exact.target = .archive
    exact.isForCaller = true
    exact.marksShared = marksShared
    let losses = LossReport()
    do throws(FerryError) {
      let notes = try exact.read(
        input, as: found, head: head, into: sink, decodedForms: decodedForms, losses: losses)
      let isEmpty = losses.counts.contains { $0.kind == .nothingSelected }
      return notes + (isEmpty ? [Loss.Kind.nothingSelected.message] : [])
    } catch {
      throw self.source == nil ? error.naming(found, ofFileNamed: name) : error
    }
  }

  private func read(
    _ input: any Input, as found: Format, head: [UInt8], into sink: any ValueSink,
    decodedForms: DecodedFormUse,
    losses: LossReport
  ) throws(FerryError) -> [String] {
    let source = try SourceInput(input, format: found, isGiven: self.source != nil, head: head, self)
    let keyed: any ValueSink =
      marksShared && source.isArchive
      ? ShownKeys(to: sink, budget: budget, inputBytes: source.byteCount) : sink
    let first: any ValueSink =
      expandsData
      ? ExpandedData(
        to: keyed, budget: budget, asStored: representation == .raw, shared: shared,
        objectCount: source.objectCount(self)) : keyed
    let calledFor =
      matchesSchemas && representation == .plain && source.format == .xml ? try source.matchingSchema() : nil
    try source.send(
      into: first, schema: schema ?? calledFor, losses: losses, self, decodedForms: decodedForms)
    try sink.finish()
    return source.notes
  }
}

extension FerryError {
  /// Returns this error. For a file with the extension of text that begins like another format, the error
  /// names the way to read the file as text.
  func naming(_ format: Format, ofFileNamed name: String?) -> FerryError {
    guard let name, FormatDetector.fileExtension(of: name) == "txt" else { return self }
    switch reason {
    case .json, .xml, .propertyList:
      return FerryError(
        .file(.notText(format: format.rawValue, why: reason.description)), at: position, path: path)
    default: return self
    }
  }
}

extension Value {
  /// Reads the value of an input in any format.
  ///
  /// - Throws: A `FerryError` with the source location and the path.
  public init(reading input: any Input, named name: String? = nil) throws(FerryError) {
    let builder = ValueBuilder()
    var reading = Conversion(to: .json)
    reading.matchesSchemas = false
    try reading.read(input, named: name, into: builder)
    self = try builder.result()
  }
}

extension Format {
  /// Detects the format of bytes, as the tool does. The file name is used for contents without a signature.
  ///
  ///     try Format.of(bytes, named: "people.pplgrp")   // .archive
  ///
  /// - Throws: `FileProblem.unknownFormat` or `otherKind` if Ferry does not read the format.
  public static func of(_ bytes: [UInt8], named name: String? = nil) throws(FerryError) -> Format {
    let head = Array(bytes.prefix(FormatDetector.headSize))
    let found = try FormatDetector(head: head, name: name).detect()
    guard found == .binaryPropertyList else { return found }
    return try BinaryPropertyList(bytes).isKeyedArchive ? .archive : found
  }
}
