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
  private let context: RecordContext
  private let trail: RecordTrail
  private let sink: any ValueSink

  /// Creates the delegate of a document, or of an element of a selection.
  init(
    _ schema: Schema, into sink: any ValueSink, losses: LossReport, locator: SourceLocator? = nil,
    failed: FailedRecords? = nil, selected: SelectedElement? = nil, keepsNames: Bool = false,
    groupsContents: Bool = false
  ) {
    self.schema = schema
    self.sink = sink
    context = RecordContext(
      losses: losses, locator: locator, failed: failed, selected: selected, keepsNames: keepsNames,
      groupsContents: groupsContents, schema)
    trail = RecordTrail(index: selected?.index)
    super.init()
    handledName = context.names?.element
    let record = schema.record
    // Each selected element is a record.
    if selected != nil || !record.element.equals(schema.collectionElement) {
      handle(record.element, with: RecordDelegate(record, at: trail, in: context, into: sink))
    }
    guard selected == nil else { return }
    handle(
      schema.collectionElement, with: CollectionDelegate(schema, at: trail, in: context, into: sink)
    )
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    if let delegate = try super.delegate(for: child) { return delegate }
    let found = "<\(context.name(of: child.name))>"
    let problem =
      context.isSelected
      ? RecordProblem.notSelected(found: found, record: "<\(schema.record.element)>")
      : .notARecord(found: found, record: "<\(schema.collectionElement)>")
    try context.leaveOut(because: FerryError(.record(problem), at: child.location, path: trail.path))
    try sink.null()
    return nil
  }
}

/// A delegate whose element is a value: of a field, or in a list.
private class ValueDelegate: ElementDelegate {
  final let sink: any ValueSink
  /// The name of the field, or nil in a list.
  private let field: String?
  final let trail: RecordTrail

  final let context: RecordContext
  final var losses: LossReport { context.losses }

  init(field: String?, at trail: RecordTrail, in context: RecordContext, into sink: any ValueSink) {
    self.field = field
    self.trail = trail
    self.sink = sink
    self.context = context
    super.init()
    handledName = context.names?.element
  }

  /// Reports a loss for each part of an element that its value does not contain.
  final func noteLosses(of element: borrowing XMLStartTag, holdsAttributes: Bool = false) {
    if element.attributeCount > 0, !holdsAttributes {
      let location = context.lossLocation(of: element)
      losses.add(.otherAttribute, path: trail.path, at: location)
    }
    if context.hasOtherNamespaces(element) {
      let location = context.lossLocation(of: element)
      losses.add(.namespace, path: trail.path, at: location)
    }
  }

  /// Leaves the record out because of a child that it cannot have, or throws the error.
  final func refuse(
    _ problem: RecordProblem, _ child: borrowing XMLStartTag, at trail: RecordTrail
  ) throws(FerryError) {
    try context.leaveOut(because: FerryError(.record(problem), at: child.location, path: trail.path))
  }

  /// Sends the name of the field as a key, unless the value is in a list.
  final func sendKey() throws(FerryError) {
    if let field { try sink.key(BorrowedText(field.utf8.span)) }
  }

  /// Returns a delegate for a value of a type.
  static func delegate(
    for type: FieldType, field: String?, at trail: RecordTrail, in context: RecordContext,
    into sink: any ValueSink
  ) -> ElementDelegate {
    switch type {
    case .record(let record):
      RecordDelegate(record, field: field, at: trail, in: context, into: sink)
    case .list(let items, let element):
      ListDelegate(of: items, element, field: field, at: trail, in: context, into: sink)
    case .dictionary(let values):
      DictionaryDelegate(of: values, field: field, at: trail, in: context, into: sink)
    case .enclosing(let element):
      if let record = context.enclosingTypes[element] {
        RecordDelegate(record, field: field, at: trail, in: context, into: sink)
      } else {
        AnyDelegate(field: field, at: trail, in: context, into: sink)
      }
    case .any: AnyDelegate(field: field, at: trail, in: context, into: sink)
    default: ScalarDelegate(field: field, at: trail, in: context, into: sink)
    }
  }
}

/// The delegate of a scalar. Its value is the whole text of the element.
private final class ScalarDelegate: ValueDelegate {
  private var bytes: [UInt8] = []
  /// The locator, if it needs the location of the element.
  private var locator: SourceLocator? {
    guard let locator = context.locator, locator.locatesValues else { return nil }
    return locator
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    noteLosses(of: element)
    locator?.move(to: element.location)
    bytes.removeAll(keepingCapacity: true)
  }

  override func text(_ text: BorrowedText) throws(FerryError) { bytes.append(copying: text.utf8) }

  override func receive(onlyText text: BorrowedText) throws(FerryError) -> Bool {
    // The element is needed for its location.
    guard locator == nil else { return false }
    try sendKey()
    try sink.string(text)
    return true
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    try refuse(.notAScalar(found: "<\(context.name(of: child.name))>"), child, at: trail)
    return nil
  }

  override func didEnd() throws(FerryError) {
    let text = bytes
    try sendKey()
    try sink.string(BorrowedText(text.span))
  }
}

/// The delegate of an element that is read as without a schema.
private final class AnyDelegate: ValueDelegate {
  private let unknown: UnknownElements

  override init(field: String?, at trail: RecordTrail, in context: RecordContext, into sink: any ValueSink) {
    unknown = UnknownElements(at: trail, in: context, trailNamesElement: true)
    super.init(field: field, at: trail, in: context, into: sink)
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    unknown.removeAll()
    try unknown.didStart(element)
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? { unknown }

  override func text(_ text: BorrowedText) throws(FerryError) { try unknown.text(text) }

  override func cdata(_ text: BorrowedText) throws(FerryError) { try unknown.cdata(text) }

  override func didEnd() throws(FerryError) {
    try unknown.didEnd()
    try sendKey()
    try unknown.entries.values.first?.first?.replay(into: sink)
  }
}

/// The delegate of a dictionary: an element whose children have the names of the keys.
private final class DictionaryDelegate: ValueDelegate {
  private let values: FieldType
  /// The delegates of the values so far, by the names of their elements.
  private var delegates: [ExactString: ElementDelegate] = [:]
  private static let limit = 1 << 10
  /// The delegate of values of any type, which are arrays if several elements have one name; nil for other values.
  private let unknown: UnknownElements?

  init(
    of values: FieldType, field: String?, at trail: RecordTrail, in context: RecordContext,
    into sink: any ValueSink
  ) {
    self.values = values
    unknown = values == .any ? UnknownElements(at: trail, in: context) : nil
    super.init(field: field, at: trail, in: context, into: sink)
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    unknown?.removeAll()
    context.space.open(element)
    noteLosses(of: element)
    try sendKey()
    try sink.beginDictionary(count: nil)
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    if let unknown { return unknown }
    let name = context.name(of: child.name)
    if let known = delegates[name] { return known }
    let key = context.key(for: name)
    let delegate = Self.delegate(
      for: values, field: key, at: RecordTrail(key, in: trail), in: context, into: sink)
    if delegates.count >= Self.limit { delegates.removeAll() }
    delegates[name] = delegate
    return delegate
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if !text.isBlank { losses.add(.otherText, path: trail.path) }
  }

  override func didEnd() throws(FerryError) {
    context.space.close()
    try unknown?.send(to: sink, at: trail)
    try sink.endDictionary()
  }
}

/// The delegate of the collection. A collection with a version is sent as a dictionary of the version and the
/// records.
private final class CollectionDelegate: ListDelegate {
  private let schema: Schema
  /// The mapper of the records, if it receives them directly.
  private let mapper: RecordMapper?
  /// The converter of whole records, once one is needed.
  private var converter: ElementRecords?

  init(_ schema: Schema, at trail: RecordTrail, in context: RecordContext, into sink: any ValueSink) {
    self.schema = schema
    mapper = sink as? RecordMapper
    super.init(
      of: .record(schema.record), schema.record.element,
      at: schema.collectionKey.map { RecordTrail($0, in: trail) } ?? trail, in: context, into: sink)
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    guard let key = schema.collectionKey else { return try super.didStart(element) }
    context.space.open(element)
    beginElements()
    try sink.beginDictionary(count: nil)
    let location = element.attributeCount > 0 ? context.lossLocation(of: element) : InputLocation()
    try element.forEachAttribute(context.names) { name, value throws(FerryError) in
      guard schema.collectionVersion.equals(name) else {
        return losses.add(.otherAttribute, path: trail.path, at: location)
      }
      try sink.key(BorrowedText(name.utf8.span))
      try sink.string(value)
    }
    noteLosses(of: element, holdsAttributes: true)
    try sink.key(BorrowedText(key.utf8.span))
    try sink.beginArray(count: nil)
  }

  override func elementWillStart() { context.begin(record: elements.index) }

  override func receive(
    childrenOf events: borrowing ElementBatch, from index: Int
  ) throws(EventFailure) -> Int {
    guard let mapper, mapper.isBetweenConvertibleRecords, !context.space.keepsSpace else { return index }
    if converter == nil { converter = mapper.compiledSchema.map { ElementRecords($0, names: context.names) } }
    var taken: ElementRecords?
    swap(&taken, &converter)
    defer { swap(&taken, &converter) }
    guard let end = taken?.take(from: index, of: events), end > index else { return index }
    elements.skipElements(taken?.records.firstEvents.count ?? 0)
    context.begin(record: elements.index)
    try taken?.send(of: events, to: mapper)
    return end
  }

  override func didEnd() throws(FerryError) {
    context.begin(record: nil)
    try super.didEnd()
    if schema.collectionKey != nil { try sink.endDictionary() }
  }
}

/// The delegate of a list: an element whose children all have one name.
private class ListDelegate: ValueDelegate {
  private let element: String
  final let elements: RecordTrail
  private var hasText = false

  init(
    of items: FieldType, _ element: String, field: String? = nil, at trail: RecordTrail,
    in context: RecordContext, into sink: any ValueSink
  ) {
    self.element = element
    elements = RecordTrail(in: trail)
    super.init(field: field, at: trail, in: context, into: sink)
    handle(element, with: Self.delegate(for: items, field: nil, at: elements, in: context, into: sink))
  }

  /// Begins the list, before its first element.
  final func beginElements() {
    elements.beginElements()
    hasText = false
  }

  /// Called when the trail of the elements has moved to the next one.
  func elementWillStart() {}

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    context.space.open(element)
    beginElements()
    noteLosses(of: element)
    try sendBegin()
  }

  /// Sends the beginning of the list.
  final func sendBegin() throws(FerryError) {
    try sendKey()
    try sink.beginArray(count: nil)
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    elements.moveToNextElement()
    elementWillStart()
    if let delegate = try super.delegate(for: child) { return delegate }
    try refuse(
      .notARecord(found: "<\(context.name(of: child.name))>", record: "<\(element)>"), child, at: elements)
    try sink.null()
    return nil
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if context.space.keepsSpace || !text.isBlank { noteText() }
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    if !text.utf8.isEmpty { noteText() }
  }

  /// Reports, once, that the list has no place for text.
  private func noteText() {
    if !hasText { losses.add(.otherText, path: trail.path) }
    hasText = true
  }

  override func didEnd() throws(FerryError) {
    context.space.close()
    try sink.endArray()
  }
}

/// The delegate of a list that is a scalar in an older version: an element with text and no children is sent as a string.
private final class OlderListDelegate: ListDelegate {
  private var bytes: [UInt8] = []
  /// True if the beginning of the list has been sent.
  private var isList = false

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    context.space.open(element)
    beginElements()
    noteLosses(of: element)
    isList = false
    bytes.removeAll(keepingCapacity: true)
  }

  private func begin() throws(FerryError) {
    isList = true
    try sendBegin()
    let text = bytes
    if !text.isEmpty { try super.text(BorrowedText(text.span)) }
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    if !isList { try begin() }
    return try super.delegate(for: child)
  }

  override func text(_ text: BorrowedText) throws(FerryError) {
    if isList { try super.text(text) } else { bytes.append(copying: text.utf8) }
  }

  override func cdata(_ text: BorrowedText) throws(FerryError) {
    if isList { try super.cdata(text) } else { bytes.append(copying: text.utf8) }
  }

  override func didEnd() throws(FerryError) {
    if !isList {
      let text = bytes
      guard text.isEmpty || !context.space.keepsSpace && BorrowedText(text.span).isBlank else {
        context.space.close()
        try sendKey()
        return try sink.string(BorrowedText(text.span))
      }
      bytes.removeAll(keepingCapacity: true)
      try begin()
    }
    try super.didEnd()
  }
}

/// The delegate of a record. Its fields are attributes, child elements or text.
private final class RecordDelegate: ValueDelegate {
  private let type: RecordType
  private var start = InputLocation()
  /// The field whose value is the text of the element.
  private let textField: RecordField?
  private var ownText = MixedText()
  /// The delegate of child elements that the schema does not declare.
  private let unknown: UnknownElements
  /// The keys of the attributes and the text that the schema does not declare.
  private var takenKeys: Set<ExactString> = []
  /// True if the delegates of the children exist. They are made for the first element, because a record may contain
  /// records of its own type.
  private var isPrepared = false

  init(
    _ type: RecordType, field: String? = nil, at trail: RecordTrail, in context: RecordContext,
    into sink: any ValueSink
  ) {
    self.type = type
    textField = type.textField.map { type.fields[$0] }
    unknown = UnknownElements(at: trail, in: context)
    super.init(field: field, at: trail, in: context, into: sink)
  }

  /// Makes the delegates of the children.
  private func prepare() {
    isPrepared = true
    for field in type.fields {
      guard let element = field.elementName else { continue }
      if case .list(let items, _) = field.type, field.isUnwrappedList {
        handle(element, as: field.name, items)
        continue
      }
      // A value under an older name keeps this name, so that the record mapper can prefer the newest.
      for name in field.aliases {
        for element in elementNames(for: name, besides: element) { handle(element, as: name, field.type) }
      }
      if case .list(let items, let item) = field.type, isScalarInOlderVersion(field) {
        let delegate = OlderListDelegate(
          of: items, item, field: field.name, at: RecordTrail(field.name, in: trail), in: context, into: sink)
        handle(element, with: delegate)
      } else {
        handle(element, as: field.name, field.type)
      }
    }
    for rule in type.versions?.rules.flatMap(\.fields) ?? [] { handleSources(of: rule) }
  }

  /// Returns true if a rule makes values of a field from scalars with its name.
  private func isScalarInOlderVersion(_ field: RecordField) -> Bool {
    type.versions?.rules.contains { rules in
      rules.fields.contains { $0.type.isScalar && $0.sources.contains(exactly: field.name) }
    } ?? false
  }

  /// Sends the values of child elements with a name under a key.
  private func handle(_ element: String, as key: String, _ type: FieldType) {
    let trail = RecordTrail(key, in: trail)
    handle(element, with: Self.delegate(for: type, field: key, at: trail, in: context, into: sink))
  }

  /// Returns the names of the elements that have an older key of a field: the key, and the key with the prefix of the newest element.
  private func elementNames(for key: String, besides newest: String) -> [String] {
    guard let names = context.names else { return [XMLKeyName.elementName(for: key)] }
    let name = names.elementName(for: key)
    guard let prefix = newest.dividedAtColon?.prefix, name.dividedAtColon == nil else { return [name] }
    let prefixed = "\(prefix):\(name)"
    return type.fields.contains { $0.elementName.equals(prefixed) } ? [name] : [prefixed, name]
  }

  /// Handles elements of older versions that are records or lists. Scalars need no delegate of their own.
  private func handleSources(of rule: FieldRule) {
    switch rule.type {
    case .record, .list: break
    default: return
    }
    for source in rule.sources {
      let element = context.names?.elementName(for: source) ?? XMLKeyName.elementName(for: source)
      if !handles(element) { handle(element, as: source, rule.type) }
    }
  }

  /// Returns the key for an attribute: the name or older name of its field, otherwise `@` and its name.
  private func key(ofAttribute name: String) -> String {
    for field in type.fields {
      guard case .attribute(let attribute) = field.xml else { continue }
      if attribute.equals(name) { return field.name }
      if field.aliases.contains(exactly: name) { return name }
    }
    return "@\(context.key(for: name, isAttribute: true))"
  }

  override func didStart(_ element: borrowing XMLStartTag) throws(FerryError) {
    if !isPrepared { prepare() }
    start = element.location
    context.space.open(element)
    context.locator?.move(to: start)
    ownText.removeAll()
    unknown.removeAll()
    takenKeys.removeAll(keepingCapacity: true)
    noteLosses(of: element, holdsAttributes: true)
    try sendKey()
    try sink.beginDictionary(count: nil)
    try element.forEachAttribute(context.names) { name, value throws(FerryError) in
      let key = key(ofAttribute: name)
      if key.begins(with: "@") { takenKeys.insert(ExactString(key)) }
      try sink.key(BorrowedText(key.utf8.span))
      try sink.string(value)
    }
  }

  override func delegate(for child: borrowing XMLStartTag) throws(FerryError) -> ElementDelegate? {
    ownText.beginChild(keepsSpace: context.space.keepsSpace)
    if let delegate = try super.delegate(for: child) {
      if delegate !== unknown { unknown.siblingDidStart() }
      return delegate
    }
    handle(context.name(of: child.name), with: unknown)
    return unknown
  }

  override func text(_ text: BorrowedText) throws(FerryError) { ownText.append(text) }

  override func cdata(_ text: BorrowedText) throws(FerryError) { ownText.append(cdata: text) }

  /// Sends the text of the element as the value of its field or, if the schema does not describe it, under its
  /// key by the XML convention. Without text, the field is missing unless a CDATA section marks it as empty.
  private func sendText() throws(FerryError) {
    if ownText.hasChildren || textField == nil { ownText.endPiece(keepsSpace: context.space.keepsSpace) }
    let text = ownText.bytes
    guard !text.isEmpty || ownText.hasSection && textField?.type.hasEmptyText == true else { return }
    // White space alone is layout for a type such as a number, and not a value, as in an element without text.
    if let type = textField?.type, !type.hasEmptyText, type != .any, BorrowedText(text.span).isBlank {
      return
    }
    if ownText.hasChildren { losses.add(.mixedContent, path: trail.path) }
    if textField == nil { takenKeys.insert("#text") }
    try sink.key(BorrowedText((textField?.name ?? "#text").utf8.span))
    try sink.string(BorrowedText(text.span))
  }

  /// Returns true if a key that the schema does not declare would mean an attribute or text of the record, wherever it is.
  private func isMisread(_ key: String, text: String) -> Bool {
    switch XMLReservedKey(key.utf8.span) {
    case .text: textField == nil && !text.isEmpty
    case .attribute: type.mayAddAttribute(for: key.utf8.span)
    default: false
    }
  }

  override func didEnd() throws(FerryError) {
    context.locator?.move(to: start)
    try sendText()
    context.space.close()
    try unknown.send(to: sink, at: trail, besides: takenKeys, isMisread: isMisread)
    do throws(FerryError) {
      try sink.endDictionary()
    } catch {
      // A record is checked when it is complete, but the error is located at its start tag.
      throw error.placed(at: start)
    }
  }
}
