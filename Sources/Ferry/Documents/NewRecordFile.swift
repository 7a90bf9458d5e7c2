/// A file of records to write: its format, and its layout.
struct NewRecordFile {
  let format: Format
  /// The types that a document of XML is to have; nil for others.
  var types: RootTypes?
  var schema: Schema?
  var isPretty = false
  /// The delimiter and the line ends of a table.
  var rows = CSVWritingOptions()
  /// True if a table gets all columns of the schema, also those that no record has.
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
