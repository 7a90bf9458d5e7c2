/// JSON represented as XML elements, as the W3C functions `json-to-xml` and `xml-to-json` define it (XPath
/// and XQuery Functions and Operators 3.1, section 17.5).
///
///     {"a": [1, "x"], "b\u001b": null}
///
///     <map xmlns="http://www.w3.org/2005/xpath-functions">
///       <array key="a">
///         <number>1</number>
///         <string>x</string>
///       </array>
///       <null escaped-key="true" key="b\u001b"/>
///     </map>
///
/// Characters that XML does not allow are escaped as in JSON, and marked with the attribute `escaped` or
/// `escaped-key`. Ferry reads documents of this kind from any program.
enum JSONElements {
  static let namespace = "http://www.w3.org/2005/xpath-functions"

  /// Reads a document and sends its value to a sink.
  static func read(
    _ input: any ByteInput, into sink: any ValueSink, budget: Budget, locator: SourceLocator
  ) throws(FerryError) {
    let root = ElementDelegate()
    let value = JSONElementDelegate(into: sink, locator: locator)
    for name in ["map", "array", "string", "number", "boolean", "null"] { root.handle(name, with: value) }
    let stream = try XMLStream(document: root, budget: budget)
    try input.forEachChunk { chunk throws(FerryError) in try stream.read(chunk) }
    try stream.finish()
    guard value.isWhole else { throw FerryError(.typed(.missing("a value"))) }
  }

  /// Creates a delegate of a root element that sends its value to a sink.
  static func delegate(into sink: any ValueSink) -> ElementDelegate {
    JSONElementDelegate(into: sink, locator: SourceLocator())
  }
}

/// A writer of JSON values as XML elements.
final class JSONElementsWriter: PlainSink, PromptWriter {
  private let xml: XMLWriter
  private var key: (text: [UInt8], isEscaped: Bool)?
  private var isFirst = true
  var formatName: String { "XML" }

  init(to output: any ByteOutput, indentation: Indentation = .spaces(2)) throws(FerryError) {
    xml = try XMLWriter(to: output, indentation: indentation)
  }

  private func start(_ name: StaticString) throws(FerryError) {
    try xml.startElement(name)
    if isFirst { try xml.attribute("xmlns", BorrowedText(JSONElements.namespace.utf8.span)) }
    isFirst = false
    guard let key else { return }
    self.key = nil
    if key.isEscaped { try xml.attribute("escaped-key", BorrowedText("true".utf8.span)) }
    try xml.attribute("key", BorrowedText(key.text.span))
  }

  private func element(_ name: StaticString, _ text: String) throws(FerryError) {
    try start(name)
    try xml.text(BorrowedText(text.utf8.span))
    try xml.endElement()
  }

  func null() throws(FerryError) {
    try start("null")
    try xml.endElement()
  }
  func boolean(_ value: Bool) throws(FerryError) { try element("boolean", value ? "true" : "false") }
  func integer(_ value: Int128) throws(FerryError) { try element("number", value.notation) }
  func real(_ value: Double) throws(FerryError) {
    guard value.isFinite else { throw cannotHold("NaN or an infinity") }
    try element("number", value.notation)
  }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func number(_ text: BorrowedText) throws(FerryError) {
    try start("number")
    try xml.text(text)
    try xml.endElement()
  }

  func string(_ text: BorrowedText) throws(FerryError) {
    try start("string")
    if EscapedText.isNeeded(for: text) {
      var escaped: [UInt8] = []
      EscapedText.append(text, to: &escaped)
      try xml.attribute("escaped", BorrowedText("true".utf8.span))
      try xml.text(BorrowedText(escaped.span))
    } else {
      try xml.text(text)
    }
    try xml.endElement()
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    let isEscaped = EscapedText.isNeeded(for: text)
    var bytes: [UInt8] = []
    if isEscaped { EscapedText.append(text, to: &bytes) } else { bytes.append(copying: text.utf8) }
    key = (bytes, isEscaped)
  }

  func beginArray(count: Int?) throws(FerryError) { try start("array") }
  func endArray() throws(FerryError) { try xml.endElement() }
  func beginDictionary(count: Int?) throws(FerryError) { try start("map") }
  func endDictionary() throws(FerryError) { try xml.endElement() }
  func finish() throws(FerryError) { try xml.finish() }
  func flushComplete() throws(FerryError) { try xml.flush() }
}

/// A delegate that reads an element as a value. The same instance handles nested elements.
private final class JSONElementDelegate: ElementDelegate {
  private let sink: any ValueSink
  private let locator: SourceLocator
  private var open: [Element] = []
  private var text: [UInt8] = []
  private(set) var isWhole = false

  private struct Element {
    let name: String
    let isEscaped: Bool
  }

  init(into sink: any ValueSink, locator: SourceLocator) {
    (self.sink, self.locator) = (sink, locator)
    super.init()
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    guard let around = open.last, around.name == "map" || around.name == "array" else {
      throw FerryError(.typed(.crowded("an element inside a value")))
    }
    return self
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    let name = element.name.local
    if let around = open.last { try checkNoText(in: around.name) }
    locator.move(to: element.location)
    text.removeAll(keepingCapacity: true)
    if open.last?.name == "map" {
      guard let key = element.attribute("key") else { throw FerryError(.typed(.noKey(element: name))) }
      try send(key, isEscaped: element.attribute("escaped-key") == "true") { text throws(FerryError) in
        try sink.key(text)
      }
    }
    open.append(Element(name: name, isEscaped: element.attribute("escaped") == "true"))
    switch name {
    case "map": try sink.beginDictionary(count: nil)
    case "array": try sink.beginArray(count: nil)
    case "string", "number", "boolean", "null": break
    default: throw FerryError(.typed(.unknownTag(name)))
    }
  }

  override func text(_ text: BorrowedText) throws(FerryError) { self.text.append(copying: text.utf8) }

  override func didEnd() throws(FerryError) {
    guard let element = open.popLast() else { return }
    if ["map", "array", "null"].contains(element.name) { try checkNoText(in: element.name) }
    let text = String(decoding: text, as: UTF8.self)
    self.text.removeAll(keepingCapacity: true)
    switch element.name {
    case "map": try sink.endDictionary()
    case "array": try sink.endArray()
    case "null": try sink.null()
    case "boolean":
      guard let value = ["true": true, "1": true, "false": false, "0": false][text] else {
        throw FerryError(.typed(.badTag("boolean", found: MessageText.quoted(text))))
      }
      try sink.boolean(value)
    case "number":
      // A JSON reader parses the number, so that its notation determines its kind.
      let bytes = Array(text.utf8)
      try JSONReader.read(nested: bytes.span, into: NumberSink(to: sink), budget: Budget())
    default: try send(text, isEscaped: element.isEscaped) { text throws(FerryError) in try sink.string(text) }
    }
    isWhole = open.isEmpty
  }

  /// Throws for text directly in an element that has only elements or nothing. White space is layout.
  private func checkNoText(in name: String) throws(FerryError) {
    guard !text.allSatisfy(\.isSpace) else { return }
    let found = String(decoding: text, as: UTF8.self)
    throw FerryError(.typed(.badTag("<\(name)>", found: MessageText.quoted(found))))
  }

  private func send(_ text: String, isEscaped: Bool, _ body: (BorrowedText) throws(FerryError) -> Void)
    throws(FerryError)
  {
    guard isEscaped else { return try body(BorrowedText(text.utf8.span)) }
    guard let units = EscapedText.units(of: BorrowedText(text.utf8.span)) else {
      throw FerryError(.typed(.badTag("escaped", found: MessageText.quoted(text))))
    }
    let bytes = generalizedUTF8(units)
    try body(BorrowedText(generalized: bytes.span))
  }
}

/// A filter that accepts only a number, and does not forward `finish`, because the enclosing value continues.
private final class NumberSink: ForwardingSink {
  override func finish() throws(FerryError) {}
  override func null() throws(FerryError) { throw notNumber }
  override func boolean(_ value: Bool) throws(FerryError) { throw notNumber }
  override func string(_ text: BorrowedText) throws(FerryError) { throw notNumber }
  override func beginArray(count: Int?) throws(FerryError) { throw notNumber }
  override func beginDictionary(count: Int?) throws(FerryError) { throw notNumber }
  private var notNumber: FerryError {
    FerryError(.typed(.badTag("number", found: "a value of another kind")))
  }
}
