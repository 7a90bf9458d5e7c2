/// A reader of CSV (RFC 4180), TSV and similar text. Each row becomes a dictionary, with the keys of the header.
///
///     name,motto⏎                     [ {"name": "Ada", "motto": "a, b"},
///     Ada,"a, b"⏎                       {"name": "Bo", "motto": ""} ]
///     Bo,⏎
///
/// Cells are text unless their types are given. Blank lines are left out. The reader needs memory for one row and one chunk.
final class CSVReader: ChunkReader {
  private var parser: CSVParser
  private var rows: CSVRowSender
  private var hasBegun = false
  /// The names of the columns if the input has a header and no rows; otherwise nil.
  var columnsWithoutRows: [String]? {
    guard rows.count == 0 else { return nil }
    return parser.columns?.names?.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The delimiter, and the offset of the first row in the text; nil until the delimiter is known.
  var beginning: (delimiter: UInt8, offset: Int)? { parser.beginning }

  /// Creates a reader.
  ///
  /// - Parameter delimiter: The delimiter of the format, or nil to find it.
  init(into sink: any ValueSink, _ context: ReaderContext, delimiter: UInt8?) throws(FerryError) {
    parser = CSVParser(context, delimiter: try context.csv.delimiter(ofFormat: delimiter))
    rows = CSVRowSender(to: sink, context)
  }

  func read(_ chunk: Span<UInt8>) throws(FerryError) {
    try begin()
    try parser.read(chunk, into: &rows)
  }

  func finish() throws(FerryError) {
    try begin()
    try parser.finish(into: &rows)
    try rows.end()
  }

  private func begin() throws(FerryError) {
    guard !hasBegun else { return }
    hasBegun = true
    try rows.begin()
  }
}
