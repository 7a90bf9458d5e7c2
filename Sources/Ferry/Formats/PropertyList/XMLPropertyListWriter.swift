/// A writer of XML property lists with the same bytes as those of Apple's frameworks.
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
///     <plist version="1.0">
///     <dict>
///     	<key>born</key>
///     	<date>1815-12-10T00:00:00Z</date>
///     	<key>portrait</key>
///     	<data>
///     	AAEC
///     	</data>
///     </dict>
///     </plist>
///
/// Entries are written in the order of the events, whereas Apple's writer sorts them by key. A reference of
/// an archive is a dictionary whose only key is `CF$UID`. Reals have 17 significant digits, and fractions of
/// seconds in dates are dropped. A character that XML does not allow throws an error. A carriage return is
/// written as `&#13;`.
public final class XMLPropertyListWriter: PlainSink, PromptWriter, BatchSink {
  private var printer: XMLPropertyListPrinter

  /// Creates a writer of a single property list.
  public init(to output: any ByteOutput) { printer = XMLPropertyListPrinter(to: output) }

  public var formatName: String { XMLPropertyListPrinter.format }

  /// Throws an error, because an XML property list cannot represent null.
  public func null() throws(FerryError) { try printer.null() }
  public func boolean(_ value: Bool) throws(FerryError) { try printer.boolean(value) }
  public func integer(_ value: Int128) throws(FerryError) { try printer.integer(value) }
  public func real(_ value: Double) throws(FerryError) { try printer.real(value) }
  /// Writes a 32-bit real as the 64-bit real of the same value.
  public func single(_ value: Float) throws(FerryError) { try printer.real(Double(value)) }
  /// Throws an error, because an XML property list cannot represent a decimal with more digits than a real.
  public func number(_ text: BorrowedText) throws(FerryError) { try printer.number(text) }
  public func string(_ text: BorrowedText) throws(FerryError) { try printer.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { try printer.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(FerryError) {
    guard let date = ISODate.wholeSecondsText(secondsSince2001) else {
      throw cannotHold("a date \(secondsSince2001) seconds from 2001")
    }
    // A year with five digits must not have a plus sign in a property list.
    try printer.date(date.hasPrefix("+") ? String(date.dropFirst()) : date)
  }
  public func uid(_ number: UInt64) throws(FerryError) { try printer.uid(number) }
  public func beginArray(count: Int?) throws(FerryError) { try printer.beginArray() }
  public func endArray() throws(FerryError) { try printer.endArray() }
  public func beginDictionary(count: Int?) throws(FerryError) { try printer.beginDictionary() }
  public func key(_ text: BorrowedText) throws(FerryError) { try printer.key(text) }
  public func endDictionary() throws(FerryError) { try printer.endDictionary() }
  public func finish() throws(FerryError) { try printer.finish() }
  func flushComplete() throws(FerryError) { try printer.flush() }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try printer.receive(events) }
}
