// Documents that are tables, with a header and rows.

extension RecordDocument {
  /// Returns the document's text if it is a table with a header; otherwise nil.
  func table(_ budget: Budget) -> CSVText? {
    guard isTable, case .stream(let makeReader) = format.description.reader,
      let text = markedText?.text
    else { return nil }
    let reader = (try? makeReader(NullSink(), ReaderContext(budget: budget))) as? CSVReader
    guard let reader, (try? reader.readAll(text.span)) != nil, let beginning = reader.beginning else {
      return nil
    }
    return CSVText(text, delimiter: beginning.delimiter, from: beginning.offset)
  }

  /// True if the document is in a format of tables.
  var isTable: Bool { format.description.columnTypes != nil }

  /// The document's text in UTF-8, and its byte order mark, which the text does not have; nil if it is not in the encoding that its
  /// first bytes show.
  var markedText: (text: [UInt8], mark: [UInt8])? {
    var (decoder, text) = (TextDecoder(encoding: nil), [UInt8]())
    do throws(FerryError) {
      try decoder.append(bytes.span, to: &text)
      try decoder.finish(to: &text)
    } catch {
      return nil
    }
    return (text, Array(bytes.prefix(decoder.markBytes)))
  }

  /// Returns a text in the encoding that the document's first bytes show.
  ///
  /// - Throws: A `FerryError` with the reason `ContentProblem.notEncodable`.
  func encoded(_ text: [UInt8], mark: [UInt8] = []) throws(FerryError) -> [UInt8] {
    let name = TextDecoder.nameOfEncoding(shownBy: bytes)
    guard !name.equals("UTF-8") else { return mark + text }
    var encoded = mark
    var encoder = try TextEncoder(
      to: OutputEncoding(name: name, mark: []), escape: nil, declaresEncoding: false)
    try encoder.append(text.span, to: &encoded)
    try encoder.finish(to: &encoded)
    return encoded
  }
}

extension CSVText {
  /// The delimiter and the line ends as options of a writer.
  fileprivate var layout: CSVWritingOptions {
    var layout = CSVWritingOptions()
    (layout.delimiter, layout.endsRowsInCRLF) = (delimiter, lineEnd.count == 2)
    return layout
  }
}

extension RecordDocumentFiles {
  /// Returns the file for a value in the format of a document, with the layout of the document: JSON is indented as the document is, and rows
  /// have the delimiter, the line ends and the quotation marks of the other ones. Names in XML have the prefixes of the document. A table
  /// without rows is the header of the document. The elements of a list are documents if the document has several.
  func bytes(
    of value: Value, laidOutLike document: RecordDocument, schema: Schema?, losses: LossReport
  ) throws(FerryError) -> [UInt8] {
    let table = document.table(budget)
    // A table without rows keeps its columns.
    if let table, case .array(let rows) = value, rows.isEmpty { return table.header }
    let file = NewRecordFile(
      format: document.format, types: document.types, schema: schema, isPretty: document.isPretty,
      rows: table?.layout ?? CSVWritingOptions(), hasDocuments: document.hasSeveralDocuments)
    let bytes = try bytes(of: value, in: file, losses: losses)
    if document.format.description.hasEditableElements, let names = schema?.names {
      return DeclaredNamespaces(of: document.text)?.renamed(bytes, names) ?? bytes
    }
    return table?.notating(bytes) ?? bytes
  }
}
