/// A writer of XML property lists, byte for byte as Apple's frameworks write them.
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
/// Entries are written in the order of their events; Apple's writer sorts them by key. An archive's reference
/// is a dictionary with the single key `CF$UID`. Reals have 17 significant digits; the fraction of a date's
/// second is cut off. A string with a character that XML does not allow is refused; a carriage return is
/// written as `&#13;`.
public final class XMLPropertyListWriter: ValueSink {
  private static let format = "an XML property list"
  private var text: XMLPropertyListText

  /// Creates a writer of one property list.
  public init(to output: any ByteOutput) { text = XMLPropertyListText(to: output) }

  /// Throws: an XML property list has no null.
  public func null() throws(FerryError) { throw cannotHold("null") }
  public func boolean(_ value: Bool) throws(FerryError) { try text.boolean(value) }
  public func integer(_ value: Int128) throws(FerryError) {
    guard value >= -(1 << 63), value < 1 << 64 else {
      throw FerryError(.cannotHold(.integerRange("\(value)", format: Self.format)))
    }
    try text.integer(value)
  }
  public func real(_ value: Double) throws(FerryError) { try text.real(value) }
  /// Writes the 64-bit real of the same value.
  public func single(_ value: Float) throws(FerryError) { try text.real(Double(value)) }
  /// Throws: an XML property list cannot represent the number.
  public func number(_ text: BorrowedText) throws(FerryError) {
    throw cannotHold("the number \(String(text)), which no integer and no real is exactly")
  }
  public func string(_ text: BorrowedText) throws(FerryError) { try self.text.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(FerryError) { try text.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(FerryError) {
    guard let date = ISODate.wholeSecondsText(secondsSince2001) else {
      throw cannotHold("a date \(secondsSince2001) seconds from 2001")
    }
    // Property lists have no plus sign before a year of five digits.
    try text.date(date.hasPrefix("+") ? String(date.dropFirst()) : date)
  }
  public func uid(_ number: UInt64) throws(FerryError) { try text.uid(number) }
  public func beginArray(count: Int?) throws(FerryError) { try text.begin(.array) }
  public func endArray() throws(FerryError) { try text.end(.array) }
  public func beginDictionary(count: Int?) throws(FerryError) { try text.begin(.dictionary) }
  public func key(_ text: BorrowedText) throws(FerryError) { try self.text.key(text) }
  public func endDictionary() throws(FerryError) { try text.end(.dictionary) }
  /// Throws: an XML property list has no sets.
  public func beginSet(count: Int?) throws(FerryError) { throw cannotHold("a set") }
  /// Throws: an XML property list has no sets.
  public func endSet() throws(FerryError) { throw cannotHold("a set") }
  /// Throws: the keys of an XML property list are strings.
  public func beginKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws: the keys of an XML property list are strings.
  public func endKey() throws(FerryError) { throw cannotHold("a key that is not a string") }
  /// Throws: an XML property list has no objects of classes.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw cannotHold("an object")
  }
  /// Throws: an XML property list has no objects of classes.
  public func endObject() throws(FerryError) { throw cannotHold("an object") }
  /// Throws: an XML property list has no references to objects.
  public func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }
  public func finish() throws(FerryError) { try text.finish() }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: Self.format)))
  }
}
