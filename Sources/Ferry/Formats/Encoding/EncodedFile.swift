/// The bytes of a file, and its contents without compression or signature and in an encoding that Ferry edits.
///
///     let file = try EncodedFile(FileInput(path: "people.xml.gz").readAll(), named: "people.xml.gz")
///     file.contents                      // <people>…
///     try file.bytes(with: changed)      // compressed in the same way
///
/// A command that changes a file changes its contents, and writes them as the file had them.
public struct EncodedFile {
  /// The compressions of the file, outermost first.
  public let compressions: [Compression]
  /// True if the file is signed data. Its signature is not verified, and does not match other contents.
  public let isSigned: Bool
  let storedBytes: FileBytes
  let storedContents: FileBytes
  /// The text that was transcoded to UTF-8; nil if it is read as it is.
  private let text: TranscodedText?
  /// The file in the ZIP archive that contains the bytes; nil for a file of its own.
  let outer: FileInZIP?

  /// Decompresses a file if its first bytes show that it is compressed. Transcodes a text to UTF-8 if an encoding is given, or if it
  /// is JSON in another encoding.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - name: The name of the file.
  ///   - format: The format of the contents, if it is given.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - budget: The limits.
  /// - Throws: A `FerryError` with a `CompressionProblem`, a `ContentProblem` or a limit of the budget as its reason.
  public init(
    _ bytes: [UInt8], named name: String? = nil, format: Format? = nil, encoding: String? = nil,
    budget: Budget = Budget()
  ) throws(FerryError) {
    try self.init(FileBytes(bytes), named: name, format: format, encoding: encoding, budget: budget)
  }

  /// Decompresses and transcodes a file whose format a document type may declare.
  package init(
    _ bytes: [UInt8], named name: String?, format: Format?, declared: DeclaredFormats, encoding: String?,
    budget: Budget
  ) throws(FerryError) {
    try self.init(
      FileBytes(bytes), named: name, format: format, declared: declared, encoding: encoding, budget: budget)
  }

  init(
    _ file: FileBytes, named name: String?, format: Format?, declared: DeclaredFormats = DeclaredFormats(),
    encoding: String?, hasTableOptions: Bool = false, budget: Budget, in outer: FileInZIP? = nil
  ) throws(FerryError) {
    if outer == nil { try budget.checkInput(file.count) }
    (storedBytes, self.outer) = (file, outer)
    let input = try UncompressedInput(
      FileBytesInput(file), named: name, format: format ?? name.flatMap(declared.format(ofFileNamed:)),
      budget: budget)
    (compressions, isSigned) = (input.compressions, input.isSigned)
    let contents = compressions.isEmpty && !isSigned ? file : FileBytes(try input.input.readAll())
    let given = format ?? declared.format(of: input.head, named: name)
    let found: Format?
    do throws(FerryError) {
      found = try Format.detect(
        input.head, named: name, given: given, encoding: encoding, hasTableOptions: hasTableOptions)
    } catch {
      if case .content(.unknownEncoding) = error.reason { throw error }
      // An unknown format has no encoding. The command reports it.
      found = nil
    }
    if found?.hasEncoding == true, contents.count > Budget.wholeBytes {
      throw FerryError(.file(.tooLarge(limit: Budget.wholeBytes)))
    }
    text = try found.flatMap { found throws(FerryError) in
      try TranscodedText(contents, in: found, givenEncoding: encoding)
    }
    storedContents = text.map { FileBytes($0.utf8) } ?? contents
  }

  /// Opens a file; of a ZIP archive with one file that file, unless the given format is that of the archive.
  static func opening(
    _ file: FileBytes, named name: String?, format: Format?, declared: DeclaredFormats, encoding: String?,
    hasTableOptions: Bool = false, budget: Budget
  ) throws(FerryError) -> EncodedFile {
    let stored = try EncodedFile(
      file, named: name, format: format, declared: declared, encoding: encoding,
      hasTableOptions: hasTableOptions, budget: budget)
    guard format?.isArchiveOfFiles != true, let outer = try FileInZIP(onlyFileOf: stored, budget) else {
      return stored
    }
    return try EncodedFile(outer, format: format, declared: declared, encoding: encoding, budget: budget)
  }

  /// Opens a file in a ZIP archive, to change it there.
  init(
    _ outer: FileInZIP, named name: String? = nil, format: Format?, declared: DeclaredFormats,
    encoding: String?, budget: Budget
  ) throws(FerryError) {
    try self.init(
      FileBytes(outer.contents()), named: name ?? outer.name, format: format, declared: declared,
      encoding: encoding, budget: budget, in: outer)
  }

  /// The bytes of the file; of one in a ZIP archive those of the archive.
  public var bytes: [UInt8] { outer?.archiveFile.bytes ?? storedBytes.copy }

  /// True if the file is one of several files of a ZIP archive, and does not hold the records of a package.
  package var isOneOfSeveral: Bool { outer?.role == .named }

  /// The name of the file in a ZIP archive; nil for a file of its own, and for one that holds the records of a package.
  package var nameInArchive: String? {
    guard let outer, outer.role != .records else { return nil }
    return outer.name
  }

  /// The decompressed bytes. A text that was transcoded is in UTF-8.
  public var contents: [UInt8] { storedContents.copy }

  /// True if `contents` is a text in UTF-8 for which no encoding may be given any more.
  var isTranscoded: Bool { text != nil }

  /// Returns the bytes of a file with other contents, in the same encoding and with the same compressions. Contents that have
  /// not changed keep the bytes of the file.
  ///
  /// - Throws: A `FerryError` with the reason `ContentProblem.notEncodable`, `notEncodedBack`, or `CompressionProblem.signed` for changed
  ///   contents of signed data.
  public func bytes(with contents: [UInt8]) throws(FerryError) -> [UInt8] {
    try checkSignature(of: contents)
    return try bytes(ofCopyWith: contents)
  }

  /// Throws if the file is signed, and has other contents.
  ///
  /// - Throws: A `FerryError` with the reason `CompressionProblem.signed`.
  package func checkSignature(of contents: [UInt8]) throws(FerryError) {
    guard !isSigned || contents.span.equals(storedContents.span) else {
      throw FerryError(.compression(.signed))
    }
  }

  /// Returns the bytes of a copy without a name, such as the standard output, with other contents, in the same encoding and with the same
  /// compressions. The copy of signed data with other contents has no signature.
  package func bytes(ofCopyWith contents: [UInt8]) throws(FerryError) -> [UInt8] {
    let bytes = try bytes(with: contents, compressions)
    guard let outer else { return bytes }
    return try outer.archiveFile.bytes(with: outer.archiveBytes(with: bytes, since: storedBytes))
  }

  /// Returns the bytes of a copy with other contents, in the same encoding and compressed as its name shows. The copy of signed
  /// data with other contents has no signature. The copy of a file in a ZIP archive is a copy of the archive; that of its only file is the file alone if the name is that of another format.
  public func bytes(with contents: [UInt8], forCopyNamed name: String) throws(FerryError) -> [UInt8] {
    let compression = Compression.ofFile(named: name).map { [$0] } ?? []
    guard let outer, !outer.isCopiedAlone(to: name) else { return try bytes(with: contents, compression) }
    let bytes = try bytes(with: contents, compressions)
    return try outer.archiveFile.bytes(
      with: outer.archiveBytes(with: bytes, since: storedBytes), forCopyNamed: name)
  }

  private func bytes(with contents: [UInt8], _ compressions: [Compression]) throws(FerryError) -> [UInt8] {
    guard text != nil || isSigned || compressions != self.compressions || !compressions.isEmpty else {
      return contents
    }
    if compressions == self.compressions, contents.span.equals(storedContents.span) {
      return storedBytes.copy
    }
    var bytes = try text?.encoded(contents) ?? contents
    for compression in compressions.reversed() { bytes = try compression.compressed(bytes) }
    return bytes
  }
}

/// A text in UTF-8 that is encoded back when it has changed.
private struct TranscodedText {
  let utf8: [UInt8]
  private let original: [UInt8]
  private let format: Format
  private let encoding: OutputEncoding
  /// The declaration of XML with another encoding, which is hidden in `utf8`.
  private let declaration: ArraySlice<UInt8>

  /// Decodes a text. Returns nil if the text is edited as it is.
  init?(_ contents: FileBytes, in format: Format, givenEncoding given: String?) throws(FerryError) {
    let head = contents.prefix(FormatDetector.headSize)
    guard let transcoding = format.editingTranscoding(of: contents, head, givenEncoding: given) else {
      return nil
    }
    original = contents.copy
    self.format = format
    var (decoder, text) = (TextDecoder(encoding: transcoding.name), [UInt8]())
    var lines = LineCounter()
    do throws(FerryError) {
      try decoder.append(contents.span, to: &text)
      try decoder.finish(to: &text)
    } catch {
      lines.finish(text.span)
      var location = lines.location(of: 0, in: Span())
      location.byte = nil
      throw error.placed(at: location)
    }
    encoding = OutputEncoding(name: decoder.codeName, mark: Array(head.prefix(decoder.markBytes)))
    let hidden = format.description.declaresEncoding ? HiddenDeclaration.encodingRange(in: text) : nil
    declaration = hidden.map { text[..<$0.upperBound] } ?? []
    utf8 = hidden == nil ? text : HiddenDeclaration.hidingEncoding(in: text)
  }

  /// Returns a changed text in the encoding.
  func encoded(_ contents: [UInt8]) throws(FerryError) -> [UInt8] {
    guard try encode(utf8) == original else {
      throw FerryError(.content(.notEncodedBack(encoding.nameInXML)))
    }
    return try encode(contents)
  }

  private func encode(_ contents: [UInt8]) throws(FerryError) -> [UInt8] {
    var bytes: [UInt8] = []
    var encoder = try TextEncoder(to: encoding, escape: format.characterEscape, declaresEncoding: false)
    // The edit keeps the declaration at its location.
    try encoder.append(declaration.span, to: &bytes)
    try encoder.append(
      contents.span.extracting(droppingFirst: min(declaration.count, contents.count)), to: &bytes)
    try encoder.finish(to: &bytes)
    return bytes
  }
}

extension Format {
  /// Returns the encoding from which a text is transcoded before it is edited; nil if the text is edited in its own encoding.
  ///
  /// - Parameters:
  ///   - contents: The text.
  ///   - head: The first bytes of the text.
  ///   - encoding: The encoding that is given, or nil.
  fileprivate func editingTranscoding(
    of contents: FileBytes, _ head: [UInt8], givenEncoding encoding: String?
  ) -> Transcoding? {
    if description.textEncoding == .marked {
      return encoding != nil || !TextDecoder.showsUnmarkedUTF8(head) ? Transcoding(name: encoding) : nil
    }
    if let transcoding = transcoding(of: head, givenEncoding: encoding) { return transcoding }
    // The editor of XML writes references for the characters that the declared encoding lacks, but that of property lists
    // does not. A property list in ASCII is read as UTF-8.
    if case .elements? = description.reader { return nil }
    guard description.declaresEncoding, XMLTextEncoding.declaresASCII(head), contents.span.isASCII else {
      return nil
    }
    return Transcoding(name: "US-ASCII")
  }
}
