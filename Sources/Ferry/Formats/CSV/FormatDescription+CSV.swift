extension FormatDescription {
  static let csv = delimited(
    by: UInt8(ascii: ","), isFound: true, extensions: ["csv"],
    summary: "CSV (RFC 4180): one record a row, with the names of the columns in the first row", noun: "CSV",
    typeIdentifier: "public.comma-separated-values-text")

  static let tsv = delimited(
    by: UInt8(ascii: "\t"), isFound: false, extensions: ["tsv", "tab"],
    summary: "TSV: CSV with tabs between the cells", noun: "TSV",
    typeIdentifier: "public.tab-separated-values-text")

  static let table = FormatDescription(
    summary: "a table with aligned columns, for a terminal", noun: "a table", content: .tables, shape: .rows,
    signature: .none, reader: nil,
    writer: .rows { output, context in
      TableWriter(
        to: AlignedRowPrinter(to: output, context.layout), context, reportsText: false)
    },
    layoutOptions: .columns, textEncoding: .utf8, editingAlternative: .display, capabilities: .tableCells,
    dialect: .csv)

  /// Returns the description of a format with a delimiter between cells.
  ///
  /// - Parameter isFound: True if a reader detects the delimiter.
  private static func delimited(
    by delimiter: UInt8, isFound: Bool, extensions: [String], summary: String, noun: String,
    typeIdentifier: String
  ) -> FormatDescription {
    let given = isFound ? nil : delimiter
    return FormatDescription(
      summary: summary, noun: noun, extensions: extensions, content: .tables, shape: .rows,
      typeIdentifiers: [typeIdentifier], signature: .table(extensions), canBeEmpty: true,
      reader: .stream { sink, context throws(FerryError) in
        try CSVReader(into: sink, context, delimiter: given)
      },
      columnTypes: { input, context throws(FerryError) in
        let survey = try CSVTypeSurvey(context, delimiter: given)
        try survey.readAll(input)
        return survey.foundColumns
      },
      otherReadFormats: isFound ? [.tsv] : [],
      listLayout: .rows,
      writer: .rows { output, context throws(FerryError) in
        let rows = try CSVRowPrinter(
          to: output, delimiter: delimiter, context.layout,
          hasColumnsOfFirstRow: context.hasColumnsOfFirstRow)
        return TableWriter(to: rows, context)
      },
      layoutOptions: [.columns, .delimiters], leavesOutRecords: true,
      streams: true, textEncoding: .marked,
      editableTable: { text, context throws(FerryError) in
        try CSVTable(text, context, delimiter: given)
      }, capabilities: .csv, dialect: .csv)
  }
}

extension FormatCapabilities {
  /// The kinds of values that a cell of CSV can represent. Null is written as an empty cell, and the writer reports the loss.
  static let csv: FormatCapabilities = [.nulls]
  /// The kinds of values that a table for a terminal can show.
  static let tableCells: FormatCapabilities = [.nulls, .numbers, .decimals, .notFinite]
  /// The kinds of values that a writer of rows accepts. It reports those that a cell cannot represent.
  static let rows: FormatCapabilities = [.nulls, .numbers, .decimals, .surrogates]
}
