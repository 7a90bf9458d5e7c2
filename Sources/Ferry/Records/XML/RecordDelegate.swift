// Readers of records from XML: a tree of delegates that is made from a schema. Each delegate sends the value
// of its element to a sink. Scalars are sent as text; the record mapper converts them to their types.
//
//     <people>                      ListDelegate           beginArray
//       <person>                      RecordDelegate         beginDictionary
//         <firstName>Ada</firstName>    ScalarDelegate         key firstName, string Ada
//       </person>                                            endDictionary
//     </people>                                            endArray

/// The delegate of a document. It handles the root element: the collection of the schema, or a single record.
final class RecordDocumentDelegate: ElementDelegate {
  private let schema: Schema

  init(_ schema: Schema, into sink: any ValueSink, losses: LossReport, locator: SourceLocator? = nil) {
    self.schema = schema
    super.init()
    let context = RecordContext(losses: losses, locator: locator)
    let record = schema.record
    if !record.element.equals(schema.collectionElement) {
      handle(record.element, with: RecordDelegate(record, in: context, into: sink))
    }
    handle(
      schema.collectionElement, with: CollectionDelegate(schema, in: context, into: sink)
    )
  }

  override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    throw FerryError(
      .record(.notARecord(found: "<\(child.name.local)>", record: "<\(schema.collectionElement)>")),
      at: child.position)
  }
}

/// A delegate whose element is a value: of a field, or in a list.
private class ValueDelegate: ElementDelegate {
  final let sink: any ValueSink
  /// The name of the field, or nil in a list.
  private let field: String?

  final let context: RecordContext
  final var losses: LossReport { context.losses }

  init(field: String?, in context: RecordContext, into sink: any ValueSink) {
    self.field = field
    self.sink = sink
    self.context = context
    super.init()
  }

  /// Reports a loss for each part of an element that its value does not contain.
  final func noteLosses(of element: borrowing XMLElement, holdsAttributes: Bool = false) {
    if element.attributeCount > 0, !holdsAttributes { losses.add(.otherAttribute) }
    if element.declarationCount > 0 { losses.add(.namespace) }
  }

  /// Sends the name of the field as a key, unless the value is in a list.
  final func sendKey() throws(FerryError) {
    if let field { try sink.key(BorrowedText(field.utf8.span)) }
  }

  /// Returns a delegate for a value of a type.
  static func delegate(
    for type: FieldType, field: String?, in context: RecordContext, into sink: any ValueSink
  ) -> ElementDelegate {
    switch type {
    case .record(let record):
      RecordDelegate(record, field: field, in: context, into: sink)
    case .list(let items, let element):
      ListDelegate(of: items, element, field: field, in: context, into: sink)
    default: ScalarDelegate(field: field, in: context, into: sink)
    }
  }
}

/// The delegate of a scalar. Its value is the whole text of the element.
private final class ScalarDelegate: ValueDelegate {
  private var bytes: [UInt8] = []

  override func didStart(_ element: borrowing XMLElement) throws(FerryError) {
    noteLosses(of: element)
    bytes.removeAll(keepingCapacity: true)
  }

  override func text(_ text: BorrowedText) throws(FerryError) { bytes.append(copying: text.utf8) }

  override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    throw FerryError(.record(.notAScalar(found: "<\(child.name.local)>")), at: child.position)
  }

  override func didEnd() throws(FerryError) {
    let text = bytes
    try sendKey()
    try sink.string(BorrowedText(text.span))
  }
}

/// The delegate of the collection. A collection with a version is sent as a dictionary of the version and the
/// records.
private final class CollectionDelegate: ListDelegate {
  private let schema: Schema

  init(_ schema: Schema, in context: RecordContext, into sink: any ValueSink) {
    self.schema = schema
    super.init(
      of: .record(schema.record), schema.record.element, in: context, into: sink)
  }

  override func didStart(_ element: borrowing XMLElement) throws(FerryError) {
    guard let key = schema.collectionKey else { return try super.didStart(element) }
    context.space.open(element)
    try sink.beginDictionary(count: nil)
    for index in 0..<element.attributeCount {
      let name = element.attributeName(index).local
      guard schema.collectionVersion.equals(name) else {
        losses.add(.otherAttribute)
        continue
      }
      try sink.key(BorrowedText(name.utf8.span))
      try sink.string(element.attributeValue(index))
    }
    noteLosses(of: element, holdsAttributes: true)
    try sink.key(BorrowedText(key.utf8.span))
    try sink.beginArray(count: nil)
  }

  override func didEnd() throws(FerryError) {
    try super.didEnd()
    if schema.collectionKey != nil { try sink.endDictionary() }
  }
}

/// The delegate of a list: an element whose children all have one name.
private class ListDelegate: ValueDelegate {
  private let element: String

  init(
    of items: FieldType, _ element: String, field: String? = nil, in context: RecordContext,
    into sink: any ValueSink
  ) {
    self.element = element
    super.init(field: field, in: context, into: sink)
    handle(element, with: Self.delegate(for: items, field: nil, in: context, into: sink))
  }

  override func didStart(_ element: borrowing XMLElement) throws(FerryError) {
    context.space.open(element)
    noteLosses(of: element)
    try sendKey()
    try sink.beginArray(count: nil)
  }

  override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    throw FerryError(
      .record(.notARecord(found: "<\(child.name.local)>", record: "<\(element)>")), at: child.position)
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if context.space.keepsSpace || !text.isBlank { losses.add(.mixedContent) }
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    if !text.utf8.isEmpty { losses.add(.mixedContent) }
  }

  override func didEnd() throws(FerryError) {
    context.space.close()
    try sink.endArray()
  }
}

/// The delegate of a record. Its fields are attributes, child elements or text.
private final class RecordDelegate: ValueDelegate {
  private let type: RecordType
  private var start = Position()
  /// The field whose value is the text of the element.
  private let textField: String?
  private var ownText: [UInt8] = []
  /// The delegate of child elements that the schema does not declare.
  private let unknown: UnknownElements

  init(
    _ type: RecordType, field: String? = nil, in context: RecordContext, into sink: any ValueSink
  ) {
    self.type = type
    textField = type.fields.first { $0.xml == .text }?.name
    unknown = UnknownElements(in: context)
    super.init(field: field, in: context, into: sink)
    for field in type.fields {
      guard case .element(let element) = field.xml else { continue }
      // A value under an older name keeps this name, so that the record mapper can prefer the newest.
      for name in field.aliases {
        handle(
          name,
          with: Self.delegate(for: field.type, field: name, in: context, into: sink))
      }
      handle(
        element,
        with: Self.delegate(for: field.type, field: field.name, in: context, into: sink))
    }
    for rule in type.versions?.rules.flatMap(\.fields) ?? [] { handleSources(of: rule) }
  }

  /// Handles elements of older versions that are records or lists. Scalars need no delegate of their own.
  private func handleSources(of rule: FieldRule) {
    switch rule.type {
    case .record, .list: break
    default: return
    }
    for source in rule.sources where !handles(source) {
      handle(
        source,
        with: Self.delegate(for: rule.type, field: source, in: context, into: sink))
    }
  }

  /// Returns the key for an attribute: the name or older name of its field, otherwise `@` and its name.
  private func key(ofAttribute name: String) -> String {
    for field in type.fields {
      guard case .attribute(let attribute) = field.xml else { continue }
      if attribute.equals(name) { return field.name }
      if field.aliases.contains(exactly: name) { return name }
    }
    return "@\(name)"
  }

  override func didStart(_ element: borrowing XMLElement) throws(FerryError) {
    start = element.position
    context.space.open(element)
    context.locator?.move(to: start)
    ownText.removeAll(keepingCapacity: true)
    unknown.removeAll()
    noteLosses(of: element, holdsAttributes: true)
    try sendKey()
    try sink.beginDictionary(count: nil)
    for index in 0..<element.attributeCount {
      let key = key(ofAttribute: element.attributeName(index).keyName)
      try sink.key(BorrowedText(key.utf8.span))
      try sink.string(element.attributeValue(index))
    }
  }

  override func delegate(for child: borrowing XMLElement) throws(FerryError) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    handle(child.name.local, with: unknown)
    return unknown
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if textField != nil {
      ownText.append(copying: text.utf8)
    } else if context.space.keepsSpace || !text.isBlank {
      losses.add(.mixedContent)
    }
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    if textField != nil {
      ownText.append(copying: text.utf8)
    } else if !text.utf8.isEmpty {
      losses.add(.mixedContent)
    }
  }

  override func didEnd() throws(FerryError) {
    context.space.close()
    if let textField, !ownText.isEmpty {
      let text = ownText
      try sink.key(BorrowedText(textField.utf8.span))
      try sink.string(BorrowedText(text.span))
    }
    try unknown.entries.forEach { name, value throws(FerryError) in
      try sink.key(BorrowedText(name.utf8.span))
      try value.replay(into: sink)
    }
    context.locator?.move(to: start)
    do throws(FerryError) {
      try sink.endDictionary()
    } catch {
      // A record is checked when it is complete, but the error is located at its start tag.
      throw error.placed(at: start)
    }
  }
}
