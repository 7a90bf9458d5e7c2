/// The kind of writer of a format.
enum FormatWriter: Sendable {
  /// A writer of any values that the format can represent.
  case values(@Sendable (any ByteOutput, WriterContext) throws(FerryError) -> any ValueSink)
  /// A writer of archives. It sends their property list to a writer of `propertyListFormat`.
  case archive
  /// A writer of XML elements, by a schema or by convention.
  case elements
  /// A writer of the rows of a table.
  case rows(@Sendable (any ByteOutput, RowsContext) throws(FerryError) -> any ValueSink)
  /// A writer of the tables of a database.
  case tables
}

/// A writer of a streaming format, which can write what is complete before the value ends.
protocol PromptWriter: AnyObject {
  /// Writes the complete part of the buffered output, because the input pauses.
  func flushComplete() throws(FerryError)
}

/// The options of a writer of rows.
struct RowsContext {
  /// The columns and the layout.
  var layout = CSVWritingOptions()
  /// The fields of the schema.
  var fields: [Field] = []
  /// True if each field of the schema has a column, false if only the keys of the records have columns.
  var hasColumnsOfFields = true
  /// True if each row has the columns of the first one, so that rows need not wait for the columns of later ones.
  var hasColumnsOfFirstRow = false
  /// True if the values come from a format in which every scalar is text, so that a text may mean a number.
  var isUntyped = false
  /// Receives the values that a table cannot represent.
  var losses: LossReport
  var budget: Budget
  /// Returns the columns that the table has in the source, for a table without rows.
  var columnsOfSource: () throws(FerryError) -> [String] = { () throws(FerryError) in [] }

  /// A field of a schema.
  struct Field {
    let name: String
    /// True if the schema restores the types of its values.
    let restoresTypes: Bool
    /// True if the empty text is a value of the field, and a reader takes an empty cell for a missing value.
    let mayBeEmptyOrMissing: Bool
    /// True if the key of the field has a dot of its own, at which a reader of nested dictionaries divides the name of its column.
    var hasDividedKey = false
  }
}

/// The options of a writer.
struct WriterContext {
  /// The layout, in formats that can be compact or pretty-printed.
  var style = OutputStyle.compact
  /// True if the values are the raw property list of an archive.
  var holdsArchive = false
  /// The name of an Xcode project, which its package has.
  var projectName: String?
  /// Receives the values that the format cannot represent, if only the writer finds them.
  var losses: LossReport?
  /// True if the values are in the root element of XML, which is not a loss if a single value is taken out of it.
  var hasRootElement = false
  /// Knows whether the outermost list is one of documents, or is nil if it is not.
  var documents: FoundDocuments?

  /// Receives the loss of the values around a single one.
  var lossesAroundValue: LossReport? { hasRootElement ? nil : losses }
}

extension Format {
  /// Returns the writer of any values that the format can represent; nil if the format has another kind of writer.
  package func valueWriter(to output: any ByteOutput) throws(FerryError) -> (any ValueSink)? {
    guard case .values(let makeWriter)? = description.writer else { return nil }
    return try makeWriter(output, WriterContext())
  }
}
