extension RecordDocumentFiles {
  /// The maximum number of changes that are made one by one. With more changes, those of a collection are made at once, or the text is
  /// edited as a whole.
  private static let changes = 20_000
  /// The maximum number of changes in an archive if each of them may need a repair of objects.
  private static let repairs = 200

  /// Returns a document's bytes with its value changed and everything else unchanged: each object of an
  /// archive or a property list, and each byte of a text. Returns nil if that is not possible.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - old: Its value, with shared objects numbered as in the new value.
  ///   - new: The new value.
  func editing(_ document: RecordDocument, from old: SharedObjects, to new: SharedObjects) -> [UInt8]? {
    let changes = ValueChanges(
      from: old.numbered(asInFileOf: old), to: new.numbered(asInFileOf: old), limit: Self.changes)
    guard let new = try? new.value(depth: budget.depth) else { return nil }
    // With a given schema, equal values may come from records of an older version, which must be upgraded.
    if let changes, changes.all.isEmpty, !document.isMapped || schema == nil { return document.bytes }
    if let changes, hasShapeOfFile(document) {
      // Changes that need a repair are made a second time.
      let mayRepair = document.format.isArchive && changes.all.count <= Self.repairs
      for checksEach in mayRepair ? [false, true] : [false] {
        guard let bytes = try? bytes(of: document, with: changes, checksEach: checksEach),
          has(bytes, new, like: document)
        else { continue }
        return bytes
      }
    }
    if changes == nil, hasShapeOfFile(document), let bytes = try? bytes(of: document, replacing: new),
      has(bytes, new, like: document)
    {
      return bytes
    }
    guard let old = try? old.value(depth: budget.depth) else { return nil }
    return editingText(of: document, from: old, to: new)
  }

  /// Learns how the objects of a document store their scalars, and the parts of the archive around its objects.
  mutating func learnArchive(of document: RecordDocument) {
    guard let archive = archive(of: document) else { return }
    learnStorage(of: archive, document, in: nil)
    archiveTop = ArchiveTop(of: archive)
  }

  /// Learns how the objects of a document store their scalars. Keys that are known keep their storage.
  ///
  /// - Parameter classes: The classes that replace those of the document; nil if they stay.
  mutating func learnStorage(of document: RecordDocument, in classes: ClassesOfRecords? = nil) {
    guard let archive = archive(of: document) else { return }
    learnStorage(of: archive, document, in: classes)
  }

  private mutating func learnStorage(
    of archive: ArchiveObjects, _ document: RecordDocument, in classes: ClassesOfRecords?
  ) {
    let names = ArchivedNames(document.isMapped ? document.schema : nil)
    let storage = ArchivedStorage(of: archive).renamed(names.newKeys)
    archivedStorage.add(classes.map { storage.renamed($0.newKeys) } ?? storage)
  }

  private func archive(of document: RecordDocument) -> ArchiveObjects? {
    guard document.format.isArchive,
      let nodes = try? document.format.nodes(of: MemoryInput(document.bytes), budget: budget)
    else { return nil }
    return try? ArchiveObjects(nodes)
  }

  /// Returns true if the schema leaves the value of a document as it is in the file. Then paths in the value are
  /// paths in the file.
  private func hasShapeOfFile(_ document: RecordDocument) -> Bool {
    guard document.isMapped else { return true }
    guard !document.format.isText else { return false }
    let read = try? withoutSchema(in: document.format).read(document.bytes, named: nil)
    return read?.value.isSame(as: document.value) ?? false
  }

  /// Returns true if bytes have a given value when they are read with the options of another document.
  private func has(_ bytes: [UInt8], _ value: Value, like document: RecordDocument) -> Bool {
    if bytes.allSatisfy(\.isSpace), document.hasSeveralDocuments, case .array([]) = value { return true }
    guard let read = read(bytes, like: document), read.isMapped == document.isMapped else { return false }
    return SharedComparison.areSame(read.value, document.valueInFile(value))
  }

  /// Returns a document's text with the equal parts of its value left as they are. Returns nil for other files, if no part is equal, and if
  /// the text would lose comments or anything else.
  private func bytes(of document: RecordDocument, replacing new: Value) throws(FerryError) -> [UInt8]? {
    guard let file = try editableFile(of: document), try file.replaceRootKeepingEqualParts(with: new) else {
      return nil
    }
    let losses = LossReport()
    let bytes = try file.bytes(losses: losses)
    return losses.isEmpty ? bytes : nil
  }

  /// Opens a document for changes of its values. Returns nil if it has none that can be changed by their paths.
  private func editableFile(of document: RecordDocument) throws(FerryError) -> EditableFile? {
    var options = EditableFile.Options()
    options.format = document.format
    // The options must match those with which the document was read.
    options.decodedForms = .scalars
    options.escapesPrefixes = true
    options.budget = budget
    let file = try EditableFile(document.bytes, options: options)
    // The rows of a table are edited as text, in which new ones get the quotation marks of cells that hold the same kind of text.
    return file.isEditable && !file.isTable ? file : nil
  }

  private func bytes(
    of document: RecordDocument, with changes: ValueChanges, checksEach: Bool
  ) throws(FerryError) -> [UInt8]? {
    guard let file = try editableFile(of: document) else { return nil }
    file.archivedStorage = archivedStorage
    try changes.apply(to: file, checksEach: checksEach)
    let bytes = try file.bytes()
    if document.format.isArchive {
      let versions = [(document.bytes, document.format)]
      try ArchiveFlawCount.check((bytes, document.format), since: versions, budget: budget)
    }
    return bytes
  }

  /// Returns a document's text, with the difference between the rewritten old and new values applied to it.
  /// Returns nil if the difference cannot be applied.
  private func editingText(of document: RecordDocument, from old: Value, to new: Value) -> [UInt8]? {
    guard document.format.isText, let base = try? bytes(of: old, like: document),
      let changed = try? bytes(of: new, like: document)
    else { return nil }
    let texts = Versions(base: base, ours: document.text, theirs: changed)
    let commented = texts.map { CommentedText($0, document.format, budget: budget) }
    for text in TextMerge.all(commented, favoring: .theirs) {
      let bytes = document.encoding.encoded(text.bytes)
      if has(bytes, new, like: document), !addsRepeatedKeys(bytes, to: document) { return bytes }
    }
    return nil
  }

  /// Returns true if a text repeats more keys than a document.
  private func addsRepeatedKeys(_ bytes: [UInt8], to document: RecordDocument) -> Bool {
    let repeated = RepeatedKeys.count(in: bytes, format: document.format, budget: budget)
    return repeated > 0
      && repeated > RepeatedKeys.count(in: document.bytes, format: document.format, budget: budget)
  }

  private func bytes(of value: Value, like document: RecordDocument) throws(FerryError) -> [UInt8] {
    var bytes = try bytes(
      of: value, laidOutLike: document, schema: document.isMapped ? document.schema : nil,
      losses: LossReport())
    if document.format.isXML, XML11.isDeclared(in: document.text.span) {
      bytes = XML11.referenced(bytes)
    }
    return document.withLineEnds(
      document.declaresOtherEncoding
        ? XMLTextEncoding.encoded(bytes, in: XMLTextEncoding.otherDeclared(in: document.bytes)) : bytes)
  }
}

extension RecordDocument {
  /// Returns text for the document with its line ends: a carriage return before each line feed if the
  /// document's last line ends in both, or in place of it if all lines end in one alone. In JSON and XML, line feeds outside of escapes are line ends. In an XML
  /// property list, those in strings are content, and are escaped.
  func withLineEnds(_ text: [UInt8]) -> [UInt8] {
    let own = format.isXML ? self.text : markedText?.text ?? self.text
    // The rows of a table are written with its line ends, and line feeds in its cells are content.
    guard format.isText, format.description.columnTypes == nil, let lineEnd = Self.lineEnd(in: own) else {
      return text
    }
    let isPropertyList = format.isXML && !format.isOfElements
    let lines = isPropertyList ? XMLPropertyListPrinter.escapingLineFeeds(in: text) : text
    return lines.withLineEnds(lineEnd)
  }

  /// Returns the end of the last line of a text if it has a carriage return, and nil for other texts.
  private static func lineEnd(in text: [UInt8]) -> [UInt8]? {
    guard let feed = text.lastIndex(of: UInt8(ascii: "\n")) else {
      return text.hasReturnsAlone ? [UInt8(ascii: "\r")] : nil
    }
    return feed > 0 && text[feed - 1] == UInt8(ascii: "\r") ? Array(text[(feed - 1)...feed]) : nil
  }
}

extension Format {
  /// True if a file of the format is text whose comments and layout can be kept.
  package var isText: Bool { description.textEncoding != nil && !isSingle }

  /// True if a file of the format has the syntax of XML.
  var isXML: Bool { description.declaresEncoding }
}

extension Format {
  /// True if a file of the format is edited as a whole, either as text or in the typed form.
  package var isEditedAsFile: Bool { canWrite && canRead && !description.isDatabase }

  /// True if documents in the typed form can have the format.
  package var hasTypedForm: Bool { description.typedSyntax != nil }

  /// Returns true if a file of the format is edited as its own text. Expanded data can only be edited in the
  /// typed form.
  package func isEditedAsText(expandingData: Bool) -> Bool {
    guard description.textEncoding != nil, !isArchive else { return false }
    return !(expandingData && capabilities.contains(.data))
  }

  /// Returns the format in which a file is edited: that of an empty file is the text format of its name.
  package static func edited(
    _ bytes: [UInt8], named name: String, declared: DeclaredFormats, expandingData: Bool, budget: Budget
  ) throws(FerryError) -> Format {
    guard bytes.isEmpty, let format = declared.format(ofFileNamed: name) ?? ofFile(named: name),
      format.isEditedAsText(expandingData: expandingData)
    else { return try of(bytes, named: name, declared: declared, budget: budget) }
    return format
  }

  /// Returns true if an edited text of the format has no value: it is empty, or white space, which only a single
  /// text may be.
  package func isEmptyText(_ bytes: [UInt8]) -> Bool {
    isSingle ? bytes.isEmpty : bytes.allSatisfy(\.isSpace)
  }

  /// Throws if a file that was edited would be detected as one of another format: a keyed archive without its objects is a binary
  /// property list, and XML in the place of YAML is XML. Any text stays a text.
  ///
  /// - Throws: A `FerryError` with the reason `DocumentProblem.editedFormat`.
  package func checkStays(
    in bytes: [UInt8], named name: String, declared: DeclaredFormats = DeclaredFormats(), budget: Budget
  ) throws(FerryError) {
    guard !isSingle else { return }
    let found = try Format.of(bytes, named: name, declared: declared, budget: budget)
    guard found != self else { return }
    throw becoming(found)
  }

  /// Returns the error of an edit. If the edited values are not an archive, which the file was, it says that the format would change.
  package func explaining(ofEdit error: FerryError) -> FerryError {
    error.reason == .archive(.notRawForm) ? becoming(asPropertyList) : error
  }

  private func becoming(_ other: Format) -> FerryError {
    FerryError(.document(.editedFormat(before: description.noun, after: other.description.noun)))
  }
}
