/// A writer of records, or of lists, as the rows of a table.
///
///     [{"name": "Ada", "age": 36}, {"name": "Bo", "tags": ["x"]}]
///
///     name,age,tags
///     Ada,36,
///     Bo,,"[""x""]"
///
/// The columns are those of the schema, then the keys in the order of their first occurrence. Arrays and dictionaries inside a
/// record become JSON text. A value that is not a list becomes a single row.
final class TableWriter: PlainSink, PromptWriter, BatchSink {
  private var printer: TablePrinter

  /// Creates a writer.
  ///
  /// - Parameter reportsText: True to report the values that are read again as text.
  init(to rows: any RowPrinter, _ context: RowsContext, reportsText: Bool = true) {
    printer = TablePrinter(to: rows, context, reportsText: reportsText)
  }

  /// True if the next values come from a text in which all values are texts.
  var isUntyped: Bool {
    get { printer.isUntyped }
    set { printer.isUntyped = newValue }
  }

  /// Returns true if the table has columns with all of some names so far.
  func hasColumns(_ names: [String]) -> Bool { printer.hasColumns(names) }

  var formatName: String { "a table" }

  func null() throws(FerryError) { try printer.null() }
  func boolean(_ value: Bool) throws(FerryError) { try printer.boolean(value) }
  func integer(_ value: Int128) throws(FerryError) { try printer.integer(value) }
  func real(_ value: Double) throws(FerryError) { try printer.real(value) }
  func single(_ value: Float) throws(FerryError) { try printer.real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) { try printer.number(text) }
  func string(_ text: BorrowedText) throws(FerryError) { try printer.string(text) }
  func beginArray(count: Int?) throws(FerryError) { try printer.beginArray() }
  func endArray() throws(FerryError) { try printer.endArray() }
  func beginDictionary(count: Int?) throws(FerryError) { try printer.beginDictionary() }
  func key(_ text: BorrowedText) throws(FerryError) { try printer.key(text) }
  func endDictionary() throws(FerryError) { try printer.endDictionary() }
  func finish() throws(FerryError) { try printer.finish() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try printer.receive(events) }

  func flushComplete() throws(FerryError) { try printer.flushComplete() }
}
