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
/// an element `<root>`, and an array in elements `<item>` inside it. `@name` is written as an attribute if it
/// precedes all other keys but `#text` and `#content`. `#text` is written as text if it follows at least one other key and is the last.
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
/// dictionary has a single entry. If more than a megabyte has been buffered, a second key throws an error.
/// With a given root element, nothing is buffered.
public final class XMLValueWriter: PlainSink, PromptWriter {
  private enum Root {
    case unknown
    /// The outermost dictionary has begun.
    case inDictionary
    /// The first value of the outermost dictionary is buffered on the tape.
    case held
    /// The list of an element's contents is buffered on the tape.
    case inContent
    /// The list is buffered to its end. Attributes may follow, which precede it in XML.
    case afterContent
    /// The key of an attribute has followed the list.
    case beforeLateValue
    case decided
  }

  private var elements: XMLValueElements
  private let hasRootName: Bool
  private let hasTypes: Bool
  private var root = Root.unknown
  private var firstKey: [UInt8] = []
  private var tape = ValueTape()
  private var depth = 0
  /// The path in the buffered value.
  private var heldTracker = PathTracker()
  /// The buffered list of contents.
  private var held = HeldContent()
  /// False while a list is replayed that has no attributes after a list inside it.
  private var awaitsAttributes = true
  private static let maximumHeld = 1 << 20

  /// The name of the format in messages.
  public var formatName: String { "XML" }

  /// Creates a writer of a single document.
  public convenience init(
    to output: any ByteOutput, root: String? = nil, indent: Int = 2, types: XMLTypeNotation = .none,
    losses: LossReport? = nil
  ) throws(FerryError) {
    try self.init(
      to: output, root: root, indentation: indent > 0 ? .spaces(indent) : nil, types: types, losses: losses)
  }

  /// Creates a writer of a single document with one level of indentation, or nil for everything on one line.
  init(
    to output: any ByteOutput, root: String?, indentation: Indentation?, types: XMLTypeNotation,
    losses: LossReport?
  ) throws(FerryError) {
    let xml = try XMLOutput(to: output, indentation: indentation)
    let name = root.map { XMLKeyName.name(for: $0.utf8.span, keepsColon: false) }
    (hasRootName, hasTypes) = (root != nil, types == .attributes)
    elements = XMLValueElements(xml, root: name ?? Array("root".utf8), hasTypes: hasTypes, losses: losses)
  }

  /// Creates a writer of a value as the element for a key.
  init(of key: [UInt8], to xml: consuming XMLOutput, losses: LossReport) throws(FerryError) {
    elements = XMLValueElements(xml, root: Array("root".utf8), hasTypes: false, losses: losses)
    (hasRootName, hasTypes, root) = (false, false, .decided)
    elements.readsContents = false
    try elements.begin(leavesOutTop: true, firstKey: key)
  }

  /// Allows text beside elements, because the output is read by another convention.
  func allowTextBesideElements() { elements.readsContents = false }

  /// Ends the document.
  public func finish() throws(FerryError) { try elements.finish() }

  /// Writes the output so far.
  func flushComplete() throws(FerryError) { try elements.flush() }
}

// MARK: - Events

extension XMLValueWriter {
  public func string(_ text: BorrowedText) throws(FerryError) {
    if root == .decided { try elements.scalar(text) } else { try holdOrDecide(.scalar(.string), text) }
  }

  public func null() throws(FerryError) {
    if !hasTypes { add(.nullAsText) }
    try scalar(.null, BorrowedText(Span()))
  }

  public func boolean(_ value: Bool) throws(FerryError) {
    if !hasTypes { add(.booleanAsText) }
    let text = [UInt8]((value ? "true" : "false").utf8)
    try scalar(.boolean, BorrowedText(text.span))
  }

  public func integer(_ value: Int128) throws(FerryError) { try number(value.notation, .integer) }
  public func real(_ value: Double) throws(FerryError) {
    try number(notFinite(value) ?? value.notation, .double)
  }
  public func single(_ value: Float) throws(FerryError) {
    try number(notFinite(value) ?? value.notation, .double)
  }

  /// Returns the text of NaN and infinities in XML Schema; nil for other numbers.
  private func notFinite(_ value: some BinaryFloatingPoint) -> String? {
    value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-INF" : "INF") : nil
  }

  public func number(_ text: BorrowedText) throws(FerryError) {
    if !hasTypes { add(.numberAsText) }
    try scalar(hasTypes ? XMLScalarType(ofNumber: text) : .integer, text)
  }

  private func number(_ text: String, _ type: XMLScalarType) throws(FerryError) {
    if !hasTypes { add(.numberAsText) }
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
    guard hasTypes else { return try string(text) }
    if root == .decided { try elements.scalar(text, type) } else { try holdOrDecide(.scalar(type), text) }
  }

  /// Reports a loss at the next value, which may be buffered.
  private func add(_ loss: Loss.Kind) {
    switch root {
    case .held:
      let key = ValuePath.Step.key(String(decoding: firstKey, as: UTF8.self))
      elements.add(loss, path: ValuePath([key] + heldTracker.path.steps))
    case .inContent: elements.add(loss, path: ValuePath(elements.path.steps + heldTracker.path.steps))
    case .unknown, .inDictionary, .decided, .afterContent, .beforeLateValue: elements.add(loss)
    }
  }

  public func beginArray(count: Int?) throws(FerryError) {
    if root == .decided {
      guard !hasTypes, elements.isBeforeContent else { return try elements.beginArray() }
      (root, held) = (.inContent, HeldContent())
      heldTracker = PathTracker()
      heldTracker.beginList()
    } else {
      try holdOrDecide(.beginArray, BorrowedText(Span()))
    }
  }

  public func endArray() throws(FerryError) {
    if root == .decided { try elements.endArray() } else { try holdOrDecide(.endArray, BorrowedText(Span())) }
  }

  public func beginDictionary(count: Int?) throws(FerryError) {
    if root == .decided { return try elements.beginDictionary() }
    if root == .unknown, !hasRootName, count != 0 {
      root = .inDictionary
    } else {
      try holdOrDecide(.beginDictionary, BorrowedText(Span()))
    }
  }

  public func key(_ text: BorrowedText) throws(FerryError) {
    if root == .decided { try elements.key(text) } else { try holdOrDecide(.key, text) }
  }

  public func endDictionary() throws(FerryError) {
    if root == .decided {
      try elements.endDictionary()
    } else {
      try holdOrDecide(.endDictionary, BorrowedText(Span()))
    }
  }
}

// MARK: - The root element

extension XMLValueWriter {
  private enum Event: Equatable {
    case scalar(XMLScalarType)
    case key, beginArray, endArray, beginDictionary, endDictionary
  }

  /// Chooses the root element, or buffers the event until that is possible.
  private func holdOrDecide(_ event: Event, _ text: BorrowedText) throws(FerryError) {
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
        try elements.beginDictionary()
        return try elements.endDictionary()
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
        if !hasTypes, firstKey == XMLValueElements.contentKey {
          root = .decided
          return elements.beginDocument()
        }
        // An array would become several root elements, or none.
        try decide(leavesOutTop: false)
        return try beginArray(count: nil)
      }
      hold(event, text)
      if tape.weight > Self.maximumHeld { try decide(leavesOutTop: true) }
    case .inContent: try holdContent(event, text)
    case .afterContent: try followContent(event, text)
    case .beforeLateValue: try addLateAttribute(event, text)
    case .decided: try send(event, text)
    }
  }

  private func replayTape() throws(FerryError) {
    let tape = takeTape()
    try tape.replay(0..<tape.count, into: self) { type, text throws(FerryError) in try scalar(type, text) }
  }

  private func takeTape() -> ValueTape {
    var taken = ValueTape()
    swap(&taken, &tape)
    return taken
  }

  private func hold(_ event: Event, _ text: BorrowedText) {
    switch event {
    case .scalar(let type):
      tape.scalar(type, text.utf8)
      heldTracker.finishValue()
    case .key:
      tape.key(text.utf8)
      heldTracker.key(text.utf8)
    case .beginArray:
      tape.beginArray()
      heldTracker.beginList()
      depth += 1
    case .endArray:
      tape.endArray()
      heldTracker.end()
      depth -= 1
    case .beginDictionary:
      tape.beginDictionary()
      heldTracker.beginDictionary()
      depth += 1
    case .endDictionary:
      tape.endDictionary()
      heldTracker.end()
      depth -= 1
    }
  }

  private func decide(leavesOutTop: Bool) throws(FerryError) {
    root = .decided
    depth = 0
    try elements.begin(leavesOutTop: leavesOutTop, firstKey: firstKey)
    try replayTape()
  }

  private func send(_ event: Event, _ text: BorrowedText) throws(FerryError) {
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
  /// A buffered list of contents.
  private struct HeldContent {
    /// True if the list has other values than text.
    var hasItems = false
    /// True if the list has text that is not white space, so that all white space in it is text.
    var hasText = false
    /// True if an attribute may follow a list inside the list.
    var hasLateAttributes = false
    /// True if the last event has ended an array.
    var endsInArray = false
  }

  /// Buffers an event of a list of contents, until the element's start tag and the layout are known.
  private func holdContent(_ event: Event, _ text: BorrowedText) throws(FerryError) {
    if depth == 0, event == .endArray {
      root = .afterContent
      return
    }
    let isText = depth == 0 && event == .scalar(.string) && !text.isBlank
    let isCDATA = depth == 1 && event == .key && text.equals("#cdata")
    if isText || isCDATA { held.hasText = true }
    if event == .beginDictionary { held.hasItems = true }
    if held.endsInArray, event == .key, text.utf8.starts(with: "@") { held.hasLateAttributes = true }
    held.endsInArray = event == .endArray
    hold(event, text)
    if held.hasText && !awaitsAttributes || tape.weight > Self.maximumHeld {
      try writeContent(isMixed: held.hasText ? true : nil)
    }
  }

  /// Receives an event after the end of a buffered list of contents.
  private func followContent(_ event: Event, _ text: BorrowedText) throws(FerryError) {
    guard event == .key, text.utf8.starts(with: "@") else {
      try endContent()
      return try send(event, text)
    }
    try elements.key(text)
    root = .beforeLateValue
  }

  /// Adds an attribute that follows a buffered list of contents. A value that cannot be an attribute ends the list.
  private func addLateAttribute(_ event: Event, _ text: BorrowedText) throws(FerryError) {
    if event == .scalar(.string), elements.mayBeAttribute(text) {
      elements.add(.attributeOrder)
      try elements.scalar(text)
      root = .afterContent
    } else {
      let key = elements.key
      try endContent()
      try elements.key(BorrowedText(key.span))
      try send(event, text)
    }
  }

  /// Writes a list of contents that is buffered to its end.
  private func endContent() throws(FerryError) {
    // The key may be that of an attribute.
    let contentKey = XMLValueElements.contentKey
    try elements.key(BorrowedText(contentKey.span))
    let awaited = awaitsAttributes
    if !held.hasLateAttributes { awaitsAttributes = false }
    // Without elements, all white space is text.
    let isMixed = held.hasText || !held.hasItems ? true : elements.isOnlyOneOfPath ? false : nil
    try writeContent(isMixed: isMixed)
    awaitsAttributes = awaited
    try elements.endArray()
  }

  /// Writes the buffered beginning of a list of contents.
  private func writeContent(isMixed: Bool?) throws(FerryError) {
    root = .decided
    depth = 0
    try elements.beginContent(isMixed: isMixed)
    // The values may contain other lists of contents, which are buffered in turn.
    try replayTape()
  }
}
