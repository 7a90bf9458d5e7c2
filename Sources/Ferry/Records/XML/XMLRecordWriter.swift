/// A writer of records as XML, in the shape that their schema declares.
///
///     <people>
///       <person>
///         <firstName>Ada</firstName>
///       </person>
///     </people>
///
/// Keys that the schema does not declare are written by the XML convention, so that `UnknownElements` reads
/// the same keys: `@name` as an attribute, also after elements as long as the start tag is held back, `#text` as text if there is
/// another key, and any other key as an element. An array becomes several elements with the
/// array's name, and an array inside it an element with elements `<item>`. A collection under `@name` or
/// `#text` becomes an element, too. An array `#content` that follows only attributes is the contents of its
/// element in order. A loss is reported for each undeclared value that reads back as another.
final class XMLRecordWriter: PlainSink, PromptWriter, BatchSink {
  let formatName = "XML"
  private let schema: Schema
  private let writer: XMLWriter
  /// The names in a schema with namespaces.
  private let names: SchemaNames?
  private var levels: [Level] = []
  private var tracker = PathTracker()
  private var currentKey = CurrentKey(location: .element(""), type: .any)
  /// True if the value is a record in a collection that the value does not have.
  private var isInAddedCollection = false
  /// The types of records that contain themselves, by element.
  private let enclosingTypes: [ExactString: RecordType]
  /// The fields of the outermost records whose scalars need no checks.
  private var simpleFields: XMLSimpleFields
  private var buffer: [UInt8] = []
  /// Receives the list of the contents of the innermost element; nil outside of such a list.
  private var contents: ValueBuilder?
  private let losses: LossReport
  /// True if an undeclared key that is an XML name is written as it is (see `XMLKeyName.key`).
  private let keepsNames: Bool
  /// True to report contents that are read as other values.
  private let reportsForms: Bool

  init(
    _ schema: Schema, to output: any ByteOutput, indentation: Indentation = .spaces(2),
    losses: LossReport = LossReport(), keepsNames: Bool = false, reportsForms: Bool = true
  ) throws(FerryError) {
    self.schema = schema
    names = schema.names
    self.losses = losses
    (self.keepsNames, self.reportsForms) = (keepsNames, reportsForms)
    enclosingTypes = schema.record.enclosingTypes
    simpleFields = XMLSimpleFields(of: schema)
    writer = try XMLWriter(to: output, indentation: indentation, holdsTags: true)
  }

  /// True if the schema declares the current value, and so its type.
  private var isDeclared: Bool {
    switch levels.last?.kind {
    case nil: true
    case .list(let items, _, _)?: items != .any
    case .dictionary(let values)?: values != .any
    case .record?: currentKey.isDeclared
    case .unknown?, .repeated?: false
    }
  }

  // MARK: Scalars

  /// Writes a scalar. A scalar of a type that the schema does not declare is read back as text, which is the
  /// given loss.
  private func scalar(_ text: BorrowedText, as loss: Loss.Kind? = nil) throws(FerryError) {
    if case .attribute = currentKey.location, hasHeldContents {
      losses.add(.attributeOrder, path: tracker.path)
    }
    if let loss, !isDeclared { losses.add(loss, path: tracker.path) }
    switch levels.last?.kind {
    case .record?, .unknown?, .dictionary?: try entry(text)
    case .list(_, let name, _)?, .repeated(let name, _)?: try element(name, text)
    case nil: try element(schema.record.element, text)
    }
    countValue()
    tracker.finishValue()
  }

  /// True if contents of the innermost undeclared element are held back, so that an attribute precedes them.
  private var hasHeldContents: Bool {
    guard let level = levels.last else { return false }
    if case .unknown = level.kind, level.text != nil { return true }
    return level.contents != nil
  }

  private func entry(_ text: BorrowedText) throws(FerryError) {
    switch currentKey.location {
    case .element(let name), .items(let name, _): try element(name, text)
    case .attribute(let name, let key):
      try writer.attribute(name.utf8.span, text)
      if let last = levels.indices.last, case .unknown = levels[last].kind {
        levels[last].attributeKeys.append(key)
      }
    case .lateAttribute(let name, let key): try lateAttribute(name, key, text)
    case .text: hold(text)
    case .undeclaredText where mayBeText(text): hold(text)
    case .undeclaredText: try element(xmlName("#text"), text)
    case .contents: try element(xmlName(Self.contentsKey), text)
    case .textOfContents(let isMixed): try self.text(text, isMixed: isMixed)
    }
  }

  /// Writes an attribute after elements, or an element if that is not possible, and reports it.
  private func lateAttribute(_ name: String, _ key: String, _ text: BorrowedText) throws(FerryError) {
    let isAdded: Bool
    if let expanded = ExpandedName(name.utf8.span) {
      isAdded = try writer.addLateAttribute(expanded, text)
    } else {
      // The contents are already written with more white space.
      isAdded = name.equals("xml:space") ? false : try writer.addLateAttribute(name.utf8.span, text)
    }
    if isAdded { return losses.add(.attributeOrder, path: tracker.path) }
    losses.add(.keyName, path: tracker.path)
    try element(xmlName(key), text)
  }

  /// Holds the text of the innermost element back until its next child or its end.
  private func hold(_ text: BorrowedText) { levels[levels.count - 1].text = [UInt8](copying: text.utf8) }

  /// Returns true if the value of an undeclared key `#text` can be written as text, provided that another key follows or precedes it: it is
  /// not empty.
  private func mayBeText(_ text: BorrowedText) -> Bool {
    levels.last?.text == nil && !text.utf8.isEmpty
  }

  private func element(_ name: String, _ text: BorrowedText) throws(FerryError) {
    try start(name)
    if !text.utf8.isEmpty { try writer.text(text) }
    try writer.endElement()
  }

  private func scalar(_ text: String, as loss: Loss.Kind) throws(FerryError) {
    try scalar(BorrowedText(text.utf8.span), as: loss)
  }

  func null() throws(FerryError) { throw cannotHold("null") }
  func boolean(_ value: Bool) throws(FerryError) {
    if let contents { return try contents.boolean(value) }
    try scalar(value ? "true" : "false", as: .booleanAsText)
  }
  func integer(_ value: Int128) throws(FerryError) {
    if let contents { return try contents.integer(value) }
    try scalar(value.notation, as: .numberAsText)
  }
  func real(_ value: Double) throws(FerryError) {
    if let contents { return try contents.real(value) }
    try scalar(XMLValueWriter.notFinite(value) ?? value.notation, as: .numberAsText)
  }
  func single(_ value: Float) throws(FerryError) {
    if let contents { return try contents.single(value) }
    try scalar(XMLValueWriter.notFinite(value) ?? Double(value).notation, as: .numberAsText)
  }
  func number(_ text: BorrowedText) throws(FerryError) {
    if let contents { return try contents.number(text) }
    try scalar(text, as: .numberAsText)
  }
  func string(_ text: BorrowedText) throws(FerryError) {
    if let contents { return try contents.string(text) }
    try scalar(text)
  }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    if let contents { return try contents.data(bytes) }
    buffer.removeAll(keepingCapacity: true)
    Base64.encode(bytes, into: &buffer)
    let text = buffer
    try scalar(BorrowedText(checked: text.span, isASCII: true), as: .dataAsText)
  }

  func date(_ secondsSince2001: Double) throws(FerryError) {
    if let contents { return try contents.date(secondsSince2001) }
    guard let text = ISODate.text(secondsSince2001) else { throw cannotHold("the date \(secondsSince2001)") }
    try scalar(text, as: .dateAsText)
  }

  // MARK: Batches

  var prefersBatches: Bool { true }

  func receive(_ events: borrowing EventBatch) throws(EventFailure) {
    var index = 0
    while index < events.count {
      let field = simpleField(at: index, of: events)
      if field != nil { index += 1 }
      do throws(FerryError) {
        if let field { try write(field, events, index) } else { try events.send(index, to: self) }
      } catch {
        throw EventFailure(error: error, index: index)
      }
      index += 1
    }
  }

  /// Returns the field of an outermost record that the key at an index names, if it is simple and a scalar follows the key.
  private func simpleField(at index: Int, of events: borrowing EventBatch) -> XMLSimpleFields.Field? {
    guard events.kind(index) == .key, index + 1 < events.count, isScalar(events.kind(index + 1)),
      contents == nil, let last = levels.indices.last, levels[last].isOutermostRecord,
      levels[last].text == nil
    else { return nil }
    return simpleFields.field(withKey: events.text(index))
  }

  private func isScalar(_ kind: EventBatch.Kind) -> Bool {
    switch kind {
    case .boolean, .integer, .real, .number, .string: true
    case .null, .key, .beginArray, .endArray, .beginDictionary, .endDictionary: false
    }
  }

  /// Writes the scalar at an index as the value of a simple field.
  private func write(
    _ field: XMLSimpleFields.Field, _ events: borrowing EventBatch, _ index: Int
  ) throws(FerryError) {
    switch events.kind(index) {
    case .string, .number: try write(field, events.text(index))
    case .boolean: try write(field, events.boolean(index) ? "true" : "false")
    case .integer: try write(field, events.integer(index).notation)
    case .real:
      let value = events.real(index)
      try write(field, XMLValueWriter.notFinite(value) ?? value.notation)
    default: break
    }
  }

  private func write(_ field: XMLSimpleFields.Field, _ text: String) throws(FerryError) {
    try write(field, BorrowedText(text.utf8.span))
  }

  private func write(_ field: XMLSimpleFields.Field, _ text: BorrowedText) throws(FerryError) {
    if field.isAttribute {
      try writer.attribute(field.name.span, text)
    } else {
      levels[levels.count - 1].hasChildren = true
      try writer.element(bare: field.name.span, text)
    }
    countValue()
  }

  // MARK: Elements

  /// Starts an element inside the innermost element.
  private func start(_ name: String) throws(FerryError) {
    if let parent = levels.lastIndex(where: \.hasElement) {
      levels[parent].hasChildren = true
      if levels[parent].text != nil, case .unknown = levels[parent].kind {
        // A reader takes the text for one after the elements, or for a part of a list of contents.
        losses.add(.contentForm, path: tracker.collectionPath)
      }
      try sendText(of: parent)
    }
    try writer.startElement(name.utf8.span)
    if levels.isEmpty {
      try declareNamespaces()
    } else if writer.hasNoDefaultNamespace, !name.begins(with: "{"), let uri = names?.uri(ofElement: name),
      name.dividedAtColon == nil
    {
      // An element of no namespace is around this one.
      try writer.attribute("xmlns", BorrowedText(uri.utf8.span))
    }
  }

  /// Declares the namespaces of the schema in the root element.
  private func declareNamespaces() throws(FerryError) {
    for namespace in schema.namespaces {
      let name = namespace.prefix.isEmpty ? "xmlns" : "xmlns:\(namespace.prefix)"
      try writer.attribute(name.utf8.span, BorrowedText(namespace.uri.utf8.span))
    }
  }

  /// Writes the held text of an element. Text of white space is written as a CDATA section if a reader would
  /// drop it as layout, and empty text if a reader would take the field for missing.
  private func sendText(of level: Int) throws(FerryError) {
    guard let text = levels[level].text else { return }
    levels[level].text = nil
    if needsSection(BorrowedText(text.span), in: levels[level]) {
      try writer.cdata(BorrowedText(text.span))
    } else if !text.isEmpty {
      try writer.text(BorrowedText(text.span))
    }
  }

  /// Returns true if a text must be written as a CDATA section, so that it is read as content.
  private func needsSection(_ text: BorrowedText, in level: Level) -> Bool {
    guard text.isBlank else { return false }
    guard case .record(let record) = level.kind else { return level.hasChildren }
    guard let field = record.textField else { return true }
    return text.utf8.isEmpty ? !record.fields[field].isRequired : level.hasChildren
  }

  private func countValue() {
    if let last = levels.indices.last { levels[last].count += 1 }
  }

  // MARK: Collections

  /// The element name and the type of a collection that begins now.
  private var next: (name: String, type: FieldType) {
    switch levels.last?.kind {
    case .record?, .unknown?, .dictionary?: return (elementName, currentKey.type)
    case .list(let items, let name, _)?: return (name, items)
    case .repeated(let name, _)?: return (name, .string)
    case nil: return (schema.record.element, .record(schema.record))
    }
  }

  /// The name of the element for a collection that is the value of the current key.
  private var elementName: String {
    switch currentKey.location {
    case .element(let name), .items(let name, _): name
    case .attribute(_, let key), .lateAttribute(_, let key), .text(let key): xmlName(key)
    case .undeclaredText, .textOfContents: xmlName("#text")
    case .contents: xmlName(Self.contentsKey)
    }
  }

  func beginArray(count: Int?) throws(FerryError) {
    if let contents { return try contents.beginArray(count: count) }
    try sendContentsBeforeCollection()
    defer { tracker.beginList() }
    guard let last = levels.last else { return try beginCollection() }
    if case .contents = currentKey.location, case .unknown = last.kind {
      countValue()
      let builder = ValueBuilder()
      contents = builder
      return try builder.beginArray(count: count)
    }
    let (name, type) = next
    countValue()
    if case .list(let items, let element) = type {
      if !last.isList, case .items(_, let isOptional) = currentKey.location {
        levels.append(
          Level(kind: .list(items, element: element, hasElement: false), isOptional: isOptional))
      } else {
        try start(name)
        levels.append(Level(kind: .list(items, element: element, hasElement: true)))
      }
    } else if last.isList {
      losses.add(.nestedArray, path: tracker.path)
      try start(name)
      levels.append(Level(kind: .repeated(name: "item", hasElement: true)))
    } else {
      levels.append(Level(kind: .repeated(name: name, hasElement: false), isRequired: currentKey.isRequired))
    }
  }

  /// Starts the element that contains the records.
  private func beginCollection() throws(FerryError) {
    try start(schema.collectionElement)
    if let name = schema.collectionVersion, let current = schema.record.versions?.current {
      let version = current.description
      try writer.attribute(name.utf8.span, BorrowedText(version.utf8.span))
    }
    levels.append(
      Level(kind: .list(.record(schema.record), element: schema.record.element, hasElement: true)))
  }

  func beginDictionary(count: Int?) throws(FerryError) {
    if let contents { return try contents.beginDictionary(count: count) }
    try sendContentsBeforeCollection()
    if levels.isEmpty { try beginOnlyRecord() }
    let (name, type) = next
    countValue()
    try start(name)
    let kind = kind(of: type)
    if case .unknown = kind { writer.holdTag() }
    levels.append(Level(kind: kind, isOutermostRecord: isOutermostRecord(kind)))
    tracker.beginDictionary()
  }

  /// Prepares for a record that is in no list. Its element is the root, unless a reader would take that for the collection: then the
  /// record becomes the only one of a collection.
  private func beginOnlyRecord() throws(FerryError) {
    guard schema.record.element.equals(schema.collectionElement) else {
      // Only a collection has an attribute for the version.
      if let loss = schema.lossOfVersion { losses.add(loss.kind, path: loss.path) }
      return
    }
    try beginCollection()
    isInAddedCollection = true
  }

  /// Returns true if a dictionary that begins now is a record in the collection, or the only one.
  private func isOutermostRecord(_ kind: Kind) -> Bool {
    guard case .record = kind else { return false }
    guard let collection = levels.first else { return true }
    return levels.count == 1 && collection.isList
  }

  /// Returns the kind of a dictionary that is the value of a type.
  private func kind(of type: FieldType) -> Kind {
    switch type {
    case .record(let record): .record(record)
    case .dictionary(let values): .dictionary(values)
    case .enclosing(let element): enclosingTypes[element].map { .record($0) } ?? .unknown
    default: .unknown
    }
  }

  func endArray() throws(FerryError) {
    guard let contents else { return try end() }
    try contents.endArray()
    guard contents.isComplete, let last = levels.indices.last else { return }
    self.contents = nil
    if case .array(let values) = try contents.result() { levels[last].contents = values }
    tracker.end()
  }

  func endDictionary() throws(FerryError) {
    if let contents { return try contents.endDictionary() }
    try end()
    if isInAddedCollection, levels.count == 1 {
      levels.removeLast()
      try writer.endElement()
    }
  }

  private func end() throws(FerryError) {
    defer { tracker.end() }
    guard let last = levels.indices.last else { return }
    try sendContents()
    try sendTextAsElement()
    if let text = levels[last].text, levels[last].hasChildren, case .unknown = levels[last].kind,
      !BorrowedText(text.span).isBlank
    {
      // A reader takes it for a part of a list of contents.
      losses.add(.contentForm, path: tracker.collectionPath)
    }
    try sendText(of: last)
    let level = levels.removeLast()
    noteLosses(of: level)
    if level.isRequired, level.count == 0, case .repeated(let name, _) = level.kind {
      try element(name, BorrowedText("".utf8.span))
    }
    if level.hasElement { try writer.endElement() }
  }

  /// Reports that an undeclared collection is read back as another value.
  private func noteLosses(of level: Level) {
    switch (level.kind, level.count) {
    case (.list(_, _, false), 0) where level.isOptional:
      losses.add(.emptyCollection, path: tracker.collectionPath)
    case (.unknown, 0), (.repeated, 0): losses.add(.emptyCollection, path: tracker.collectionPath)
    case (.repeated, 1): losses.add(.arrayOfOne, path: tracker.collectionPath)
    default: break
    }
  }

  // MARK: Keys

  func key(_ text: BorrowedText) throws(FerryError) {
    if let contents { return try contents.key(text) }
    if levels.last?.contents != nil, !(text.utf8.starts(with: "@") && mayAddAttribute(for: text.utf8)) {
      losses.add(.contentForm, path: tracker.path)
      try sendContents()
    }
    tracker.key(text.utf8)
    currentKey = makeKey(text)
  }

  private func makeKey(_ name: BorrowedText) -> CurrentKey {
    switch levels.last?.kind {
    case .dictionary(let values)?: CurrentKey(location: .element(xmlName(String(name))), type: values)
    case .record(let record)?:
      if let (index, age) = record.match(name.utf8, usesArchiveKeys: false) {
        makeKey(name, of: record.fields[index], isOlder: age > 0)
      } else {
        makeUndeclaredKey(name)
      }
    case .list?, .unknown?, .repeated?, nil: makeUndeclaredKey(name)
    }
  }

  private func makeKey(_ name: BorrowedText, of field: RecordField, isOlder: Bool) -> CurrentKey {
    let location: CurrentKey.Location =
      switch field.xml {
      case .items: .items(field.elementName ?? "", isOptional: field.isOptional)
      // An older key, written for older apps, gets its own element or attribute.
      case .attribute where isOlder: .attribute(attributeName(String(name)), key: String(name))
      case .element where isOlder, .text where isOlder: .element(xmlName(String(name)))
      case .attribute(let attribute): .attribute(attribute, key: field.name)
      case .element(let element): .element(element)
      case .text: .text(key: field.name)
      }
    return CurrentKey(location: location, type: field.type, isRequired: !isOlder && !field.isOptional)
  }

  /// Writes the held text of an undeclared dictionary without other keys as an element, because a reader takes an element without other
  /// content for its text.
  private func sendTextAsElement() throws(FerryError) {
    guard let last = levels.indices.last, case .unknown = levels[last].kind, levels[last].count == 1,
      let text = levels[last].text
    else { return }
    levels[last].text = nil
    try element(xmlName("#text"), BorrowedText(text.span))
  }

  private func makeUndeclaredKey(_ key: BorrowedText) -> CurrentKey {
    let name = String(key)
    let location: CurrentKey.Location =
      if name.begins(with: "@"), mayAddAttribute(for: key.utf8) {
        .attribute(attributeName(name.droppingFirst()), key: name)
      } else if mayAddLateAttribute(for: key.utf8) {
        .lateAttribute(attributeName(name.droppingFirst()), key: name)
      } else if name.equals("#text"), !hasTextField {
        .undeclaredText
      } else if name.equals(Self.contentsKey), mayHaveContents {
        .contents
      } else {
        .element(xmlName(name))
      }
    return CurrentKey(location: location, type: .any)
  }

  /// True if only attributes precede the next value in an undeclared element.
  private var mayHaveContents: Bool {
    guard let level = levels.last, case .unknown = level.kind else { return false }
    return !level.hasChildren && level.text == nil
  }

  /// Returns true if an undeclared key `@name` can be an attribute of the innermost element.
  private func mayAddAttribute(for key: Span<UInt8>) -> Bool {
    guard let level = levels.last, !level.hasChildren else { return false }
    guard case .record(let record) = level.kind else { return key.count > 1 && !key.equals("@xmlns") }
    return record.mayAddAttribute(for: key)
  }

  /// Returns true if an undeclared key is the name of an attribute, and may be one although elements precede it.
  private func mayAddLateAttribute(for key: Span<UInt8>) -> Bool {
    guard let level = levels.last, level.hasChildren, case .unknown = level.kind, key.starts(with: "@"),
      key.count > 1, !key.equals("@xmlns")
    else { return false }
    let name = key.extracting(1...)
    return name.isXMLName || isExpandedName(name)
  }

  /// True if the text of the current element is a field of its own.
  private var hasTextField: Bool {
    guard case .record(let record)? = levels.last?.kind else { return false }
    return record.hasText
  }

  /// Returns the name of an attribute for an undeclared key without its `@`.
  private func attributeName(_ key: String) -> String { xmlName(key, isAttribute: true) }

  /// Returns an XML name for an undeclared key. Only the prefix `xml`, which needs no declaration, and those of the schema are
  /// kept.
  private func xmlName(_ key: String, isAttribute: Bool = false) -> String {
    let utf8 = key.utf8.span
    if isExpandedName(utf8) || names.keepsName(key, isAttribute: isAttribute) { return key }
    let keepsPrefix = names.keepsPrefix(of: key, isAttribute: isAttribute)
    let hasColon = utf8.firstIndex(of: UInt8(ascii: ":"), from: 0) != nil
    if keepsNames, utf8.isXMLName, keepsPrefix || !hasColon { return key }
    return String(decoding: XMLKeyName.name(for: utf8, keepsColon: keepsPrefix), as: UTF8.self)
  }

  /// Returns true if an undeclared key is the name of an element or attribute of a namespace that the schema does not have, as
  /// `SchemaNames` makes them.
  private func isExpandedName(_ key: Span<UInt8>) -> Bool {
    guard let names, let name = ExpandedName(key) else { return false }
    return !name.namespace.isEmpty || names.uri(ofElement: "") != nil
  }

  // MARK: Contents in order

  private static let contentsKey = "#content"

  /// Writes the contents of the innermost element that are held back, if there are any.
  private func sendContents() throws(FerryError) {
    guard let last = levels.indices.last, let contents = levels[last].contents else { return }
    levels[last].contents = nil
    // `count` includes the list; the other values are attributes.
    let isReadInOrder = isReadInOrder(
      contents, besideAttributes: levels[last].count - 1, levels[last].attributeKeys)
    tracker.key(Self.contentsKey.utf8.span)
    tracker.beginList()
    let isMixed = contents.contains(where: Self.isMixedText)
    if isMixed { writer.beginMixedContent() }
    if !isReadInOrder, reportsForms || contents.isEmpty {
      losses.add(.contentForm, path: tracker.collectionPath)
    }
    var endsInText = false
    for value in contents {
      switch value {
      case .dictionary(let entries): try sendItems(entries)
      case .array, .set, .object:
        losses.add(.contentForm, path: tracker.path)
        currentKey = CurrentKey(location: .element("item"), type: .any)
        try value.replay(into: self)
      default:
        // A reader puts neighboring texts together.
        if endsInText { losses.add(.contentForm, path: tracker.path) }
        currentKey = CurrentKey(location: .textOfContents(isMixed: isMixed), type: .any)
        try value.replay(into: self)
      }
      endsInText = value.plainText != nil
    }
    tracker.end()
  }

  /// Returns true if `UnknownElements` reads contents of the innermost element as a list: text beside elements, elements of one name with
  /// others between them, a key that an attribute has, or one that would mean something else in a dictionary or as a text.
  private func isReadInOrder(
    _ contents: [Value], besideAttributes attributes: Int, _ attributeKeys: [String]
  ) -> Bool {
    var entries = UnknownElements.Entries()
    // The attributes come first, as in `UnknownElements`. Only their number matters here, so they get names that no element has.
    for number in 0..<attributes { entries.add(.null, named: " \(number)") }
    for case .dictionary(let items) in contents {
      for (key, value) in items {
        let name = key.plainText ?? ""
        if XMLReservedKey(name.utf8.span) == .markup, !value.isCollection { continue }
        if attributeKeys.contains(where: name.equals) { return true }
        entries.add(value.textOfElement.map { .string($0) } ?? value, named: name)
      }
    }
    guard entries.names.count == attributes else {
      return contents.contains(where: Self.isMixedText) || entries.isScattered
        || entries.hasMisreadChild(after: attributes)
    }
    return attributes == 0 && isTextReadAsList(contents)
  }

  /// Returns true if `UnknownElements` reads the text of the innermost element, which has nothing else, as a list of contents, because the
  /// text would mean something else under the key.
  private func isTextReadAsList(_ contents: [Value]) -> Bool {
    let steps = tracker.collectionPath.steps
    guard case .key(let key)? = steps.last else { return false }
    var outer: RecordType?
    if levels.count > 1, case .record(let record) = levels[levels.count - 2].kind { outer = record }
    switch XMLReservedKey(key.utf8.span) {
    case .markup: return steps.count > 2 && steps[steps.count - 3] == .key(Self.contentsKey)
    case .attribute: return outer?.mayAddAttribute(for: key.utf8.span) == true
    case .text: return outer?.hasText == false && !contents.isEmpty
    case .contents, nil: return false
    }
  }

  /// Returns true for text, or a CDATA section, that is not white space. Beside it, all white space is text.
  private static func isMixedText(_ value: Value) -> Bool {
    var content = value
    if case .dictionary(let entries) = value, let section = entries["#cdata"] { content = section }
    guard case .string(let text) = content else { return content.plainText != nil }
    return !BorrowedText(text.utf8.span).isBlank
  }

  /// Writes the contents that are held back before a collection, which is an element after them.
  private func sendContentsBeforeCollection() throws(FerryError) {
    guard levels.last?.contents != nil, case .attribute(_, let key) = currentKey.location else { return }
    let held = currentKey
    losses.add(.contentForm, path: tracker.path)
    try sendContents()
    currentKey = held
    tracker.key(key.utf8.span)
  }

  /// Writes the entries of a dictionary in a list of contents, which is one element, comment, instruction or CDATA section.
  private func sendItems(_ entries: KeyedValues) throws(FerryError) {
    if entries.count != 1 { losses.add(.contentForm, path: tracker.path) }
    tracker.beginDictionary()
    for (key, value) in entries {
      let name = key.plainText ?? ""
      tracker.key(name.utf8.span)
      if case .string(let text) = value, try sendMarkup(name, text) {
        tracker.finishValue()
        continue
      }
      if case .array = value { losses.add(.contentForm, path: tracker.path) }
      currentKey = CurrentKey(location: .element(xmlName(name)), type: .any)
      try value.replay(into: self)
    }
    tracker.end()
  }

  /// Writes a comment, an instruction or a CDATA section. Returns false for the name of an element.
  private func sendMarkup(_ name: String, _ text: String) throws(FerryError) -> Bool {
    let borrowed = BorrowedText(text.utf8.span)
    if name.equals("#comment") {
      try writer.comment(borrowed)
    } else if name.equals("#cdata") {
      try writer.cdata(borrowed)
    } else if name.equals("#instruction") {
      let space = borrowed.utf8.firstIndex(of: 0x20, from: 0) ?? borrowed.utf8.count
      try writer.processingInstruction(
        target: borrowed.utf8.extracting(..<space),
        data: BorrowedText(borrowed.utf8.extracting(min(space + 1, borrowed.utf8.count)...)))
    } else {
      return false
    }
    levels[levels.count - 1].hasChildren = true
    return true
  }

  /// Writes text in a list of contents. White space is read as layout if no other text is beside it.
  private func text(_ text: BorrowedText, isMixed: Bool) throws(FerryError) {
    levels[levels.count - 1].hasChildren = true
    if text.utf8.isEmpty {
      losses.add(.contentForm, path: tracker.path)
    } else if !isMixed, text.isBlank {
      try writer.cdata(text)
    } else {
      try writer.text(text)
    }
  }

  func finish() throws(FerryError) { try writer.finish() }
  func flushComplete() throws(FerryError) { try writer.flush() }
}

extension Value {
  /// The text of an element with the value if it has nothing else, or nil.
  fileprivate var textOfElement: String? {
    guard case .dictionary(let entries) = self else { return plainText }
    guard !entries.isEmpty else { return "" }
    guard entries.count == 1, case .array(let contents)? = entries["#content"] else { return nil }
    var text = ""
    for value in contents {
      guard let piece = value.plainText else { return nil }
      text += piece
    }
    return text
  }
}
