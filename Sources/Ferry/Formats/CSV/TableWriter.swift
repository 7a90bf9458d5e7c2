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
  private var table: TableText

  /// Creates a writer.
  ///
  /// - Parameter reportsText: True to report the values that are read again as text.
  init(to output: any TableOutput, _ context: RowsContext, reportsText: Bool = true) {
    table = TableText(to: output, context, reportsText: reportsText)
  }

  var formatName: String { "a table" }

  func null() throws(FerryError) { try table.null() }
  func boolean(_ value: Bool) throws(FerryError) { try table.boolean(value) }
  func integer(_ value: Int128) throws(FerryError) { try table.integer(value) }
  func real(_ value: Double) throws(FerryError) { try table.real(value) }
  func single(_ value: Float) throws(FerryError) { try table.real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) { try table.number(text) }
  func string(_ text: BorrowedText) throws(FerryError) { try table.string(text) }
  func beginArray(count: Int?) throws(FerryError) { try table.beginArray() }
  func endArray() throws(FerryError) { try table.endArray() }
  func beginDictionary(count: Int?) throws(FerryError) { try table.beginDictionary() }
  func key(_ text: BorrowedText) throws(FerryError) { try table.key(text) }
  func endDictionary() throws(FerryError) { try table.endDictionary() }
  func finish() throws(FerryError) { try table.finish() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try table.receive(events) }

  func flushComplete() throws(FerryError) { try table.flushComplete() }
}
