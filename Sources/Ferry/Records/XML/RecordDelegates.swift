// Reading records from XML: a chain of delegates made from a schema. Each sends what its element is to a sink; scalars go
// as text, and the mapping gives them their types.
//
//     <people>                      ListDelegate           beginArray
//       <person>                      RecordDelegate         beginDictionary
//         <firstName>Ada</firstName>    ScalarDelegate         key firstName, string Ada
//       </person>                                            endDictionary
//     </people>                                            endArray

/// Takes the document's element: the collection of a schema, or one record of it.
final class RecordDocumentDelegate: ElementDelegate {
  private let schema: Schema

  init(_ schema: Schema, into sink: any ValueSink, losses: LossReport) {
    self.schema = schema
    super.init()
    let record = schema.record
    if !record.element.equals(schema.collectionElement) {
      handle(record.element, with: RecordDelegate(record, into: sink, losses: losses))
    }
    handle(schema.collectionElement, with: CollectionDelegate(schema, into: sink, losses: losses))
  }

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    throw Failure(
      .record(.notARecord(found: "<\(child.name.local)>", record: "<\(schema.collectionElement)>")),
      at: child.position)
  }
}

/// A delegate whose element is a value, and in a record the value of a field.
private class ValueDelegate: ElementDelegate {
  final let sink: any ValueSink
  /// The name of the field; nil in a list.
  private let field: String?

  final let losses: LossReport

  init(field: String?, into sink: any ValueSink, losses: LossReport) {
    self.field = field
    self.sink = sink
    self.losses = losses
    super.init()
  }

  /// Says what an element has that its value does not hold.
  final func noteLosses(of element: borrowing XMLElement, holdsAttributes: Bool = false) {
    if element.attributeCount > 0, !holdsAttributes { losses.add(.otherAttribute) }
    if element.declarationCount > 0 { losses.add(.namespace) }
  }

  /// Sends the field's name, which has to come before the value.
  final func sendKey() throws(Failure) {
    if let field { try sink.key(Text(field.utf8.span)) }
  }

  /// The delegate for a value of a type.
  static func delegate(
    for type: FieldType, field: String?, into sink: any ValueSink, losses: LossReport
  ) -> ElementDelegate {
    switch type {
    case .record(let record): RecordDelegate(record, field: field, into: sink, losses: losses)
    case .list(let items, let element):
      ListDelegate(of: items, element, field: field, into: sink, losses: losses)
    default: ScalarDelegate(field: field, into: sink, losses: losses)
    }
  }
}

/// A scalar: all its text.
private final class ScalarDelegate: ValueDelegate {
  private var bytes: [UInt8] = []

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    noteLosses(of: element)
    bytes.removeAll(keepingCapacity: true)
  }

  override func text(_ text: Text) throws(Failure) { bytes.append(copying: text.utf8) }

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    throw Failure(.record(.notAScalar(found: "<\(child.name.local)>")), at: child.position)
  }

  override func didEnd() throws(Failure) {
    let text = bytes
    try sendKey()
    try sink.string(Text(text.span))
  }
}

/// The collection, which may say the version of its records and so is a dictionary with them.
private final class CollectionDelegate: ListDelegate {
  private let schema: Schema

  init(_ schema: Schema, into sink: any ValueSink, losses: LossReport) {
    self.schema = schema
    super.init(of: .record(schema.record), schema.record.element, into: sink, losses: losses)
  }

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    guard let key = schema.collectionKey else { return try super.didStart(element) }
    try sink.beginDictionary(count: nil)
    for index in 0..<element.attributeCount {
      let name = element.attributeName(index).local
      guard schema.collectionVersion.equals(name) else {
        losses.add(.otherAttribute)
        continue
      }
      try sink.key(Text(name.utf8.span))
      try sink.string(element.attributeValue(index))
    }
    noteLosses(of: element, holdsAttributes: true)
    try sink.key(Text(key.utf8.span))
    try sink.beginArray(count: nil)
  }

  override func didEnd() throws(Failure) {
    try super.didEnd()
    if schema.collectionKey != nil { try sink.endDictionary() }
  }
}

/// A list: elements of one name and nothing else.
private class ListDelegate: ValueDelegate {
  private let element: String

  init(
    of items: FieldType, _ element: String, field: String? = nil, into sink: any ValueSink, losses: LossReport
  ) {
    self.element = element
    super.init(field: field, into: sink, losses: losses)
    handle(element, with: Self.delegate(for: items, field: nil, into: sink, losses: losses))
  }

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    noteLosses(of: element)
    try sendKey()
    try sink.beginArray(count: nil)
  }

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    throw Failure(
      .record(.notARecord(found: "<\(child.name.local)>", record: "<\(element)>")), at: child.position)
  }

  override func text(_ text: Text) throws(Failure) {
    if !text.isBlank { losses.add(.mixedContent) }
  }

  override func cdata(_ text: Text) throws(Failure) {
    if !text.utf8.isEmpty { losses.add(.mixedContent) }
  }

  override func didEnd() throws(Failure) { try sink.endArray() }
}

/// A record: its attributes, elements or text are its fields.
private final class RecordDelegate: ValueDelegate {
  private let type: RecordType
  private var start = Position()
  /// The field that this element's own text is.
  private let textField: String?
  private var ownText: [UInt8] = []
  /// The elements that the schema does not know.
  private let unknown: UnknownElements
  /// Who checks the record when it is whole, and wants to know where it began; nil inside another record.
  private let mapper: RecordMapper?

  init(_ type: RecordType, field: String? = nil, into sink: any ValueSink, losses: LossReport) {
    self.type = type
    textField = type.fields.first { $0.xml == .text }?.name
    mapper = field == nil ? sink as? RecordMapper : nil
    unknown = UnknownElements(losses: losses)
    super.init(field: field, into: sink, losses: losses)
    for field in type.fields {
      guard case .element(let element) = field.xml else { continue }
      // What stands under an older name comes under it, so that the newest can be told.
      for name in field.aliases {
        handle(name, with: Self.delegate(for: field.type, field: name, into: sink, losses: losses))
      }
      handle(element, with: Self.delegate(for: field.type, field: field.name, into: sink, losses: losses))
    }
    for rule in type.versions?.rules.flatMap(\.fields) ?? [] { handleSources(of: rule) }
  }

  /// Takes records and lists of older versions; of what is a scalar nothing need be known.
  private func handleSources(of rule: FieldRule) {
    switch rule.type {
    case .record, .list: break
    default: return
    }
    for source in rule.sources where !handles(source) {
      handle(source, with: Self.delegate(for: rule.type, field: source, into: sink, losses: losses))
    }
  }

  /// The key of an attribute: its field's name or older name, else the name that it has by convention.
  private func key(ofAttribute name: String) -> String {
    for field in type.fields {
      guard case .attribute(let attribute) = field.xml else { continue }
      if attribute == name { return field.name }
      if field.aliases.contains(name) { return name }
    }
    return "@\(name)"
  }

  override func didStart(_ element: borrowing XMLElement) throws(Failure) {
    start = element.position
    if let mapper, mapper.isBetweenRecords { mapper.place = start }
    ownText.removeAll(keepingCapacity: true)
    unknown.removeAll()
    noteLosses(of: element, holdsAttributes: true)
    try sendKey()
    try sink.beginDictionary(count: nil)
    for index in 0..<element.attributeCount {
      let key = key(ofAttribute: element.attributeName(index).local)
      try sink.key(Text(key.utf8.span))
      try sink.string(element.attributeValue(index))
    }
  }

  override func delegate(for child: borrowing XMLElement) throws(Failure) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    handle(child.name.local, with: unknown)
    return unknown
  }

  override func text(_ text: Text) throws(Failure) {
    if textField != nil {
      ownText.append(copying: text.utf8)
    } else if !text.isBlank {
      losses.add(.mixedContent)
    }
  }

  override func cdata(_ text: Text) throws(Failure) {
    if textField != nil {
      ownText.append(copying: text.utf8)
    } else if !text.utf8.isEmpty {
      losses.add(.mixedContent)
    }
  }

  override func didEnd() throws(Failure) {
    if let textField, !ownText.isEmpty {
      let text = ownText
      try sink.key(Text(textField.utf8.span))
      try sink.string(Text(text.span))
    }
    try unknown.entries.forEach { name, value throws(Failure) in
      try sink.key(Text(name.utf8.span))
      try value.replay(into: sink)
    }
    do throws(Failure) {
      try sink.endDictionary()
    } catch {
      // The record is checked when it is whole; its place is where it began.
      throw error.placed(at: start)
    }
  }
}

extension Text {
  /// Whether there is nothing but XML's white space.
  var isBlank: Bool {
    for index in utf8.indices {
      switch utf8[index] {
      case 0x20, 0x09, 0x0a, 0x0d: continue
      default: return false
      }
    }
    return true
  }
}
