/// Writes an XML property list, byte for byte as Apple's frameworks write it.
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
/// Entries are written in the order of their events; Apple's writer sorts them by key. A reference of an archive is
/// a dictionary with the one key `CF$UID`. Reals have 17 significant digits; the fraction of a date's second is cut off.
/// A string that holds a character which XML cannot is refused; a carriage return is written as `&#13;`.
public final class XMLPropertyListWriter: ValueSink {
  private static let format = "an XML property list"
  private var text: XMLPropertyListText

  /// A writer of one property list.
  public init(to output: any ByteOutput) { text = XMLPropertyListText(to: output) }

  /// Refused.
  public func null() throws(Failure) { throw cannotHold("null") }
  public func boolean(_ value: Bool) throws(Failure) { try text.boolean(value) }
  public func integer(_ value: Int128) throws(Failure) {
    guard value >= -(1 << 63), value < 1 << 64 else {
      throw Failure(.cannotHold(.integerRange("\(value)", format: Self.format)))
    }
    try text.integer(value)
  }
  public func real(_ value: Double) throws(Failure) { try text.real(value) }
  /// Written as the 64-bit real of the same value.
  public func single(_ value: Float) throws(Failure) { try text.real(Double(value)) }
  /// Refused.
  public func number(_ text: Text) throws(Failure) {
    throw cannotHold("the number \(String(text)), which no integer and no real is exactly")
  }
  public func string(_ text: Text) throws(Failure) { try self.text.string(text) }
  public func data(_ bytes: Span<UInt8>) throws(Failure) { try text.data(bytes) }
  public func date(_ secondsSince2001: Double) throws(Failure) {
    guard let date = ISODate.wholeSecondsText(secondsSince2001) else {
      throw cannotHold("a date \(secondsSince2001) seconds from 2001")
    }
    // Property lists know no sign before a year of five digits.
    try text.date(date.hasPrefix("+") ? String(date.dropFirst()) : date)
  }
  public func uid(_ number: UInt64) throws(Failure) { try text.uid(number) }
  public func beginArray(count: Int?) throws(Failure) { try text.begin(.array) }
  public func endArray() throws(Failure) { try text.end(.array) }
  public func beginDictionary(count: Int?) throws(Failure) { try text.begin(.dictionary) }
  public func key(_ text: Text) throws(Failure) { try self.text.key(text) }
  public func endDictionary() throws(Failure) { try text.end(.dictionary) }
  /// Refused.
  public func beginSet(count: Int?) throws(Failure) { throw cannotHold("a set") }
  /// Refused.
  public func endSet() throws(Failure) { throw cannotHold("a set") }
  /// Refused.
  public func beginKey() throws(Failure) { throw cannotHold("a key that is not a string") }
  /// Refused.
  public func endKey() throws(Failure) { throw cannotHold("a key that is not a string") }
  /// Refused.
  public func beginObject(_ type: ObjectClass, identity: Int?) throws(Failure) {
    throw cannotHold("an object")
  }
  /// Refused.
  public func endObject() throws(Failure) { throw cannotHold("an object") }
  /// Refused.
  public func reference(_ identity: Int) throws(Failure) { throw cannotHold("a reference to an object") }
  public func finish() throws(Failure) { try text.finish() }

  private func cannotHold(_ kind: String) -> Failure {
    Failure(.cannotHold(.kind(kind, format: Self.format)))
  }
}
