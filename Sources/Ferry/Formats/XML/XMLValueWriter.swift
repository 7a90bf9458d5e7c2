/// A writer of values as XML by convention, so that `XMLValueReader` reads the same values:
///
///     {"people": {"person": [{"@id": "1", "name": "Ada"}, "Alan"]}}
///
///     <people>
///       <person id="1">
///         <name>Ada</name>
///       </person>
///       <person>Alan</person>
///     </people>
///
/// A dictionary with a single entry that is not an array becomes the root element. Any other value is put in
/// an element `<root>`, and the elements of an array in elements `<item>` inside it, unless other names are given. `@name` is written as an
/// attribute, also if other keys precede it. The element is held back for that until a megabyte of it is written.
/// A later attribute, and one that would change the meaning of the contents before it (`@xmlns:p`, `@xml:space`), is reported. `#text` is written as text if the dictionary has another key. With
/// types, `@name` is an attribute only before other keys, and `#text` is text only after all attributes.
/// Otherwise, and if a key is not a valid XML name, the key becomes an element with an escaped name (see
/// `XMLKeyName`), so that the same keys are read back:
///
///     {"dependencies": {"a": "1", "@babel/core": "7.1"}}
///
///     <dependencies>
///       <a>1</a>
///       <_x0040_babel_x002F_core>7.1</_x0040_babel_x002F_core>
///     </dependencies>
///
/// An array becomes a sequence of elements with the same name. An array inside an array becomes an element
/// that contains elements `<item>`. An array with the key `#content` that follows only attributes is the contents of the
/// element in document order, with no white space added if it contains text:
///
///     {"p": {"@id": "1", "#content": ["one ", {"b": "two"}, {"#comment": " end "}]}}
///
///     <p id="1">one <b>two</b><!-- end --></p>
///
/// The first value of the outermost dictionary is buffered until a second key or the end shows whether the
/// dictionary has a single entry. If more than a megabyte has been buffered, a second key throws an error, unless the first entry is
/// an attribute or text. With a given root element, it is not buffered.
///
/// A list of contents is buffered up to a megabyte, because attributes may follow it.
public final class XMLValueWriter: PlainSink, PromptWriter, BatchSink {
  private enum Root {
    case unknown
    /// The outermost dictionary has begun.
    case inDictionary
    /// The first value of the outermost dictionary is buffered on the tape.
    case held
    /// The list of an element's contents is buffered.
    case inContent
    case decided
  }

  private var printer: XMLValuePrinter
  private let hasRootName: Bool
  private let hasTypes: Bool
  private var root = Root.unknown
  private var firstKey: [UInt8] = []
  private var tape = ValueTape()
  private var depth = 0
  /// The buffered list of contents.
  private var contents = XMLHeldContents()
  private static let maximumHeld = 1 << 20

  /// The name of the format in messages.
  public var formatName: String { "XML" }

  /// Creates a writer of a single document.
  public convenience init(
    to output: any ByteOutput, root: String? = nil, indent: Int = 2, types: XMLTypeNotation = .none,
    losses: LossReport? = nil
  ) throws(FerryError) {
    try self.init(
      to: output, names: XMLListNames(givenRoot: root), indentation: indent > 0 ? .spaces(indent) : nil,
      types: types, losses: losses)
  }

  /// Creates a writer of a single document with one level of indentation, or nil for everything on one line.
  init(
    to output: any ByteOutput, names: XMLListNames, indentation: Indentation?, types: XMLTypeNotation,
    hasExpandedNames: Bool = false, reportsForms: Bool = true, losses: LossReport?
  ) throws(FerryError) {
    // With types, the order of keys is kept.
    let xml = try XMLPrinter(to: output, indentation: indentation, holdsTags: types != .attributes)
    (hasRootName, hasTypes) = (names.givenRoot != nil, types == .attributes)
    printer = XMLValuePrinter(
      xml, names, hasTypes: hasTypes, hasExpandedNames: hasExpandedNames, reportsForms: reportsForms,
      losses: losses)
  }

  /// Creates a writer of a value as the element for a key.
  init(of key: [UInt8], to xml: consuming XMLPrinter, losses: LossReport) throws(FerryError) {
    printer = XMLValuePrinter(
      xml, XMLListNames(), hasTypes: false, reportsForms: false, losses: losses)
    (hasRootName, hasTypes, root) = (false, false, .decided)
    printer.readsContents = false
    // The changed text is read with its prefixes.
    printer.bindsNamespaces = false
    try printer.begin(leavesOutTop: true, firstKey: key)
  }

  /// Ends the document.
  public func finish() throws(FerryError) { try printer.finish() }

  /// Writes the output so far.
  func flushComplete() throws(FerryError) { try printer.flush() }
}

// MARK: - Events

extension XMLValueWriter {
  public func string(_ text: BorrowedText) throws(FerryError) {
    if root == .decided { try printer.scalar(text) } else { try holdOrDecide(.scalar(.string), text) }
  }

  public func null() throws(FerryError) { try scalar(.null, BorrowedText(Span())) }

  public func boolean(_ value: Bool) throws(FerryError) {
    let text = [UInt8]((value ? "true" : "false").utf8)
    try scalar(.boolean, BorrowedText(text.span))
  }

  public func integer(_ value: Int128) throws(FerryError) { try number(value.notation, .integer) }
  public func real(_ value: Double) throws(FerryError) {
    try number(Self.notFinite(value) ?? value.notation, .double)
  }
  public func single(_ value: Float) throws(FerryError) {
    try number(Self.notFinite(value) ?? value.notation, .double)
  }

  /// Returns the text of NaN and infinities in XML Schema; nil for other numbers.
  static func notFinite(_ value: some BinaryFloatingPoint) -> String? {
    value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-INF" : "INF") : nil
  }

  public func number(_ text: BorrowedText) throws(FerryError) {
    guard hasTypes else { return try scalar(.integer, text) }
    guard text.utf8.flawInJSONNumber == nil else { throw cannotHold("the number \(String(text))") }
    try scalar(XMLScalarType(ofNumber: text), text)
  }

  private func number(_ text: String, _ type: XMLScalarType) throws(FerryError) {
    let bytes = [UInt8](text.utf8)
    try scalar(type, BorrowedText(bytes.span))
  }

  public func data(_ bytes: Span<UInt8>) throws(FerryError) {
    guard hasTypes else { throw cannotHold("data") }
    var text: [UInt8] = []
    Base64.encode(bytes, into: &text)
    try scalar(.data, BorrowedText(text.span))
  }

  public func date(_ secondsSince2001: Double) throws(FerryError) {
    guard hasTypes, let text = ISODate.text(secondsSince2001) else { throw cannotHold("this date") }
    try scalar(.date, BorrowedText(text.utf8.span))
  }

  /// Writes a scalar. Without types, it is a text.
  private func scalar(_ type: XMLScalarType, _ text: BorrowedText) throws(FerryError) {
    guard root == .decided else { return try holdOrDecide(.scalar(type), text) }
    if hasTypes { try printer.scalar(text, type) } else { try printer.scalar(untyped: text, type) }
  }

  public func beginArray(count: Int?) throws(FerryError) {
    if root == .decided {
      guard !hasTypes, printer.isBeforeContent else { return try printer.beginArray() }
      holdContents()
    } else {
      try holdOrDecide(.beginArray, BorrowedText(Span()))
    }
  }

  public func endArray() throws(FerryError) {
    if root == .decided { try printer.endArray() } else { try holdOrDecide(.endArray, BorrowedText(Span())) }
  }

  public func beginDictionary(count: Int?) throws(FerryError) {
    if root == .decided { return try printer.beginDictionary() }
    if root == .unknown, !hasRootName, count != 0 {
      root = .inDictionary
    } else {
      try holdOrDecide(.beginDictionary, BorrowedText(Span()))
    }
  }

  public func key(_ text: BorrowedText) throws(FerryError) {
    if root == .decided { try printer.key(text) } else { try holdOrDecide(.key, text) }
  }

  public func endDictionary() throws(FerryError) {
    if root == .decided {
      try printer.endDictionary()
    } else {
      try holdOrDecide(.endDictionary, BorrowedText(Span()))
    }
  }
}

// MARK: - Batches

extension XMLValueWriter {
  var prefersBatches: Bool { !hasTypes }
  var reportsNumbersAsTexts: Bool { !hasTypes }

  /// Returns true if no event of a batch is buffered.
  func takes(_ events: borrowing EventBatch) -> Bool {
    !hasTypes && root == .decided && !printer.hasContent(in: events)
  }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    guard takes(events) else { return try receiveSingly(events) }
    try printer.receive(events)
  }
}

// MARK: - The root element

extension XMLValueWriter {
  /// Chooses the root element, or buffers the event until that is possible.
  private func holdOrDecide(_ event: XMLValueEvent, _ text: BorrowedText) throws(FerryError) {
    switch root {
    case .unknown:
      root = .decided
      try send(event, text)
    case .inDictionary:
      guard event == .key else {
        guard event == .endDictionary else {
          throw FerryError(.cannotHold(.misplaced("a value without a key")))
        }
        root = .decided
        try printer.beginDictionary()
        return try printer.endDictionary()
      }
      firstKey = [UInt8](copying: text.utf8)
      root = .held
    case .held:
      if depth == 0, event == .key {  // a second entry
        try decide(leavesOutTop: false)
        return try key(text)
      }
      if depth == 0, event == .endDictionary {
        try decide(leavesOutTop: true)
        return try endDictionary()
      }
      if tape.count == 0, event == .beginArray {
        if !hasTypes, firstKey == XMLValuePrinter.contentKey {
          root = .decided
          return printer.beginDocument()
        }
        // An array would become several root elements, or none.
        try decide(leavesOutTop: false)
        return try beginArray(count: nil)
      }
      tape.append(event, text)
      depth += event.depthChange
      if tape.weight > Self.maximumHeld { try decide(leavesOutTop: !isFirstValueInRoot) }
    case .inContent: try holdContent(event, text)
    case .decided: try send(event, text)
    }
  }

  /// True if the buffered value can be only an attribute or text of a root element.
  private var isFirstValueInRoot: Bool {
    tape.count == 1 && (firstKey.first == UInt8(ascii: "@") || firstKey.elementsEqual("#text".utf8))
  }

  private func decide(leavesOutTop: Bool) throws(FerryError) {
    root = .decided
    depth = 0
    try printer.begin(leavesOutTop: leavesOutTop, firstKey: firstKey)
    var held = ValueTape()
    swap(&held, &tape)
    do throws(FerryError) { try receive(0..<held.count, of: held) } catch {
      throw error.placed(path: printer.path)
    }
  }

  /// Receives buffered events.
  func receive(_ range: Range<Int>, of tape: borrowing ValueTape) throws(FerryError) {
    try tape.replay(range, into: self) { type, text throws(FerryError) in try scalar(type, text) }
  }

  private func send(_ event: XMLValueEvent, _ text: BorrowedText) throws(FerryError) {
    switch event {
    case .scalar(let type): try scalar(type, text)
    case .key: try key(text)
    case .beginArray: try beginArray(count: nil)
    case .endArray: try endArray()
    case .beginDictionary: try beginDictionary(count: nil)
    case .endDictionary: try endDictionary()
    }
  }
}

// MARK: - Contents

extension XMLValueWriter {
  /// Begins to buffer a list of contents.
  private func holdContents() {
    root = .inContent
    contents = XMLHeldContents()
  }

  /// Buffers an event of a list of contents, until the element's start tag and the layout are known.
  private func holdContent(_ event: XMLValueEvent, _ text: BorrowedText) throws(FerryError) {
    guard contents.takes(event, text) else {
      let held = takeContents()
      try send(held, upTo: held.count)
      return try send(event, text)
    }
    contents.receive(event, text)
    if contents.weight > 2 * Self.maximumHeld { try giveUpLongLists() }
  }

  private func takeContents() -> XMLHeldContents {
    var taken = XMLHeldContents()
    swap(&taken, &contents)
    root = .decided
    return taken
  }

  /// Writes the buffered beginnings of lists that are too long, and buffers the rest again. The rest is at most half of the events,
  /// so that the time is linear.
  private func giveUpLongLists() throws(FerryError) {
    let held = takeContents()
    let kept = held.beginOfOpenList(withAtMost: Self.maximumHeld)
    try send(held, upTo: kept ?? held.count)
    guard let kept else { return }
    holdContents()
    try held.replay(from: kept + 1, to: self)
  }

  private func send(_ held: borrowing XMLHeldContents, upTo end: Int) throws(FerryError) {
    do throws(FerryError) { try held.send(upTo: end, to: self) } catch {
      throw error.placed(path: printer.path)
    }
  }

  /// Begins a buffered list, after the attributes that follow it. Returns their range on the tape.
  func begin(
    _ list: XMLHeldContents.List, on tape: borrowing ValueTape
  ) throws(FerryError) -> Range<Int> {
    guard printer.isBeforeContent else {
      try printer.beginArray()
      return 0..<0
    }
    let attributes = try addAttributes(list.attributes ?? 0..<0, on: tape)
    try printer.beginContent(isMixed: isMixed(list))
    return attributes
  }

  /// Adds the attributes after a list, up to a value that cannot be an attribute. Returns their range on the tape.
  private func addAttributes(
    _ range: Range<Int>, on tape: borrowing ValueTape
  ) throws(FerryError) -> Range<Int> {
    guard !range.isEmpty else { return range }
    var end = range.lowerBound
    while end < range.upperBound {
      try receive(end..<end + 1, of: tape)
      guard printer.mayBeAttribute(tape.text(at: end + 1)) else { break }
      printer.add(.attributeOrder)
      try receive(end + 1..<end + 2, of: tape)
      end += 2
    }
    let contentKey = XMLValuePrinter.contentKey
    try printer.key(BorrowedText(contentKey.span))
    return range.lowerBound..<end
  }

  /// Returns true if all white space in a list is text; nil if that is not known.
  private func isMixed(_ list: XMLHeldContents.List) -> Bool? {
    if list.hasText { return true }
    guard list.attributes != nil else { return nil }
    // Without elements, all white space is text.
    return !list.hasItems ? true : printer.isOnlyOneOfPath ? false : nil
  }
}
