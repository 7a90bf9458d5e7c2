/// An input with its format, which is given or is detected from the first bytes and the file name.
struct DetectedInput {
  let input: any ByteInput
  /// The format that was given or detected. The contents may still show that a binary property list is an
  /// archive, or that an archive in XML is another property list.
  let format: Format
  private let budget: Budget
  /// True if the caller gave the format, or a document type declares it; false if it was detected.
  let isGiven: Bool
  /// The first bytes of the decompressed input. Those of a text that `input` transcodes are in UTF-8.
  let head: [UInt8]
  /// The file name of the input, without the extension of a compression.
  let name: String?
  /// The name of the only file of a ZIP archive that is read in place of the archive; nil for another input.
  let fileInArchive: String?
  /// The compressions of the input, outermost first.
  let compressions: [Compression]
  /// True if the input is signed data, whose contents are read.
  let isSigned: Bool
  /// The encoding of the given input, if `input` has its text in UTF-8: because the reader of the format reads only UTF-8, or
  /// because another encoding is given than the text declares. Nil if `input` has the text as it is.
  let transcodedFrom: String?
  /// True if `input` has the text of the given input in UTF-8.
  var isTranscoded: Bool { transcodedFrom != nil }
  /// The given encoding, if the text is in UTF-8 by its first bytes, although another encoding was given; otherwise nil.
  let unlikelyEncoding: String?
  /// True if the reader of the format decodes a text that is not in UTF-8.
  private let isDecodedByReader: Bool
  /// The elements of an XML document, if it was read before.
  let elements: KeptElements?

  /// Detects the format of an input unless it is given. A compressed input is decompressed, and text is transcoded to UTF-8
  /// if the reader of the format cannot read its encoding.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: The file name of the input; nil for that of its path, if it has one.
  ///   - given: The format, or nil to detect it.
  ///   - declared: The formats that document types declare, by the names of files.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits on the expansion of compressed data.
  ///   - hasTableOptions: True if options for tables are given, which decide for an input without a name whose content may be a table.
  ///   - opensArchive: Pass true to read the only file in a ZIP archive in place of the archive.
  ///   - isEnough: A function that returns true if the first bytes that a pipe has so far are enough.
  /// - Throws: A `FerryError` with the reason `FileProblem.empty`, `unknownFormat` or `otherKind` if Ferry cannot read the input.
  init(
    _ input: any ByteInput, named name: String?, given: Format?,
    declared: DeclaredFormats = DeclaredFormats(), encoding: String? = nil, budget: Budget,
    hasTableOptions: Bool = false, opensArchive: Bool = false,
    until isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(FerryError) {
    elements = nil
    let fileName = name ?? input.path
    let input = try budget.limiting(input)
    func knownFormat(ofFileNamed name: String?) -> Format? {
      given ?? name.flatMap(declared.format(ofFileNamed:))
    }
    var uncompressed = try UncompressedInput(
      input, named: fileName, format: knownFormat(ofFileNamed: fileName), budget: budget, until: isEnough)
    (compressions, isSigned) = (uncompressed.compressions, uncompressed.isSigned)
    var (name, fileInArchive) = (fileName.map(Compression.nameInside), String?.none)
    if opensArchive, given?.isArchiveOfFiles != true, let member = try uncompressed.onlyFile(budget) {
      uncompressed = try UncompressedInput(
        member.input, named: member.name, format: knownFormat(ofFileNamed: member.name), budget: budget)
      (name, fileInArchive) = (Compression.nameInside(member.name), member.name)
    }
    (self.name, self.fileInArchive, self.budget) = (name, fileInArchive, budget)
    let given = given ?? declared.format(of: uncompressed.head, named: name)
    do throws(FerryError) {
      format = try Format.detect(
        uncompressed.head, named: name, given: given, encoding: encoding, hasTableOptions: hasTableOptions)
    } catch {
      throw error.naming(archiveAtEndOf: uncompressed.input, budget)
    }
    isGiven = given != nil
    isDecodedByReader =
      format.description.textEncoding == .marked
      && (encoding != nil || uncompressed.head.span.isMarkedOtherThanUTF8(hasNULs: false))
    try format.checkEncoding(encoding)
    unlikelyEncoding = encoding.flatMap { name in
      XMLTextEncoding.isUTF8(name) || !uncompressed.head.isUTF8BeyondASCII ? nil : name
    }
    guard let transcoding = format.transcoding(of: uncompressed.head, givenEncoding: encoding) else {
      (self.input, head, transcodedFrom) = (uncompressed.input, uncompressed.head, nil)
      return
    }
    let transcoded = TranscodedInput(
      uncompressed.input, encoding: transcoding.name, isXML: format.description.declaresEncoding)
    self.input = transcoded
    head = try transcoded.peek(upTo: FormatDetector.headSize, until: isEnough)
    transcodedFrom = transcoding.name ?? TextDecoder.nameOfEncoding(shownBy: uncompressed.head)
  }

  /// Opens a file again, whose format was detected before, and which has not changed.
  init(_ input: FileInput, readBefore document: ReadDocuments.Document) {
    (self.input, format, budget, isGiven) = (input, document.format, document.budget, false)
    (head, name, fileInArchive, transcodedFrom) = (document.head, document.name, nil, nil)
    (compressions, isSigned) = ([], false)
    (isDecodedByReader, unlikelyEncoding, elements) = (document.isDecodedByReader, nil, document.elements)
  }

  /// Returns what another opening of the file needs to know of it; nil for an input that is not a plain file, or whose format is given.
  ///
  /// - Parameter elements: The elements of the file.
  func document(_ elements: KeptElements) -> ReadDocuments.Document? {
    guard !isGiven, compressions.isEmpty, !isSigned, fileInArchive == nil, !isTranscoded, input is FileInput
    else {
      return nil
    }
    return ReadDocuments.Document(
      format: format, head: head, name: name, isDecodedByReader: isDecodedByReader, budget: budget,
      elements: elements)
  }

  /// Throws if the input has no bytes, unless its format has a value without any.
  func checkNotEmpty() throws(FerryError) {
    guard !head.isEmpty || format.description.canBeEmpty else { throw FerryError(.file(.empty)) }
  }

  /// Returns an error of the reader with its likely reason, as `withReason`, and with the name of the file in an archive, which must not have
  /// been added yet: an inner function calls `withReason` alone if an outer one calls `naming`.
  func explaining(_ error: FerryError) -> FerryError { naming(withReason(error)) }

  /// Returns an error with the name of the file that is read in place of its archive.
  func naming(_ error: FerryError) -> FerryError {
    fileInArchive.map { error.placed(inFile: $0, ofArchive: nil) } ?? error
  }

  /// Returns an error of the reader with its likely reason: the input is of another kind, looks like one, or has a conflict of a merge. If the
  /// format of a text was detected and the file's extension is that of text or of no format, adds how to read the file as text.
  func withReason(_ error: FerryError) -> FerryError {
    var error = explainingText(error) ?? (isGiven ? error : explainingFormat(error))
    // The byte is that of the text in UTF-8.
    if !showsBytes, error.location.line != nil { error.location.byte = nil }
    return error
  }

  /// False if the byte offsets in a text are those of the text in UTF-8, and not those of the input.
  var showsBytes: Bool { !isTranscoded && !isDecodedByReader }
}

extension DetectedInput {
  /// Returns an error of a reader whose format was detected. If a ZIP archive follows the text, names the archive; otherwise as
  /// `naming(_:ofFileNamed:)`.
  private func explainingFormat(_ error: FerryError) -> FerryError {
    let archive = error.reason.isOfSyntax(of: format) ? error.ofArchive(atEndOf: input, budget) : nil
    return archive ?? error.naming(format, ofFileNamed: name)
  }

  /// Returns an error with the reason why a text is not in the format: it is of another kind, looks like one, or has a conflict of a merge.
  /// Returns nil if the reason is not known.
  private func explainingText(_ error: FerryError) -> FerryError? {
    guard let line = error.location.line, error.reason.isOfSyntax(of: format) else { return nil }
    let head = FormatHead(head, name: name)
    if let kind = FormatDetector.unreadKind(of: head, readAs: format) {
      return FerryError(.file(kind.problem))
    }
    if !format.description.hasNULs, let zeros = ZeroRun.location(inLine: line, head, of: text) {
      return FerryError(.file(.zeroRun), at: zeros, path: error.path)
    }
    if let kind = OtherKind.kind(of: head, by: .likeness) {
      return FerryError(.file(.likely(kind: kind.name, error.reason)), at: error.location)
    }
    guard let mark = ConflictScan.mark(atLine: line, in: head, of: text) else { return nil }
    return FerryError(
      .file(.conflict(error.reason, line: mark.line, isLeftOver: mark.isLeftOver)), at: error.location)
  }
}

extension DetectedInput {
  /// Opens a property list, which may be a keyed archive. Returns nil for other formats.
  func propertyList() throws(FerryError) -> (any PropertyListNodes)? {
    guard format.description.isPropertyList else { return nil }
    return try format.nodes(of: input, budget: budget)
  }

  /// The input with its text in UTF-8. A reader may decode UTF-16 by itself.
  private var text: any ByteInput {
    guard head.span.isMarkedOtherThanUTF8(hasNULs: format.description.hasNULs) || head.span.isUTF32 else {
      return input
    }
    return TranscodedInput(input, encoding: nil, isXML: false)
  }
}

extension [UInt8] {
  /// True if the first bytes of a text are valid UTF-8 with a character beyond ASCII, and without a byte order mark.
  fileprivate var isUTF8BeyondASCII: Bool {
    guard utf8MarkCount == 0, contains(where: { $0 >= 0x80 }), !contains(0) else { return false }
    // The last character may continue after the first bytes.
    let last = suffix(3).reversed().prefix { $0 >= 0x80 }.count
    return String(validating: self, as: UTF8.self) != nil
      || count > 3 && String(validating: dropLast(last), as: UTF8.self) != nil
        && dropLast(last).contains { $0 >= 0x80 }
  }
}

extension FerryError.Reason {
  /// Returns true if a text or a file may have another syntax than that of the format in which it was read. False for errors of the output
  /// and of options.
  fileprivate func isOfSyntax(of format: Format) -> Bool {
    switch self {
    case .json: format.isJSON
    case .xml(let problem): format.description.declaresEncoding && problem.isOfSyntax
    case .propertyList:
      [.propertyList, .objects].contains(format.description.shape) && format.description.textEncoding != nil
    case .yaml, .csv, .content(.notUTF8), .content(.notInEncoding): true
    default: false
    }
  }
}

extension UncompressedInput {
  /// Returns the only file of a ZIP archive with its name; nil for another input.
  func onlyFile(_ budget: Budget) throws(FerryError) -> (input: any ByteInput, name: String)? {
    guard ZIPArchive.begins(head) else { return nil }
    // The directory is at the end of the archive.
    try input.makeRewindable()
    let archive = try ZIPArchive(reading: input, budget: budget)
    try input.rewind()
    return archive.onlyMember.map { (archive.input(of: $0), $0.name) }
  }
}

extension Format {
  /// Detects the format of an input from its first bytes and its name, unless the format is given.
  static func detect(
    _ head: [UInt8], named name: String?, given: Format?, encoding: String? = nil,
    hasTableOptions: Bool = false
  ) throws(FerryError) -> Format {
    if let given { return given }
    func format(of head: [UInt8]) throws(FerryError) -> Format {
      try FormatDetector(head: head, name: name, hasTableOptions: hasTableOptions).detect()
    }
    guard let encoding else { return try format(of: head) }
    // A text in UTF-16 or EBCDIC shows its format only when it is decoded.
    var (text, decoder) = ([UInt8](), TextDecoder(encoding: encoding))
    do throws(FerryError) {
      try decoder.append(head.span, to: &text)
      if head.count < FormatDetector.headSize { try decoder.finish(to: &text) }
    } catch {
      if case .content(.unknownEncoding) = error.reason { throw error }
    }
    if let format = try? format(of: head), format.description.textEncoding == nil { return format }
    return try format(of: text)
  }

  /// Detects the format of a document in data, which has no name. Only first bytes, markup and brackets show a format: other data may be a
  /// valid text in some format without being meant as one.
  static func detect(data bytes: Span<UInt8>) -> Format? {
    // A format that first bytes alone determine shows in a few of them. Most data has none.
    let start = [UInt8](copying: bytes.extracting(first: min(bytes.count, 512)))
    if let format = FormatDetector.formatShown(by: start) { return format }
    guard let first = start.first(where: { $0 > 0x20 }), "<{[".utf8.contains(first) else { return nil }
    let head = bytes.extracting(first: min(bytes.count, FormatDetector.headSize))
    return try? detect([UInt8](copying: head), named: nil, given: nil)
  }

  /// Detects the format of bytes in the same way as the tool. The file name is used if the content has no
  /// signature.
  ///
  ///     try Format.of(bytes, named: "people.pplgrp")   // .archive
  ///
  /// - Throws: A `FerryError` with the reason `FileProblem.unknownFormat` or `otherKind` if Ferry cannot read the format.
  public static func of(
    _ bytes: [UInt8], named name: String? = nil, budget: Budget = Budget()
  ) throws(FerryError) -> Format {
    try of(bytes, named: name, declared: DeclaredFormats(), budget: budget)
  }

  /// Detects the format of bytes, unless a document type declares it.
  package static func of(
    _ bytes: [UInt8], named name: String?, declared: DeclaredFormats, hasTableOptions: Bool = false,
    budget: Budget
  ) throws(FerryError) -> Format {
    let detected = try DetectedInput(
      MemoryInput(bytes), named: name, given: nil, declared: declared, budget: budget,
      hasTableOptions: hasTableOptions)
    let found = detected.format
    guard found.isBinaryPropertyList || found.isArchive,
      let nodes = try found.nodes(of: detected.input, budget: budget)
    else { return found }
    return try nodes.isKeyedArchive ? found.asArchive : found.asPropertyList
  }
}

extension FerryError {
  /// Returns this error. If the kind of an input is unknown, and a ZIP archive follows other bytes in it, names the archive.
  fileprivate func naming(archiveAtEndOf input: any ByteInput, _ budget: Budget) -> FerryError {
    switch reason {
    case .file(.unknownFormat), .file(.otherKind): ofArchive(atEndOf: input, budget) ?? self
    default: self
    }
  }

  /// Returns the error of an input of an unknown kind in which a ZIP archive follows other bytes; nil if there is no archive.
  fileprivate func ofArchive(atEndOf input: any ByteInput, _ budget: Budget) -> FerryError? {
    let file: FileBytes? =
      if let path = input.path { try? FileBytes(reading: path) } else { (input as? FileBytesInput)?.bytes }
    guard let file, ZIPArchive.ends(file, budget) else { return nil }
    return FerryError(.file(.unknownFormat(likely: .zipArchive)))
  }

  /// Returns this error. If the file's extension is that of text or of no format, adds how to read the file as text.
  fileprivate func naming(_ format: Format, ofFileNamed name: String?) -> FerryError {
    guard let name, let fileExtension = FormatDetector.fileExtension(of: name),
      fileExtension == "txt" || Format(fileExtension: fileExtension) == nil
    else { return self }
    switch reason {
    case .json(_), .xml(_), .propertyList(_):
      guard reason.isOfSyntax(of: format) else { return self }
      return FerryError(
        .file(.notText(format: format.rawValue, reason)), at: location, path: path)
    default: return self
    }
  }
}
