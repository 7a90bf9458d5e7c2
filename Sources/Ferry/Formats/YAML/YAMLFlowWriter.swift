/// A writer of a value in flow style on one line: `[1, "a", {"b": null}]`. Strings are in double quotation marks.
final class YAMLFlowWriter: ValueSink {
  private(set) var text: [UInt8] = []
  /// The open collections, and whether each has an entry.
  private var open: [(close: Unicode.Scalar, hasEntry: Bool)] = []
  private var isAfterKey = false
  /// True to write an escape for each character beyond ASCII.
  private let isASCII: Bool

  init(isASCII: Bool = false) { self.isASCII = isASCII }

  /// True if all collections have ended.
  var isComplete: Bool { open.isEmpty }

  static func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: "YAML")))
  }
  static func misplaced(_ event: String) -> FerryError { FerryError(.cannotHold(.misplaced(event))) }

  /// Returns the scalar of a moment. `PlainForm` and the typed form have replaced those outside of the calendar.
  static func timestamp(_ seconds: Double) throws(FerryError) -> String {
    guard let text = ISODate.text(seconds) else { throw cannotHold("a date outside of the calendar") }
    return "!!timestamp \(text)"
  }

  /// Throws if the text of a number, which is written as it is, is not that of a number.
  static func check(number text: BorrowedText) throws(FerryError) {
    guard text.utf8.flawInJSONNumber == nil else { throw cannotHold("the number \(String(text))") }
  }

  private func separate() {
    guard !isAfterKey, let last = open.indices.last else {
      isAfterKey = false
      return
    }
    if open[last].hasEntry { text += ", ".utf8 }
    open[last].hasEntry = true
  }

  private func add(_ scalar: some Sequence<UInt8>) {
    separate()
    text += scalar
  }

  func null() throws(FerryError) { add("null".utf8) }
  func boolean(_ value: Bool) throws(FerryError) { add((value ? "true" : "false").utf8) }
  func integer(_ value: Int128) throws(FerryError) { add(value.notation.utf8) }
  func real(_ value: Double) throws(FerryError) { add(YAMLScalar.text(of: value).utf8) }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) {
    try Self.check(number: text)
    add(text.utf8.decodedString.utf8)
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    add(YAMLString.doubleQuoted(text.utf8, isASCII: isASCII))
  }
  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    add("!!binary \"\(Base64.encode(bytes).span.decodedString)\"".utf8)
  }
  func date(_ secondsSince2001: Double) throws(FerryError) { add(try Self.timestamp(secondsSince2001).utf8) }
  func uid(_ number: UInt64) throws(FerryError) { throw Self.cannotHold("a reference of an archive") }
  func reference(_ identity: Int) throws(FerryError) { throw Self.cannotHold("a reference to an object") }
  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    throw Self.cannotHold("an object")
  }
  func endObject() throws(FerryError) { throw Self.cannotHold("an object") }

  private func begin(_ mark: String, _ close: Unicode.Scalar) {
    add(mark.utf8)
    open.append((close, false))
  }

  private func end() throws(FerryError) {
    guard let last = open.popLast() else { throw Self.misplaced("the end of a collection") }
    text.append(UInt8(ascii: last.close))
  }

  func beginArray(count: Int?) throws(FerryError) { begin("[", "]") }
  func endArray() throws(FerryError) { try end() }
  func beginSet(count: Int?) throws(FerryError) { begin("!!set {", "}") }
  func endSet() throws(FerryError) { try end() }
  func beginDictionary(count: Int?) throws(FerryError) { begin("{", "}") }
  func endDictionary() throws(FerryError) { try end() }
  func key(_ text: BorrowedText) throws(FerryError) {
    key(flow: YAMLString.doubleQuoted(text.utf8, isASCII: isASCII))
  }

  /// Writes a key in flow style.
  func key(flow key: [UInt8]) {
    add(key)
    text += ": ".utf8
    isAfterKey = true
  }

  func beginKey() throws(FerryError) {
    separate()
    text += "? ".utf8
    isAfterKey = true
  }

  func endKey() throws(FerryError) {
    text += " : ".utf8
    isAfterKey = true
  }

  func finish() throws(FerryError) {}
}
