/// The format and the layout of a file of records to write.
struct NewRecordFile {
  let format: Format
  /// The types that a document of XML is to have; nil for others.
  var types: RootTypes?
  var schema: Schema?
  var isPretty = false
  /// The delimiter and the line ends of a table.
  var rows = CSVWritingOptions()
  /// True to write all columns of the schema to a table, even those without a value in any record.
  var hasAllColumns = false
  /// True to write each element of a list as a document of its own, in YAML.
  var hasDocuments = false

  /// Sets the options of a conversion that writes the file.
  func setOptions(of conversion: inout Conversion) {
    let isTable = if case .rows? = format.description.writer { true } else { false }
    conversion.reading.schema = types == nil && (isTable || format.isOfElements) ? schema : nil
    if isTable { conversion.mappedRows = hasAllColumns ? .ofSchema : .ofTable }
    // The schema has updated the records when they were read.
    conversion.hasUpdatedRecords = true
    if let types {
      (conversion.writing.xml.types, conversion.writing.rootElement) = (.attributes, types.wrapper)
    }
    conversion.writing.isPretty = isPretty
    conversion.writing.style.hasDocuments = hasDocuments
    conversion.writing.csv = rows
  }
}
