/// A converter of single records on a tape to another dialect.
final class RecordTranslator {
  let source: RecordDialect
  let target: RecordDialect
  private var types: [ExactString: ObjectClass] = [:]
  /// The buffers of completed records, which are reused to avoid allocations.
  private var spare: [FoundFields] = []

  let options: RecordOptions
  /// The types of records that contain themselves, by element.
  let enclosingTypes: [ExactString: RecordType]
  /// The losses in the records sent so far. Their paths begin in the record, so they are kept apart from the
  /// losses of later sinks, whose paths begin at the root.
  let losses = LossReport()
  /// The version of the enclosing record or document, or nil if it states none.
  var versionAround: Int?
  /// True if a newer version than the schema's has been refused or reported.
  var hasNotedNewerVersion = false
  /// The translator that reads the values of older records.
  private(set) lazy var olderReader = RecordTranslator(
    from: source, to: .values, options: options.withoutIdentities, enclosingTypes: enclosingTypes)
  private let scalars: ScalarConverter
  /// The converter that checks the values of fields whose text is kept; nil if no text is kept.
  private let checker: ScalarConverter?
  private let nothing = NullSink()

  init(
    from source: RecordDialect, to target: RecordDialect, options: RecordOptions,
    enclosingTypes: [ExactString: RecordType] = [:]
  ) {
    self.options = options
    self.enclosingTypes = enclosingTypes
    self.source = source
    self.target = target
    scalars = ScalarConverter(source: source, target: target, losses: losses)
    checker =
      source.scalarsAreText && options.keepsText && target.scalarsAreText
      ? ScalarConverter(source: source, target: .values, losses: LossReport(limit: 0)) : nil
  }

  /// Sends the value at a tape index as a record of a type. A reference, or an object of another class, is
  /// sent unchanged.
  func send(_ type: RecordType, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink)
    throws(FerryError)
  {
    var content = index
    var identity: Int?
    var written: ObjectClass?
    if tape.kind(at: index) == .beginObject {
      let found = tape.type(at: index)
      guard options.takesAnyClass || type.accepts(className: found.name) else {
        guard !options.refusesOtherClasses else {
          throw FerryError(.record(.notARecord(found: nameWithArticle(found.name), record: type.element)))
        }
        return try tape.replayWithPaths(valueAt: index, into: sink)
      }
      // A class in a module of the app keeps its module.
      if type.keepsClass(named: found.name) { written = found }
      content = index + 1
      identity = tape.identity(at: index)
    }
    if tape.kind(at: index) == .reference { return try tape.replay(valueAt: index, into: sink) }
    guard tape.kind(at: content) == .beginDictionary else {
      throw FerryError(.record(.notARecord(found: tape.words(at: content), record: type.element)))
    }
    var found = spare.popLast() ?? FoundFields()
    found.reset(count: type.fields.count)
    let outer = versionAround
    defer {
      spare.append(found)
      versionAround = outer
    }
    let older = try olderRecord(of: type, at: content, of: tape)
    let failure = find(&found, of: type, older: older, at: content, on: tape)
    if failure == nil { try older?.makeFields(&found) }
    addEmptyText(to: type, &found)
    if options.reportsUndeclaredKeys { noteUndeclaredKeys(of: found, older, tape) }
    if let failure { throw failure }
    try checkPresent(type, found)
    let isObject = target.holdsObjects || options.keepsIdentities && identity != nil
    if isObject {
      let sent = target.holdsObjects ? written ?? objectClass(of: type) : ObjectClass.none
      try sink.beginObject(sent, identity: identity)
    }
    try sink.beginDictionary(count: nil)
    if target.putsAttributesFirst { try sendOthers(.attributes, of: type, found, older, on: tape, to: sink) }
    try sendFields(of: type, &found, older, on: tape, to: sink)
    try sendOthers(
      target.putsAttributesFirst ? .elements : .all, of: type, found, older, on: tape, to: sink)
    try sink.endDictionary()
    if isObject { try sink.endObject() }
  }

  private func objectClass(of type: RecordType) -> ObjectClass {
    if let known = types[type.className] { return known }
    let made = ObjectClass(name: type.className, chain: [type.className] + type.superclasses)
    types[type.className] = made
    return made
  }

  // MARK: Finding fields

  /// Returns the field that has a key, and the age of the key. The field at `likely` is tried first.
  func match(
    _ type: RecordType, key: TapeIndex, _ tape: EventTape, likely: Int = 0
  ) -> (field: Int, age: Int)? {
    guard tape.kind(at: key) == .key else { return nil }
    return type.match(tape.text(at: key).utf8, usesArchiveKeys: source.usesArchiveKeys, likely: likely)
  }

  /// Finds the tape index of each field's value, the order of the fields, and the keys that no field has. If
  /// a field's own key had another meaning in an older version, its value is left to the rules of that
  /// version. Returns the first error, after which the other keys are found all the same.
  private func find(
    _ found: inout FoundFields, of type: RecordType, older: OlderRecord?, at content: TapeIndex,
    on tape: EventTape
  ) -> FerryError? {
    var failure: FerryError?
    var key = content + 1
    var likely = 0
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if let (field, age) = match(type, key: key, tape, likely: likely) {
        likely = field + 1
        if older?.hasOlderMeaning(key, ofField: field) != true {
          do throws(FerryError) {
            try note(value, at: key, for: field, age: age, of: type, on: tape, in: &found)
          } catch {
            failure = failure ?? error
          }
        }
      } else {
        found.others.append(key)
      }
      key = tape.next(after: value)
    }
    noteOlderValues(of: type, tape, found)
    return failure
  }

  /// Returns true if null is a value of a field. For other fields null is a missing value.
  private func holdsNull(_ index: Int, of type: RecordType) -> Bool {
    let field = type.fields[index]
    return field.isOptional && field.defaultValue == nil && index != type.versionField
      && !source.nullIsMissing
  }

  /// Returns true if a value of the source is null for a field.
  private func isNull(_ value: TapeIndex, for field: RecordField, _ tape: EventTape) -> Bool {
    tape.kind(at: value) == .null
      || source.hasElements && field.takesEmptyElementAsNull
        && isEmptyElement(value, tape)
  }

  /// Returns true if a value of the source is null for a type that a record need not have: null itself, or an element or an attribute of XML
  /// without text.
  func isNull(_ value: TapeIndex, of type: FieldType, _ tape: EventTape) -> Bool {
    tape.kind(at: value) == .null
      || source.hasElements && type.lacksEmptyText
        && (isEmptyElement(value, tape) || isEmptyList(value, tape))
  }

  /// Returns true for an element of XML without text and children that is read as a list.
  func isEmptyList(_ value: TapeIndex, _ tape: EventTape) -> Bool {
    source.hasElements && tape.kind(at: value) == .beginArray && tape.kind(at: value + 1) == .endArray
  }

  /// Returns true for the text of an element or an attribute of XML that is nothing but white space.
  private func isEmptyElement(_ value: TapeIndex, _ tape: EventTape) -> Bool {
    tape.kind(at: value) == .string && tape.text(at: value).isBlank
  }

  /// Returns true if a value is a dictionary with nothing but null, such as columns of a table without a value.
  private func isBlankDictionary(_ value: TapeIndex, _ tape: EventTape) -> Bool {
    guard tape.kind(at: value) == .beginDictionary else { return false }
    return tape.entries(of: value).allSatisfy { _, entry in
      tape.kind(at: entry) == .null || isBlankDictionary(entry, tape)
    }
  }

  /// Records the location of a field's value, unless it was already found under a newer key.
  private func note(
    _ value: TapeIndex, at key: TapeIndex, for field: Int, age: Int, of type: RecordType,
    on tape: EventTape, in found: inout FoundFields
  ) throws(FerryError) {
    if tape.kind(at: value) == .null, isEmptyText(nullOf: type.fields[field]) {
      return found.made[field] = .string("")
    }
    guard !isMissing(value, for: field, of: type, tape) else { return }
    guard found.tapeIndices[field] >= .start else {
      found.tapeIndices[field] = value
      found.ages[field] = age
      found.order.append(field)
      return
    }
    guard found.ages[field] == age else {
      return noteOtherKey(value, for: field, age: age, in: &found)
    }
    if source.hasElements, type.fields[field].mayBeElements {
      return noteItem(value, at: key, of: field, on: tape, in: &found)
    }
    throw FerryError(
      .record(.repeatedField(type.fields[field].name)), path: ValuePath([tape.step(ofKey: key)]))
  }

  /// Gives a field null, the only value under the keys of a version rule. It means what it means under a key of the field: null, the
  /// empty text, or no value.
  func noteOlderNull(for field: Int, of type: RecordType, in found: inout FoundFields) {
    if isEmptyText(nullOf: type.fields[field]) {
      found.made[field] = .string("")
    } else if holdsNull(field, of: type) {
      found.tapeIndices[field] = FoundFields.null
    }
  }

  /// Returns true if null is the empty text of a field, as an empty cell of a table is.
  private func isEmptyText(nullOf field: RecordField) -> Bool {
    source.nullIsEmptyText && field.takesNullAsEmptyText
  }

  /// Returns true if a value means that the record lacks the field.
  private func isMissing(
    _ value: TapeIndex, for field: Int, of type: RecordType, _ tape: EventTape
  ) -> Bool {
    if isNull(value, for: type.fields[field], tape) { return !holdsNull(field, of: type) }
    guard source.nullIsEmptyText, !type.fields[field].isRequired else { return false }
    // A record that is missing has empty cells in its columns.
    if isBlankDictionary(value, tape) { return true }
    // An empty cell has no value for a number. It may have quotation marks.
    return tape.kind(at: value) == .string && tape.text(at: value).utf8.isEmpty
      && !type.fields[field].type.canBeEmptyText
  }

  /// Keeps the value under the newer of two keys of a field, and remembers the other one for the report of losses.
  private func noteOtherKey(
    _ value: TapeIndex, for field: Int, age: Int, in found: inout FoundFields
  ) {
    guard age < found.ages[field] else {
      return found.olderValues[field, default: [:]][age, default: []].append(value)
    }
    found.olderValues[field, default: [:]][found.ages[field]] = found.items(of: field)
    found.tapeIndices[field] = value
    found.furtherItems[field] = nil
    found.ages[field] = age
  }

  /// Reports a loss for each older key of a field whose value differs from that under the newest key.
  private func noteOlderValues(of type: RecordType, _ tape: EventTape, _ found: FoundFields) {
    guard !found.olderValues.isEmpty else { return }
    for field in type.fields.indices {
      guard let older = found.olderValues[field] else { continue }
      let newest = found.items(of: field)
      // A null under an older key is not a value that could be left out.
      for items in older.values where items.contains(where: { !isNull($0, for: type.fields[field], tape) }) {
        guard !items.elementsEqual(newest, by: { tape.equalValues(at: $0, $1) }) else { continue }
        losses.add(.olderKey, path: ValuePath([.key(type.fields[field].name)]))
      }
    }
  }

  /// Records the location of a second or later item of a list whose items are elements of the record, or of an array in a
  /// field of any type. Reports a loss if other elements are between two items, because the items are written together.
  private func noteItem(
    _ value: TapeIndex, at key: TapeIndex, of field: Int, on tape: EventTape, in found: inout FoundFields
  ) {
    let last = found.furtherItems[field]?.last ?? found.tapeIndices[field]
    if tape.next(after: last) != key { losses.add(.siblingOrder) }
    found.furtherItems[field, default: []].append(value)
  }

  /// Gives a required text field the empty value if an element of XML has no text, and a required list the empty list if
  /// the element has no item of the list.
  private func addEmptyText(to type: RecordType, _ found: inout FoundFields) {
    guard source.hasElements else { return }
    for index in type.fields.indices where type.fields[index].isUnwrappedList {
      guard type.fields[index].isRequired, !found.hasValue(index) else { continue }
      found.made[index] = .array([])
    }
    guard let index = type.textField, type.fields[index].isRequired,
      type.fields[index].type.hasEmptyText, !found.hasValue(index)
    else { return }
    found.made[index] = .string("")
  }

  private func checkPresent(_ type: RecordType, _ found: FoundFields) throws(FerryError) {
    for index in type.fields.indices where !found.hasValue(index) {
      let field = type.fields[index]
      guard field.isRequired, index != type.versionField else { continue }
      throw FerryError(.record(.missingField(field.name, record: type.element)))
    }
  }

  private func noteUndeclaredKeys(of found: FoundFields, _ older: OlderRecord?, _ tape: EventTape) {
    for key in found.others where older?.isUsed(key) != true {
      losses.add(
        .undeclaredKey, path: ValuePath([tape.kind(at: key) == .key ? tape.step(ofKey: key) : .key("?")]))
    }
  }

  // MARK: Sending fields

  private func sendFields(
    of type: RecordType, _ found: inout FoundFields, _ older: OlderRecord?, on tape: EventTape,
    to sink: any ValueSink
  ) throws(FerryError) {
    if target.encodes {
      for field in type.encodedIndices { try sendField(field, of: type, &found, tape, sink) }
      return
    }
    if target.putsAttributesFirst {
      for index in type.fields.indices where isAttribute(index, of: type, found, tape) {
        try sendField(index, of: type, &found, tape, sink)
      }
      // A writer adds white space to elements that precede a text.
      try sendOthers(.text, of: type, found, older, on: tape, to: sink)
    }
    // A version field that the record does not contain is written before all other fields.
    if let version = type.versionField, found.tapeIndices[version] == FoundFields.absent {
      try sendField(version, of: type, &found, tape, sink)
    }
    // The order of keys in an archive is not significant, so its fields are sent in the order of the schema.
    // Other sources keep their order, and so does a record with a reference that would precede its object.
    if !source.encodes || refersAhead(type, found, tape) {
      for index in found.order.indices { try sendField(found.order[index], of: type, &found, tape, sink) }
    }
    for index in type.fields.indices { try sendField(index, of: type, &found, tape, sink) }
  }

  /// Returns true if a field is an attribute in XML. A collection, which a field of any type can have, is an element.
  private func isAttribute(
    _ index: Int, of type: RecordType, _ found: FoundFields, _ tape: EventTape
  ) -> Bool {
    let field = type.fields[index]
    guard case .attribute = field.xml else { return false }
    let tapeIndex = found.tapeIndices[index]
    guard tapeIndex >= .start else {
      return (found.made[index] ?? field.defaultValue)?.isPlainCollection != true
    }
    return !isPlainCollection(at: tapeIndex, of: tape)
  }

  /// Returns true if a value is a collection in the plain form, as a reference is.
  private func isPlainCollection(at index: TapeIndex, of tape: EventTape) -> Bool {
    guard let content = tape.content(of: index) else { return true }
    return [.beginArray, .beginSet, .beginDictionary, .uid].contains(tape.kind(at: content))
  }

  /// Sends a field unless it has been sent already. A missing field gets its default value.
  private func sendField(
    _ index: Int, of type: RecordType, _ found: inout FoundFields, _ tape: EventTape, _ sink: any ValueSink
  ) throws(FerryError) {
    let tapeIndex = found.tapeIndices[index]
    guard tapeIndex != FoundFields.sent else { return }
    found.tapeIndices[index] = FoundFields.sent
    if let versions = type.versions, index == type.versionField {
      try sendKey(of: type.fields[index], to: sink)
      return try sink.integer(Int128(versions.current))
    }
    if tapeIndex == FoundFields.null
      || tapeIndex >= .start && isNull(tapeIndex, for: type.fields[index], tape)
    {
      try sendNull(of: type.fields[index], to: sink)
    } else if tapeIndex >= .start, source.hasElements, type.fields[index].isUnwrappedList {
      let items = [tapeIndex] + (found.furtherItems[index] ?? [])
      try sendItems(items, of: type.fields[index], tape, to: sink)
    } else if tapeIndex >= .start, let further = found.furtherItems[index] {
      try sendItems([tapeIndex] + further, of: type.fields[index], tape, to: sink)
    } else if tapeIndex >= .start {
      try send(type.fields[index], at: tapeIndex, of: tape, to: sink)
    } else if let value = found.made[index] ?? type.fields[index].defaultValue {
      let held = TapeSink()
      try value.replay(into: held)
      try send(type.fields[index], at: .start, of: held.tape, to: sink)
    }
  }

  /// Sends null as the value of a field. In XML, it is the empty text if a reader takes an element without text for null.
  private func sendNull(of field: RecordField, to sink: any ValueSink) throws(FerryError) {
    let isEmptyElement = target.hasElements && field.takesEmptyElementAsNull && field.isElement
    try sendEntries(of: field, to: sink) { _ throws(FerryError) in
      if isEmptyElement { try sink.string(BorrowedText("".utf8.span)) } else { try sink.null() }
    }
  }

  /// Returns true if a field refers to an object in a field that follows it in the schema. A target without objects refers to an object by
  /// its path, which is known only after the object has been sent.
  private func refersAhead(_ type: RecordType, _ found: FoundFields, _ tape: EventTape) -> Bool {
    guard options.keepsIdentities, !target.holdsObjects, tape.hasReferences else { return false }
    var references: Set<Int> = []
    for field in type.fields.indices where found.tapeIndices[field] >= .start {
      let start = found.tapeIndices[field]
      for index in start..<tape.next(after: start) {
        switch tape.kind(at: index) {
        case .reference: references.insert(tape.reference(at: index))
        case .beginObject:
          if let identity = tape.identity(at: index), references.contains(identity) { return true }
        default: break
        }
      }
    }
    return false
  }

  private func sendKey(of field: RecordField, to sink: any ValueSink) throws(FerryError) {
    try sink.key(BorrowedText((target.usesArchiveKeys ? field.archiveKey : field.name).utf8.span))
  }

  /// Returns the older keys under which a field is also written.
  private func olderKeys(of field: RecordField) -> [String] {
    target.encodes || options.writesOlderKeys ? field.alsoWritten : []
  }

  /// Sends a field under its name, and also under its older keys if older apps need them.
  ///
  /// - Parameter sendValue: Sends the value. Its argument is true for the first key.
  private func sendEntries(
    of field: RecordField, to sink: any ValueSink, _ sendValue: (_ isFirst: Bool) throws(FerryError) -> Void
  ) throws(FerryError) {
    try sendKey(of: field, to: sink)
    try sendValue(true)
    for key in olderKeys(of: field) {
      try sink.key(BorrowedText(key.utf8.span))
      try sendValue(false)
    }
  }

  /// Sends a field with a value on a tape.
  private func send(
    _ field: RecordField, at tapeIndex: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    try locating(.key(field.name)) { () throws(FerryError) in
      try sendEntries(of: field, to: sink) { isFirst throws(FerryError) in
        // After the first key, the objects in the value are sent as references.
        let receiver = isFirst ? sink : BackReferenceSink(to: sink)
        try send(field.type, field.name, at: tapeIndex, of: tape, to: receiver)
      }
    }
  }

  /// Runs a function that sends a part of a record. Adds the step to the paths of its losses and of its
  /// error.
  func locating(
    _ step: @autoclosure () -> ValuePath.Step, _ body: () throws(FerryError) -> Void
  ) throws(FerryError) {
    let start = losses.listedCount
    do throws(FerryError) {
      try body()
    } catch {
      losses.prefix(step(), from: start)
      throw error.placed(under: step())
    }
    losses.prefix(step(), from: start)
  }

  /// The undeclared entries to send: all of them, or those of one kind in XML.
  private enum Others { case all, attributes, text, elements }

  /// Sends entries that the schema does not declare without changing them.
  private func sendOthers(
    _ part: Others, of type: RecordType, _ found: FoundFields, _ older: OlderRecord?, on tape: EventTape,
    to sink: any ValueSink
  ) throws(FerryError) {
    for key in found.others where older?.isUsed(key) != true {
      guard part == .all || part == kind(ofOther: key, in: type, tape) else { continue }
      if isTaken(key, in: type, tape) {
        losses.add(.takenKey, path: ValuePath([tape.step(ofKey: key)]))
        continue
      }
      try locating(tape.step(ofKey: key)) { () throws(FerryError) in
        try tape.replay(valueAt: key, into: sink)
        try tape.replayWithPaths(valueAt: tape.next(after: key), into: sink)
      }
    }
  }

  /// Returns the kind of an entry in the XML convention. A collection is an element under any key.
  private func kind(ofOther key: TapeIndex, in type: RecordType, _ tape: EventTape) -> Others {
    guard tape.kind(at: key) == .key, !isPlainCollection(at: tape.next(after: key), of: tape) else {
      return .elements
    }
    let name = tape.text(at: key).utf8
    if name.starts(with: "@") { return type.mayAddAttribute(for: name) ? .attributes : .elements }
    return name.equals("#text".utf8.span) && !type.hasText ? .text : .elements
  }

  /// Returns true if the target would read an undeclared key as the archived key or the element of a field.
  private func isTaken(_ key: TapeIndex, in type: RecordType, _ tape: EventTape) -> Bool {
    guard tape.kind(at: key) == .key else { return false }
    let text = tape.text(at: key).utf8
    if target.usesArchiveKeys, !source.usesArchiveKeys {
      return type.fields.contains { text.equals($0.archiveKey.utf8.span) }
    }
    guard target.hasElements, !source.hasElements else { return false }
    return type.fields.contains { field in
      guard let element = field.elementName else { return false }
      return XMLKeyName.isName(element.utf8.span, of: text)
    }
  }

  // MARK: Values by type

  func send(
    _ type: FieldType, _ name: String, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    if source.nestsAsText || target.nestsAsText, try sendNested(type, name, at: index, of: tape, to: sink) {
      return
    }
    switch type {
    case .record(let record): return try send(record, at: index, of: tape, to: sink)
    case .enclosing(let element):
      guard let record = enclosingTypes[element] else { break }
      return try send(record, at: index, of: tape, to: sink)
    case .any: return try tape.replayWithPaths(valueAt: index, into: sink)
    default: break
    }
    if try sendCollection(type, name, at: index, of: tape, to: sink) { return }
    let contentIndex = tape.kind(at: index) == .beginObject ? index + 1 : index
    let sink = target.sendsText ? ScalarsAsText(to: sink) : sink
    if try keepsText(of: type, at: contentIndex, tape) {
      return try tape.replay(valueAt: contentIndex, into: sink)
    }
    let isObject = contentIndex != index
    guard try scalars.send(type, at: contentIndex, isObject: isObject, of: tape, to: sink) else {
      let isNumber = [.integer, .number].contains(tape.kind(at: contentIndex))
      let wanted = type == .real && isNumber ? "a number that a real represents exactly" : type.description
      throw FerryError(.record(.badField(name, wanted: wanted, found: tape.words(at: contentIndex))))
    }
  }

  /// Sends a list, a dictionary, or a reference to one, with its identity if it is shared. Returns false if the type is another one.
  private func sendCollection(
    _ type: FieldType, _ name: String, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    switch type {
    case .list, .dictionary: break
    default: return false
    }
    let keepsIdentities = target.holdsObjects || options.keepsIdentities
    if keepsIdentities, tape.kind(at: index) == .reference {
      try tape.replay(valueAt: index, into: sink)
      return true
    }
    let isObject = tape.kind(at: index) == .beginObject
    let content = isObject ? index + 1 : index
    let identity = isObject && keepsIdentities ? tape.identity(at: index) : nil
    if let identity { try sink.beginObject(.none, identity: identity) }
    switch type {
    case .list(let element, _): try sendList(of: element, name, at: content, of: tape, to: sink)
    case .dictionary(let values): try sendDictionary(of: values, name, at: content, of: tape, to: sink)
    default: break
    }
    if identity != nil { try sink.endObject() }
    return true
  }

  /// Returns true if the text of a value stays as it is, as from XML to XML: 007 stays 007. Returns false for a text that
  /// is not of the type, and for data in other formats than XML, in which programs do not expect white space in Base64.
  private func keepsText(
    of type: FieldType, at index: TapeIndex, _ tape: EventTape
  ) throws(FerryError) -> Bool {
    guard let checker, tape.kind(at: index) == .string, type != .data || target.hasElements else {
      return false
    }
    return try checker.send(type, at: index, isObject: false, of: tape, to: nothing)
  }

  /// Sends the items of a list that are elements of the record in XML.
  private func sendItems(
    _ items: [TapeIndex], of field: RecordField, _ tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    let type = if case .list(let items, _) = field.type { items } else { field.type }
    try locating(.key(field.name)) { () throws(FerryError) in
      try sendEntries(of: field, to: sink) { isFirst throws(FerryError) in
        let sink = isFirst ? sink : BackReferenceSink(to: sink)
        if target.nestsAsText {
          let list = TapeSink()
          try list.beginArray(count: nil)
          for item in items { try tape.replay(valueAt: item, into: list) }
          try list.endArray()
          return try send(field.type, field.name, at: .start, of: list.tape, to: sink)
        }
        try sink.beginArray(count: nil)
        for (index, item) in items.enumerated() {
          try locating(.index(index)) { () throws(FerryError) in
            try send(type, field.name, at: item, of: tape, to: sink)
          }
        }
        try sink.endArray()
      }
    }
  }

  /// Sends a dictionary with any keys, whose values have a type.
  private func sendDictionary(
    of type: FieldType, _ name: String, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    guard tape.kind(at: index) == .beginDictionary else {
      throw FerryError(.record(.badField(name, wanted: "a dictionary", found: tape.words(at: index))))
    }
    try sink.beginDictionary(count: nil)
    var names: Set<ExactString> = []
    for (key, value) in tape.entries(of: index) {
      if source.hasElements, !names.insert(ExactString(tape.string(at: key))).inserted {
        throw FerryError(.record(.repeatedField(tape.string(at: key))))
      }
      guard tape.kind(at: key) == .key else {
        throw FerryError(
          .record(.badField(name, wanted: "keys that are strings", found: tape.words(at: key + 1))))
      }
      try locating(tape.step(ofKey: key)) { () throws(FerryError) in
        try tape.replay(valueAt: key, into: sink)
        try send(type, name, at: value, of: tape, to: sink)
      }
    }
    try sink.endDictionary()
  }

  private func sendList(
    of type: FieldType, _ name: String, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    guard tape.kind(at: index) == .beginArray || tape.kind(at: index) == .beginSet else {
      throw FerryError(.record(.badField(name, wanted: "a list", found: tape.words(at: index))))
    }
    try sink.beginArray(count: nil)
    let end = tape.next(after: index) - 1
    var element = index + 1
    var count = 0
    while element < end {
      try locating(.index(count)) { () throws(FerryError) in
        try send(type, name, at: element, of: tape, to: sink)
      }
      element = tape.next(after: element)
      count += 1
    }
    try sink.endArray()
  }
}

extension Value {
  /// True for a value that is a collection in the plain form, as a reference is.
  fileprivate var isPlainCollection: Bool {
    switch self {
    case .array, .set, .dictionary, .reference, .uid: true
    case .object(let object): object.content.isPlainCollection
    default: false
    }
  }
}
