/// The state of a writer of records. It makes text from the events of JSON, and receives them also in batches.
///
/// It is a struct in the writer, so that a batch needs a single access to the writer's state.
protocol EventPrinter: ~Copyable {
  mutating func null() throws(FerryError)
  mutating func boolean(_ value: Bool) throws(FerryError)
  mutating func integer(_ value: Int128) throws(FerryError)
  mutating func real(_ value: Double) throws(FerryError)
  mutating func number(_ text: BorrowedText) throws(FerryError)
  /// Writes a string.
  ///
  /// - Parameter isPlain: True if the text is known to have no control characters, quotation marks or backslashes.
  mutating func string(_ text: BorrowedText, isPlain: Bool) throws(FerryError)
  /// Writes a key.
  ///
  /// - Parameter isPlain: True if the text is known to have no control characters, quotation marks or backslashes.
  mutating func key(_ text: BorrowedText, isPlain: Bool) throws(FerryError)
  mutating func beginArray() throws(FerryError)
  mutating func endArray() throws(FerryError)
  mutating func beginDictionary() throws(FerryError)
  mutating func endDictionary() throws(FerryError)
}

extension EventPrinter where Self: ~Copyable {
  /// Writes the events of a batch.
  @inline(__always)
  mutating func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    for index in 0..<events.count {
      do throws(FerryError) { try write(events, index) } catch {
        throw EventFailure(error: error, index: index)
      }
    }
  }

  /// Writes an event of a batch.
  @inline(__always)
  mutating func write(_ events: borrowing EventBatch, _ index: Int) throws(FerryError) {
    switch events.kind(index) {
    case .null: try null()
    case .boolean: try boolean(events.boolean(index))
    case .integer: try integer(events.integer(index))
    case .real: try real(events.real(index))
    case .number: try number(events.text(index))
    case .string: try string(events.text(index), isPlain: events.isPlain(index))
    case .key: try key(events.text(index), isPlain: events.isPlain(index))
    case .beginArray: try beginArray()
    case .endArray: try endArray()
    case .beginDictionary: try beginDictionary()
    case .endDictionary: try endDictionary()
    }
  }
}
