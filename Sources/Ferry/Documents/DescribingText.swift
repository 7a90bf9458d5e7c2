/// A text that describes another file: a document in the typed form, or an archive in the raw form.
///
///     {"$ferry": 1, "$archiver": "NSKeyedArchiver", "$top": {…}}     describes a binary archive
///
/// Documents are merged, and records are added to them, in the file that is described. The text is then changed to describe the result.
struct DescribingText: Sendable {
  /// The format of the text.
  let format: Format
  /// The typed or the raw form.
  let representation: Representation
  /// The bytes of the text.
  let bytes: [UInt8]

  /// Creates the text of a document of a kind; nil if the values of the document are its own.
  init?(_ bytes: [UInt8], in format: Format, as kind: DocumentProbe.Kind) {
    switch kind {
    case .typed: representation = .typed
    case .rawArchive: representation = .raw
    case .other: return nil
    }
    (self.format, self.bytes) = (format.asPropertyList, bytes)
  }

  /// Returns the bytes of the file that the text describes.
  func file(of described: Format, _ budget: Budget) throws(FerryError) -> [UInt8] {
    try Self.conversion(from: format, to: described, budget).convert(bytes).bytes
  }

  fileprivate static func conversion(from source: Format, to target: Format, _ budget: Budget) -> Conversion {
    var conversion = Conversion(to: target)
    (conversion.reading.format, conversion.reading.matchesSchemas) = (source, false)
    conversion.reading.budget = budget
    return conversion
  }

  /// The encoding of the text: UTF-16 if the first bytes show it, otherwise UTF-8.
  fileprivate var encoding: XMLTextEncoding { format.encoding(of: bytes) }

  /// The text in UTF-8.
  fileprivate var text: [UInt8] { format.text(of: bytes) }

  /// Returns true if the text has the layout of the file, without which the file is written as a current Mac would.
  func hasLayout(_ budget: Budget) -> Bool {
    let text = text
    // Most texts without a layout do not have the word.
    guard text.span.firstIndex(of: "$layout", from: 0) != nil else { return false }
    guard !format.description.hasEditableElements else { return LayoutElement.range(in: text) != nil }
    guard let nodes = try? format.nodes(of: MemoryInput(bytes), budget: budget) else { return false }
    return ((try? nodes.value("$layout", of: nodes.root)) ?? nil) != nil
  }

  /// Returns true if another text has the same format and form.
  fileprivate func isLike(_ other: DescribingText) -> Bool {
    format == other.format && representation == other.representation && encoding == other.encoding
  }
}

/// A writer of the text for a changed file.
///
/// Of several texts, the first one counts that describes the file: the merged texts of three versions, which have the comments of both
/// sides; the text of our version with other values; and a new text.
struct DescribingTextEdit {
  let files: RecordDocumentFiles
  /// The document with the text to change.
  let document: RecordDocument
  /// The text of the document.
  let text: DescribingText
  /// The changed file.
  let file: [UInt8]

  /// Creates the writer of the text for a document; nil for a document that is not described by a text.
  init?(_ files: RecordDocumentFiles, _ document: RecordDocument, describing file: [UInt8]) {
    guard let text = document.describingText else { return nil }
    (self.files, self.document, self.text, self.file) = (files, document, text, file)
  }

  /// Returns the text of the document with the changes of the file.
  func changed(_ losses: LossReport) throws(FerryError) -> [UInt8] {
    let new = try newText()
    if let changed = changedText(to: new) { return changed }
    if try text.bytes != newText(of: document.bytes) { losses.add(.layout) }
    return new
  }

  /// Returns the merged text of three versions, and the conflicts of comments.
  ///
  /// - Parameters:
  ///   - winner: The side whose text the result has in a conflict.
  ///   - hasConflicts: True if values are in a conflict.
  func merged(
    base: RecordDocument?, theirs: RecordDocument, favoring winner: MergeSide, hasConflicts: Bool,
    _ losses: LossReport
  ) throws(FerryError) -> (bytes: [UInt8], conflicts: [TextConflict]) {
    guard let their = theirs.describingText, their.isLike(text), let old = base?.describingText,
      old.isLike(text)
    else { return (try changed(losses), []) }
    let texts = Versions(base: old.text, ours: text.text, theirs: their.text)
    let versions = texts.map(commented)
    let check = CommentCheck(versions, budget: files.budget)
    for merge in TextMerge.all(versions, favoring: winner) {
      let bytes = text.encoding.encoded(merge.bytes)
      let isRight =
        !merge.contentConflicts.isEmpty || check?.faults(in: commented(merge.bytes)).isEmpty ?? true
      guard isRight, isDescription(bytes) else { continue }
      let conflicts = merge.contentConflicts
      if !hasConflicts, conflicts.count < merge.conflicts.count { losses.add(.layout) }
      return (bytes, conflicts)
    }
    let bytes = try changed(losses)
    if let base, !hasChangedValuesAlone(theirs, since: base) { losses.add(.layout) }
    let references = ReferenceVersions(texts, text.format, budget: files.budget)
    return (bytes, references.conflicts(in: text.format.text(of: bytes)))
  }

  private func commented(_ bytes: [UInt8]) -> CommentedText {
    CommentedText(bytes, text.format, budget: files.budget)
  }

  /// Returns the text with the values of another one, which describes the changed file; nil if that is not possible.
  private func changedText(to new: [UInt8]) -> [UInt8]? {
    if let bytes = edited(to: new), isDescription(bytes) { return bytes }
    guard let old = try? newText(of: document.bytes) else { return nil }
    let texts = Versions(base: old, ours: text.text, theirs: new).map(commented)
    for merge in TextMerge.all(texts, favoring: .theirs) {
      let bytes = text.encoding.encoded(merge.bytes)
      if isDescription(bytes) { return bytes }
    }
    return nil
  }

  /// Returns the text edited to have the values of another text; nil if no paths lead into it.
  private func edited(to new: [UInt8]) -> [UInt8]? {
    var files = files.withoutSchema(in: text.format)
    files.readsTypedText = true
    guard let old = try? files.read(text.bytes, named: nil), old.describingText == nil,
      let new = try? files.read(new, named: nil)
    else { return nil }
    return files.editing(old, from: SharedObjects(old.value), to: SharedObjects(new.value))
  }

  /// Returns true if the text of a version is that of the base with other values.
  private func hasChangedValuesAlone(_ version: RecordDocument, since base: RecordDocument) -> Bool {
    guard let edit = DescribingTextEdit(files, base, describing: version.bytes),
      let new = try? edit.newText()
    else { return false }
    return edit.edited(to: new) == version.fileBytes
  }

  /// Returns a new text for the changed file.
  private func newText() throws(FerryError) -> [UInt8] {
    let new = try newText(of: file)
    // The raw form in JSON has no dates and data.
    if text.representation == .raw, !isDescription(new) {
      throw FerryError(.document(.notDescribed(format: text.format.description.noun)))
    }
    return new
  }

  /// Returns a new text for a file, with its layout if the text of the document has one.
  private func newText(of file: [UInt8]) throws(FerryError) -> [UInt8] {
    let leavesLayoutOut = text.representation == .typed && !text.hasLayout(files.budget)
    var file = file
    if leavesLayoutOut, let bare = try withoutLayout(newText(of: file, in: .json), in: .json) {
      file = try DescribingText.conversion(from: .json, to: document.format, files.budget).convert(bare).bytes
    }
    let new = try newText(of: file, in: text.format)
    // A file that is written without a layout may have orders of keys that a layout notes.
    return leavesLayoutOut ? try withoutLayout(new, in: text.format) ?? new : new
  }

  /// Returns a text for a file in a format and in the form of the document's text.
  private func newText(of file: [UInt8], in format: Format) throws(FerryError) -> [UInt8] {
    var conversion = DescribingText.conversion(from: document.format, to: format, files.budget)
    conversion.writing.representation = text.representation
    conversion.writing.isPretty = text.format.isPretty(text.bytes)
    return try conversion.convert(file).bytes
  }

  /// Returns a text in the typed form without its layout; nil if it has none.
  private func withoutLayout(_ text: [UInt8], in format: Format) throws(FerryError) -> [UInt8]? {
    // No paths lead into the typed form in XML.
    guard !format.description.hasEditableElements else {
      return LayoutElement.range(in: text).map { Array(text[..<$0.lowerBound] + text[$0.upperBound...]) }
    }
    var options = EditableFile.Options()
    (options.format, options.budget) = (format, files.budget)
    let editing = try EditableFile(text, options: options)
    let layout = ValuePath([.key("$layout")])
    guard (try? editing.value(at: layout)) != nil else { return nil }
    _ = try editing.remove(at: layout)
    return try editing.bytes()
  }

  /// Returns true if a text describes the changed file: the same values, classes and entries, with a layout that fits them.
  private func isDescription(_ bytes: [UInt8]) -> Bool {
    let conversion = DescribingText.conversion(from: text.format, to: document.format, files.budget)
    guard (try? text.format.kind(of: bytes, budget: files.budget)) != .other,
      let (described, report) = try? conversion.convert(bytes),
      !report.losses.counts.contains(where: { $0.kind == .storedBytes })
    else { return false }
    if described == file { return true }
    var comparison = FileComparison()
    (comparison.reading.matchesSchemas, comparison.reading.budget) = (false, files.budget)
    var new = FileComparison.File(bytes, name: "text")
    new.declaredFormat = text.format
    let found = try? comparison.differences(from: new, to: FileComparison.File(file, name: "file"))
    return found?.all.isEmpty ?? false
  }
}
