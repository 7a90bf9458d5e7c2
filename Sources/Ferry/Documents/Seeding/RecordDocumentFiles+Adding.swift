extension RecordDocumentFiles {
  /// Returns a document's bytes with records appended to its list. The existing records stay unchanged: each
  /// object of an archive or a property list, and each byte of a text.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - data: The document from which they come.
  ///   - classes: The classes that have replaced those of the data.
  ///   - document: The document.
  func adding(
    _ records: [Value], of data: RecordDocument, in classes: ClassesOfRecords, to document: RecordDocument,
    losses: LossReport
  ) throws(FerryError) -> [UInt8] {
    let hasLayout = document.describingText?.hasLayout(budget) ?? true
    let kept = LossReport(forwardingTo: losses) { hasLayout || $0.kind != .archiveLayout }
    let bytes = try addingToFile(records, of: data, in: classes, to: document, losses: kept)
    return try DescribingTextEdit(self, document, describing: bytes)?.changed(losses) ?? bytes
  }

  /// Returns the bytes of a document's file, or of the file that its text describes, with records appended to its list.
  private func addingToFile(
    _ records: [Value], of data: RecordDocument, in classes: ClassesOfRecords, to document: RecordDocument,
    losses: LossReport
  ) throws(FerryError) -> [UInt8] {
    let all = (document.records ?? []) + records
    let whole = Schema.document(document.value, with: all, document.schema)
    if document.format == .jsonLines {
      let lines = try bytes(of: .array(records), in: NewRecordFile(format: .jsonLines), losses: losses)
      let last = document.markedText?.text.last
      let endsLine = last == nil || last == UInt8(ascii: "\n")
      let added = (endsLine ? [] : [UInt8(ascii: "\n")]) + lines
      return try document.bytes + document.encoded(document.withLineEnds(added))
    }
    if let bytes = try addingRows(records, of: whole, to: document, losses) { return bytes }
    var files = self
    if document.format.isArchive {
      files.learnArchive(of: document)
      files.learnStorage(of: data, in: classes)
    }
    if let bytes = files.editing(document, from: SharedObjects(document.value), to: SharedObjects(whole)),
      document.hasAllTokens(in: bytes)
    {
      return bytes
    }
    if let bytes = try files.addingToText(whole, of: document, losses) { return bytes }
    // XML is rewritten from its records, so the records must contain everything in the file.
    if let loss = document.losses.listed.first {
      throw FerryError(.record(.addingLoses(loss.kind)), path: loss.path)
    }
    guard !document.format.isText || document.isUTF8 else {
      throw FerryError(.record(.addingReencodes))
    }
    if document.format.isArchive { losses.add(.archiveLayout) }
    let bytes = try files.bytes(of: whole, laidOutLike: document, schema: document.schema, losses: losses)
    return document.withLineEnds(bytes)
  }

  /// Returns a document's text with records of which some values become others, because the format cannot represent them: a date becomes text
  /// in JSON. Returns nil if the existing records would change, or the text cannot be edited.
  ///
  /// - Parameter whole: The value of the document with the records.
  private func addingToText(
    _ whole: Value, of document: RecordDocument, _ losses: LossReport
  ) throws(FerryError) -> [UInt8]? {
    guard document.format.isText, !document.format.isArchive, let old = document.records else { return nil }
    let newLosses = LossReport()
    let rewritten = try bytes(
      of: whole, laidOutLike: document, schema: document.schema, losses: newLosses)
    guard let held = read(rewritten, like: document), let records = held.records, records.count >= old.count,
      SharedComparison.areSame(.array(Array(records.prefix(old.count))), .array(old)),
      let bytes = editing(document, from: SharedObjects(document.value), to: SharedObjects(held.value)),
      document.hasAllTokens(in: bytes)
    else { return nil }
    losses.add(newLosses.all)
    return bytes
  }

  /// Returns a table's bytes with rows added at its end; nil if the document is not a table with a header, or if the result does not have
  /// the rows.
  ///
  /// - Parameter whole: The value of the document with the records.
  private func addingRows(
    _ records: [Value], of whole: Value, to document: RecordDocument, _ losses: LossReport
  ) throws(FerryError) -> [UInt8]? {
    guard var table = document.table(budget), let mark = document.markedText?.mark else { return nil }
    var layout = CSVWritingOptions()
    layout.delimiter = table.delimiter
    let rowLosses = LossReport()
    let file = NewRecordFile(format: document.format, schema: document.schema, rows: layout)
    let rows = try bytes(of: whole, in: file, losses: rowLosses)
    // A column that no record has is not in the rows.
    for name in table.columnNames where document.records?.isEmpty == true {
      guard !records.contains(where: { $0[name] != nil }) else { continue }
      for index in records.indices {
        rowLosses.add(.missingAsEmpty, path: ValuePath([.index(index), .key(name)]))
      }
    }
    table.add(records.count, lastRowsOf: rows)
    let bytes = try document.encoded(table.text, mark: mark)
    var reading = self
    reading.source = document.format
    guard let read = try? reading.read(bytes, named: nil, mapping: .onlyOfText).records,
      let old = document.records, read.count == old.count + records.count,
      zip(old, read).allSatisfy({ old, new in new.hasEntries(of: old) })
    else { return nil }
    losses.add(rowLosses.all)
    return bytes
  }
}

extension Value {
  /// Returns true if a dictionary has all entries of another one.
  fileprivate func hasEntries(of other: Value) -> Bool {
    guard case .dictionary(let entries) = self, case .dictionary(let others) = other else {
      return self == other
    }
    return others.allSatisfy { key, value in entries[key] == value }
  }
}

extension RecordDocument {
  /// Returns true if bytes have every comment, tag and value of the text of the document, perhaps among others. A tag
  /// of an empty element may have become two.
  fileprivate func hasAllTokens(in bytes: [UInt8]) -> Bool {
    guard format.isText else { return true }
    func tokens(_ text: [UInt8]) -> [TextPieces.Piece: Int] {
      TextPieces.tokens(of: text[...], isXML: format.isXML).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let new = tokens(format.text(of: bytes))
    return tokens(text).allSatisfy { token, count in
      TextPieces.isSpace(token) || token.elementsEqual("/>".utf8) || count <= new[token, default: 0]
    }
  }

  /// Returns records of this document for another document: with all objects that they refer to, also if other
  /// records contain these, and with object numbers that no file has.
  func separated(_ records: [Value], depth: Int) throws(FerryError) -> [Value] {
    let whole = SharedObjects(value)
    guard !whole.objects.isEmpty else { return records }
    let part = SharedObjects(SharedObjects(.array(records)).root, with: whole.objects).numberedApart()
    guard case .array(let separated) = try part.value(depth: depth) else { return records }
    return separated
  }
}
