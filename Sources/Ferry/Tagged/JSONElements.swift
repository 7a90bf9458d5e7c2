/// JSON as XML elements, in the vocabulary of the W3C functions `json-to-xml` and `xml-to-json` (XPath and
/// XQuery Functions and Operators 3.1, section 17.5).
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
/// Characters that XML does not allow are escaped as in JSON, and marked with `escaped` or `escaped-key`.
/// Ferry reads any such document, not only its own.
enum JSONElements {
  static let namespace = "http://www.w3.org/2005/xpath-functions"

  /// Reads a document and sends its value.
  static func read(
    _ input: any Input, into sink: any ValueSink, budget: Budget, locator: SourceLocator
  ) throws(Failure) {
    let root = ElementDelegate()
    let value = JSONElementDelegate(into: sink, locator: locator)
    for name in ["map", "array", "string", "number", "boolean", "null"] { root.handle(name, with: value) }
    let stream = try XMLStream(document: root, budget: budget)
    try input.forEachChunk { chunk throws(Failure) in try stream.read(chunk) }
    try stream.finish()
    guard value.isWhole else { throw Failure(.typed(.missing("a value"))) }
  }
}

/// A writer of JSON values as elements.
final class JSONElementsWriter: PlainSink {
  private let xml: XMLWriter
  private var key: (text: [UInt8], isEscaped: Bool)?
  private var isFirst = true
  var formatName: String { "XML" }

  init(to output: any ByteOutput) throws(Failure) { xml = try XMLWriter(to: output) }

  private func start(_ name: StaticString) throws(Failure) {
    try xml.startElement(name)
    if isFirst { try xml.attribute("xmlns", Text(JSONElements.namespace.utf8.span)) }
    isFirst = false
    guard let key else { return }
    self.key = nil
    if key.isEscaped { try xml.attribute("escaped-key", Text("true".utf8.span)) }
    try xml.attribute("key", Text(key.text.span))
  }

  private func element(_ name: StaticString, _ text: String) throws(Failure) {
    try start(name)
    try xml.text(Text(text.utf8.span))
    try xml.endElement()
  }

  func null() throws(Failure) {
    try start("null")
    try xml.endElement()
  }
  func boolean(_ value: Bool) throws(Failure) { try element("boolean", value ? "true" : "false") }
  func integer(_ value: Int128) throws(Failure) { try element("number", value.description) }
  func real(_ value: Double) throws(Failure) {
    guard value.isFinite else { throw cannotHold("NaN or an infinity") }
    try element("number", value.description)
  }
  func single(_ value: Float) throws(Failure) { try real(Double(value)) }
  func number(_ text: Text) throws(Failure) {
    try start("number")
    try xml.text(text)
    try xml.endElement()
  }

  func string(_ text: Text) throws(Failure) {
    try start("string")
    if EscapedText.isNeeded(for: text) {
      var escaped: [UInt8] = []
      EscapedText.append(text, to: &escaped)
      try xml.attribute("escaped", Text("true".utf8.span))
      try xml.text(Text(escaped.span))
    } else {
      try xml.text(text)
    }
    try xml.endElement()
  }

  func key(_ text: Text) throws(Failure) {
    let isEscaped = EscapedText.isNeeded(for: text)
    var bytes: [UInt8] = []
    if isEscaped { EscapedText.append(text, to: &bytes) } else { bytes.append(copying: text.utf8) }
    key = (bytes, isEscaped)
  }

  func beginArray(count: Int?) throws(Failure) { try start("array") }
  func endArray() throws(Failure) { try xml.endElement() }
  func beginDictionary(count: Int?) throws(Failure) { try start("map") }
  func endDictionary() throws(Failure) { try xml.endElement() }
  func finish() throws(Failure) { try xml.finish() }
}

/// A delegate that reads an element with a value. It is also the delegate of the elements inside it.
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

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    guard let around = open.last, around.name == "map" || around.name == "array" else {
      throw Failure(.typed(.crowded("an element inside a value")))
    }
    return self
  }

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    let name = element.name.local
    locator.move(to: element.position)
    text.removeAll(keepingCapacity: true)
    if open.last?.name == "map" {
      guard let key = element.attribute("key") else { throw Failure(.typed(.noKey(element: name))) }
      try send(key, isEscaped: element.attribute("escaped-key") == "true") { text throws(Failure) in
        try sink.key(text)
      }
    }
    open.append(Element(name: name, isEscaped: element.attribute("escaped") == "true"))
    switch name {
    case "map": try sink.beginDictionary(count: nil)
    case "array": try sink.beginArray(count: nil)
    case "string", "number", "boolean", "null": break
    default: throw Failure(.typed(.unknownTag(name)))
    }
  }

  override func text(_ text: Text) throws(Failure) { self.text.append(copying: text.utf8) }

  override func didEnd() throws(Failure) {
    guard let element = open.popLast() else { return }
    let text = String(decoding: text, as: UTF8.self)
    switch element.name {
    case "map": try sink.endDictionary()
    case "array": try sink.endArray()
    case "null": try sink.null()
    case "boolean":
      guard let value = ["true": true, "1": true, "false": false, "0": false][text] else {
        throw Failure(.typed(.badTag("boolean", found: quotedForMessage(text))))
      }
      try sink.boolean(value)
    case "number":
      // JSON's notation determines the kind of the number.
      let reader = JSONReader(into: NumberSink(to: sink))
      let bytes = Array(text.utf8)
      try reader.read(bytes.span)
      try reader.finish()
    default: try send(text, isEscaped: element.isEscaped) { text throws(Failure) in try sink.string(text) }
    }
    isWhole = open.isEmpty
  }

  private func send(_ text: String, isEscaped: Bool, _ body: (Text) throws(Failure) -> Void)
    throws(Failure)
  {
    guard isEscaped else { return try body(Text(text.utf8.span)) }
    guard let units = EscapedText.units(of: Text(text.utf8.span)) else {
      throw Failure(.typed(.badTag("escaped", found: quotedForMessage(text))))
    }
    let bytes = generalizedUTF8(units)
    try body(Text(generalized: bytes.span))
  }
}

/// A filter that accepts only a number, and keeps the end of its text from ending the enclosing value.
private final class NumberSink: ForwardingSink {
  override func finish() throws(Failure) {}
  override func null() throws(Failure) { throw notNumber }
  override func boolean(_ value: Bool) throws(Failure) { throw notNumber }
  override func string(_ text: Text) throws(Failure) { throw notNumber }
  override func beginArray(count: Int?) throws(Failure) { throw notNumber }
  override func beginDictionary(count: Int?) throws(Failure) { throw notNumber }
  private var notNumber: Failure { Failure(.typed(.badTag("number", found: "a value of another kind"))) }
}
