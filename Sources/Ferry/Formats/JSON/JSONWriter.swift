/// How JSON is laid out.
public enum JSONStyle: Hashable, Sendable, CaseIterable {
  /// `[{"a":1}]`
  case compact
  /// Each element and entry on its own line, two spaces for each level, `"a": 1`.
  case pretty
}

/// Writes a value as JSON, in UTF-8 and with a line feed at the end.
///
///     compact                        pretty
///     {"first":"Ada","tags":[]}      {
///                                      "first": "Ada",
///                                      "tags": []
///                                    }
///
/// Nothing is escaped but what must be: the quote, the backslash and control characters, by their short forms where they
/// have one. An unpaired surrogate is written as `\ud800`, so that it comes back.
///
/// An integer has all its digits. A real has the fewest that give it back, always with a point or an exponent so that it
/// comes back as a real; one of 32 bits is written as the exact 64-bit real it equals (`0.10000000149011612`). NaN and
/// infinities are refused. Events that make no value are refused too; what has been written is never more than a
/// beginning of JSON.
public final class JSONWriter: PlainSink {
  private var text: JSONText

  /// A writer of one value.
  public init(to output: any ByteOutput, style: JSONStyle = .compact) {
    text = JSONText(to: output, isPretty: style == .pretty, isLines: false)
  }

  /// A writer of the lines of `JSONLinesWriter`.
  init(linesTo output: any ByteOutput) {
    text = JSONText(to: output, isPretty: false, isLines: true)
  }

  public var formatName: String { JSONText.formatName }

  public func null() throws(Failure) { try text.word("null") }
  public func boolean(_ value: Bool) throws(Failure) { try text.word(value ? "true" : "false") }
  public func integer(_ value: Int128) throws(Failure) { try text.integer(value) }
  public func real(_ value: Double) throws(Failure) { try text.real(value) }
  public func single(_ value: Float) throws(Failure) { try text.real(Double(value)) }
  public func number(_ text: Text) throws(Failure) { try self.text.number(text) }
  public func string(_ text: Text) throws(Failure) { try self.text.string(text) }
  public func beginArray(count: Int?) throws(Failure) { try text.beginArray() }
  public func endArray() throws(Failure) { try text.endArray() }
  public func beginDictionary(count: Int?) throws(Failure) { try text.beginDictionary() }
  public func key(_ text: Text) throws(Failure) { try self.text.key(text) }
  public func endDictionary() throws(Failure) { try text.endDictionary() }
  public func finish() throws(Failure) { try text.finish() }

  /// Hands on the lines that are whole.
  func flushLines() throws(Failure) { try text.flushLines() }
}
