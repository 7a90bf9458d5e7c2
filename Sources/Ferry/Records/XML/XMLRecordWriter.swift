/// A writer of records as XML, in the shape that their schema declares.
///
///     <people>
///       <person>
///         <firstName>Ada</firstName>
///       </person>
///     </people>
///
/// Keys that the schema does not declare are written by the XML convention: `@name` as an attribute, `#text`
/// as text, and any other key as an element. An array becomes several elements with the array's name. A
/// collection under `@name` or `#text` becomes an element, too.
final class XMLRecordWriter: PlainSink, PromptWriter {
  let formatName = "XML"
  private let schema: Schema
  private let writer: XMLWriter
  private var levels: [Level] = []
  private var tracker = PathTracker()
  /// The location of the current key's value in XML.
  private var place = XMLPlace.text
  /// The element for the value of an undeclared key if the value is a collection.
  private var elementName = ""
  private var placeType = FieldType.string
  private var buffer: [UInt8] = []

  /// An open element, and the type that determines its children.
  private enum Level {
    case record(RecordType)
    case list(FieldType, element: String)
    /// A dictionary that the schema does not declare.
    case unknown
    /// An array that the schema does not declare. It has no element of its own; each of its elements is
    /// written as an element with its name.
    case repeated(name: String, count: Int)
  }

  private let losses: LossReport

  init(_ schema: Schema, to output: any ByteOutput, losses: LossReport = LossReport()) throws(FerryError) {
    self.schema = schema
    self.losses = losses
    writer = try XMLWriter(to: output)
  }

  // MARK: Values

  private func scalar(_ text: BorrowedText) throws(FerryError) {
    switch levels.last {
    case .record?, .unknown?:
      switch place {
      case .element(let name): try element(name, text)
      case .attribute(let name): try writer.attribute(name.utf8.span, text)
      case .text: try writer.text(text)
      }
    case .list(_, let name)?: try element(name, text)
    case .repeated(let name, _)?:
      countElement()
      try element(name, text)
    case nil: try element(schema.record.element, text)
    }
    tracker.finishValue()
  }

  private func element(_ name: String, _ text: BorrowedText) throws(FerryError) {
    try writer.startElement(name.utf8.span)
    if !text.utf8.isEmpty { try writer.text(text) }
    try writer.endElement()
  }

  private func scalar(_ text: String) throws(FerryError) { try scalar(BorrowedText(text.utf8.span)) }

  func null() throws(FerryError) { throw cannotHold("null") }
  func boolean(_ value: Bool) throws(FerryError) { try scalar(value ? "true" : "false") }
  func integer(_ value: Int128) throws(FerryError) { try scalar(value.notation) }
  func real(_ value: Double) throws(FerryError) { try scalar(value.notation) }
  func single(_ value: Float) throws(FerryError) { try scalar(Double(value).notation) }
  func number(_ text: BorrowedText) throws(FerryError) { try scalar(text) }
  func string(_ text: BorrowedText) throws(FerryError) { try scalar(text) }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    buffer.removeAll(keepingCapacity: true)
    Base64.encode(bytes, into: &buffer)
    let text = buffer
    try scalar(BorrowedText(checked: text.span, isASCII: true))
  }

  func date(_ secondsSince2001: Double) throws(FerryError) {
    guard let text = ISODate.text(secondsSince2001) else { throw cannotHold("the date \(secondsSince2001)") }
    try scalar(text)
  }

  // MARK: Collections

  /// The element name and the type of a collection that begins now.
  private var next: (name: String, type: FieldType) {
    switch levels.last {
    case .record?, .unknown?:
      guard case .element(let name) = place else { return (elementName, placeType) }
      return (name, placeType)
    case .list(let items, let name)?: return (name, items)
    case .repeated(let name, _)?: return (name, .string)
    case nil: return (schema.record.element, .record(schema.record))
    }
  }

  /// Counts an element of an undeclared array.
  private func countElement() {
    guard let last = levels.indices.last, case .repeated(let name, let count) = levels[last] else { return }
    levels[last] = .repeated(name: name, count: count + 1)
  }

  func beginArray(count: Int?) throws(FerryError) {
    defer { tracker.beginList() }
    guard !levels.isEmpty else {
      try writer.startElement(schema.collectionElement.utf8.span)
      if let name = schema.collectionVersion, let current = schema.record.versions?.current {
        let version = current.description
        try writer.attribute(name.utf8.span, BorrowedText(version.utf8.span))
      }
      levels.append(.list(.record(schema.record), element: schema.record.element))
      return
    }
    let (name, type) = next
    if case .list(let items, let element) = type {
      try writer.startElement(name.utf8.span)
      levels.append(.list(items, element: element))
    } else if case .repeated? = levels.last {
      countElement()
      try writer.startElement(name.utf8.span)
      levels.append(.list(.string, element: "item"))
    } else {
      levels.append(.repeated(name: name, count: 0))
    }
  }

  func beginDictionary(count: Int?) throws(FerryError) {
    let (name, type) = next
    countElement()
    try writer.startElement(name.utf8.span)
    if case .record(let record) = type { levels.append(.record(record)) } else { levels.append(.unknown) }
    tracker.beginDictionary()
  }

  func endArray() throws(FerryError) { try end() }
  func endDictionary() throws(FerryError) { try end() }

  private func end() throws(FerryError) {
    defer { tracker.end() }
    if case .repeated(_, let count)? = levels.popLast() {
      if count == 0 { losses.add(.emptyCollection, path: tracker.collectionPath) }
      if count == 1 { losses.add(.arrayOfOne, path: tracker.collectionPath) }
      return
    }
    try writer.endElement()
  }

  func key(_ text: BorrowedText) throws(FerryError) {
    tracker.key(text.utf8)
    if case .record(let record)? = levels.last,
      let (index, age) = record.match(text.utf8, usesArchiveKeys: false)
    {
      let field = record.fields[index]
      placeType = field.type
      switch field.xml {
      case _ where age == 0: place = field.xml
      // An older key, written for older apps, gets its own element or attribute.
      case .attribute: place = .attribute(Self.xmlName(String(text)[...]))
      case .element, .text: place = .element(Self.xmlName(String(text)[...]))
      }
    } else {
      let name = String(text)
      elementName = Self.xmlName(name[...])
      place =
        name.begins(with: "@") ? .attribute(Self.xmlName(name.droppingFirst()[...])) : .element(elementName)
      if text.utf8.equals("#text".utf8.span), !hasTextField { place = .text }
      placeType = .string
    }
  }

  /// True if the text of the current element is a field of its own.
  private var hasTextField: Bool {
    guard case .record(let record)? = levels.last else { return false }
    return record.fields.contains { $0.xml == .text }
  }

  /// Returns an XML name for an undeclared key. The prefix `xml` is kept, because it needs no declaration.
  private static func xmlName(_ key: Substring) -> String {
    let name = XMLKeyName.name(for: Array(key.utf8).span, keepsColon: key.begins(with: "xml:"))
    return String(decoding: name, as: UTF8.self)
  }

  func finish() throws(FerryError) { try writer.finish() }
  func flushComplete() throws(FerryError) { try writer.flush() }
}
