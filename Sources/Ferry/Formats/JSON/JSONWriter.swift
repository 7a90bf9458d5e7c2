/// A writer of JSON in UTF-8, with a line feed at the end.
///
///     compact                        pretty
///     {"first":"Ada","tags":[]}      {
///                                      "first": "Ada",
///                                      "tags": []
///                                    }
///
/// Only quotation marks, backslashes and control characters are escaped, with short escapes if they exist. An
/// unpaired surrogate is written as an escape such as `\ud800`, so that it is preserved.
///
/// An integer is written with all its digits. A real is written with the fewest digits that restore it, and
/// always with a point or an exponent, so that it is read as a real. A 32-bit real is written like the 64-bit
/// real of the same value (`0.10000000149011612`). NaN, infinities, and events in an invalid order throw an
/// error. The output is always a prefix of valid JSON.
public final class JSONWriter: PlainSink, PromptWriter, BatchSink {
  private var printer: JSONPrinter

  /// Creates a writer of a single value.
  public init(to output: any ByteOutput, style: OutputStyle = .compact) {
    printer = JSONPrinter(to: output, style)
  }

  /// Creates a writer of a dialect or of several values.
  init(
    to output: any ByteOutput, style: OutputStyle, _ layout: JSONLayout = .document,
    _ dialect: JSONDialect = .strict
  ) {
    printer = JSONPrinter(to: output, style, layout, dialect)
  }

  public var formatName: String { JSONPrinter.formatName }

  public func null() throws(FerryError) { try printer.null() }
  public func boolean(_ value: Bool) throws(FerryError) { try printer.boolean(value) }
  public func integer(_ value: Int128) throws(FerryError) { try printer.integer(value) }
  public func real(_ value: Double) throws(FerryError) { try printer.real(value) }
  public func single(_ value: Float) throws(FerryError) { try printer.real(Double(value)) }
  public func number(_ text: BorrowedText) throws(FerryError) { try printer.number(text) }
  public func string(_ text: BorrowedText) throws(FerryError) { try printer.string(text) }
  public func beginArray(count: Int?) throws(FerryError) { try printer.beginArray() }
  public func endArray() throws(FerryError) { try printer.endArray() }
  public func beginDictionary(count: Int?) throws(FerryError) { try printer.beginDictionary() }
  public func key(_ text: BorrowedText) throws(FerryError) { try printer.key(text) }
  public func endDictionary() throws(FerryError) { try printer.endDictionary() }
  public func finish() throws(FerryError) { try printer.finish() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try printer.receive(events) }

  /// Writes the output so far; of lines, only the complete ones.
  func flushComplete() throws(FerryError) { try printer.flushComplete() }
}
