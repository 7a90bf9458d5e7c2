/// A writer of JsonML as XML. It adds no white space.
///
///     ["a", {"b": "1"}, "x", ["c"]]    <a b="1">x<c/></a>
///
/// A list of elements, such as that of several documents, is put into a root element:
///
///     [["a", "x"], ["c"]]              <root><a>x</a><c/></root>
final class JsonMLWriter: PlainSink, PromptWriter {
  private enum State {
    /// At the beginning or the end of the document.
    case outside
    /// After the beginning of an element, before its name.
    case beforeName
    /// After the name, before the attributes.
    case afterName
    case inAttributes
    case inContent
  }

  private var xml: XMLPrinter
  private let losses: LossReport
  private var states = [State.outside]
  private var attribute: [UInt8] = []
  private var hasAttributes = false
  /// True if the last content was text, which a reader puts together with a next one.
  private var endsInText = false

  let formatName = "XML"

  init(to output: any ByteOutput, losses: LossReport) throws(FerryError) {
    xml = try XMLPrinter(to: output, indent: 0)
    self.losses = losses
  }

  func finish() throws(FerryError) { try xml.finish() }

  func flushComplete() throws(FerryError) { try xml.flush() }

  private func unexpected(_ expected: String) -> FerryError {
    FerryError(.xml(.notJsonML(expected: expected)))
  }

  private var state: State {
    get { states[states.count - 1] }
    set { states[states.count - 1] = newValue }
  }

  func string(_ text: BorrowedText) throws(FerryError) {
    switch state {
    case .outside: throw unexpected("an array for the root element")
    case .beforeName:
      try check(name: text.utf8)
      try xml.startElement(text.utf8)
      (state, endsInText) = (.afterName, false)
    case .inAttributes:
      let name = attribute
      try check(name: name.span)
      try xml.attribute(name.span, text)
    case .afterName, .inContent:
      state = .inContent
      if text.utf8.isEmpty { losses.add(.emptyText) }
      try content(text)
    }
  }

  /// Refuses a name with its namespace in braces, which would get a prefix.
  private func check(name: Span<UInt8>) throws(FerryError) {
    guard name.isXMLName else { throw FerryError(.xml(.badName(name.decodedString))) }
  }

  private func content(_ text: BorrowedText) throws(FerryError) {
    guard !text.utf8.isEmpty else { return }
    if endsInText { losses.add(.contentForm) }
    endsInText = true
    try xml.text(text)
  }

  private func text(_ text: String, _ loss: Loss.Kind) throws(FerryError) {
    guard state != .beforeName else { throw unexpected("the name of the element, a string") }
    losses.add(loss)
    try string(BorrowedText(text.utf8.span))
  }

  func null() throws(FerryError) {
    guard state == .afterName || state == .inContent else { return try text("", .nullAsText) }
    losses.add(.nullAsText)
    state = .inContent
  }

  func boolean(_ value: Bool) throws(FerryError) { try text(value ? "true" : "false", .booleanAsText) }
  func integer(_ value: Int128) throws(FerryError) { try text(value.notation, .numberAsText) }
  func real(_ value: Double) throws(FerryError) { try text(value.notation, .numberAsText) }
  func single(_ value: Float) throws(FerryError) { try text(value.notation, .numberAsText) }

  func number(_ text: BorrowedText) throws(FerryError) {
    guard state != .beforeName else { throw unexpected("the name of the element, a string") }
    losses.add(.numberAsText)
    try string(text)
  }

  func beginArray(count: Int?) throws(FerryError) {
    switch state {
    case .outside, .inContent: break
    case .afterName: state = .inContent
    case .beforeName where states.count == 2: try startRootOfList()
    case .beforeName: throw unexpected("the name of the element, a string")
    case .inAttributes: throw unexpected("the value of an attribute, a string")
    }
    states.append(.beforeName)
    endsInText = false
  }

  /// Starts a root element for the list that is the value.
  private func startRootOfList() throws(FerryError) {
    losses.add(.wrapped)
    try xml.startElement(XMLListNames().root.utf8.span)
    state = .inContent
  }

  func endArray() throws(FerryError) {
    guard state != .beforeName else { throw unexpected("the name of the element, a string") }
    states.removeLast()
    endsInText = false
    try xml.endElement()
  }

  func beginDictionary(count: Int?) throws(FerryError) {
    guard state == .afterName else {
      throw unexpected(state == .outside ? "an array for the root element" : "an element or a text")
    }
    states.append(.inAttributes)
    hasAttributes = false
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    attribute = [UInt8](copying: text.utf8)
    hasAttributes = true
  }

  func endDictionary() throws(FerryError) {
    states.removeLast()
    state = .inContent
    if !hasAttributes { losses.add(.emptyCollection) }
  }
}
