/// A receiver of the rows of CSV.
protocol CSVRowReceiver: ~Copyable {
  /// Receives a complete row.
  ///
  /// - Parameter offset: The offset at which an error is located: that of the row at first.
  mutating func receive(
    _ row: borrowing CSVRow, _ columns: CSVColumns, _ offset: inout Int
  ) throws(FerryError)
  /// Receives the text of the rows so far before it is discarded.
  mutating func endChunk(_ text: Span<UInt8>, _ offset: inout Int) throws(FerryError)
}
