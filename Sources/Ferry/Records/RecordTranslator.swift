/// The options for mapping records.
struct RecordOptions {
  /// True to throw for objects of other classes among the records, false to send them unchanged.
  var refusesOtherClasses = false
  /// True to read records of newer versions as if they had the schema's version.
  var readsNewerVersions = false
  /// True to write the older keys of fields in every format, and not only in archives.
  var writesOlderKeys = false
  /// True to send the text of a value from XML to XML as it is: 007 stays 007.
  var keepsText = false
  /// True to report keys that the schema does not describe.
  var reportsUndeclaredKeys = false
}

/// A converter of single records on a tape to another dialect.
final class RecordTranslator {
  let source: RecordDialect
  let target: RecordDialect
  private var types: [ExactString: ObjectClass] = [:]
  /// The buffers of completed records, which are reused to avoid allocations.
  private var spare: [FoundFields] = []
  private var buffer: [UInt8] = []

  let options: RecordOptions
  /// The types of records that contain themselves, by element.
  let enclosingTypes: [ExactString: RecordType]
  /// The losses in the records sent so far. Their paths begin in the record, so they are kept apart from the
  /// losses of later sinks, whose paths begin at the root.
  let losses = LossReport()
  /// The version of the enclosing record or document, or nil if it states none.
  var versionAround: Int?
  /// True if a newer version than the schema's has been refused or reported.
  private var hasNotedNewerVersion = false
  private let nothing = NullSink()
  /// The translator that checks the values of fields whose text is kept; nil if no text is kept.
  private lazy var checker =
    source.scalarsAreText && options.keepsText
    ? RecordTranslator(from: source, to: .values, options: options, enclosingTypes: enclosingTypes) : nil

  init(
    from source: RecordDialect, to target: RecordDialect, options: RecordOptions,
    enclosingTypes: [ExactString: RecordType] = [:]
  ) {
    self.options = options
    self.enclosingTypes = enclosingTypes
    self.source = source
    self.target = target
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
      guard type.accepts(className: found.name) else {
        guard !options.refusesOtherClasses else {
          throw FerryError(.record(.notARecord(found: nameWithArticle(found.name), record: type.element)))
        }
        return try tape.replay(valueAt: index, into: sink)
      }
      // A class in a module of the app keeps its module.
      if type.isInModule(found.name), !type.classAliases.contains(found.name) { written = found }
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
    let rules = try rules(of: type, content, tape)
    try find(type, rules, content, tape, &found)
    if let rules {
      try apply(rules, to: type, content, tape, &found)
      noteUntakenParts(rules, content, tape, found)
    }
    addEmptyText(to: type, &found)
    try checkPresent(type, found)
    if options.reportsUndeclaredKeys { noteUndeclaredKeys(of: found, rules, tape) }
    if target.holdsObjects { try sink.beginObject(written ?? objectClass(of: type), identity: identity) }
    try sink.beginDictionary(count: nil)
    if target.putsAttributesFirst { try sendOthers(.attributes, of: type, found, rules, tape, sink) }
    try sendFields(of: type, &found, rules, tape, sink)
    try sendOthers(target.putsAttributesFirst ? .elements : .all, of: type, found, rules, tape, sink)
    try sink.endDictionary()
    if target.holdsObjects { try sink.endObject() }
  }

  private func objectClass(of type: RecordType) -> ObjectClass {
    if let known = types[type.className] { return known }
    let made = ObjectClass(name: type.className, chain: [type.className] + type.superclasses)
    types[type.className] = made
    return made
  }

  // MARK: Finding fields

  /// Returns the field that has a key, and the age of the key. The field at `likely` is tried first.
  private func match(
    _ type: RecordType, key: TapeIndex, _ tape: EventTape, likely: Int = 0
  ) -> (field: Int, age: Int)? {
    guard tape.kind(at: key) == .key else { return nil }
    return type.match(tape.text(at: key).utf8, usesArchiveKeys: source.usesArchiveKeys, likely: likely)
  }

  /// Finds the tape index of each field's value, the order of the fields, and the keys that no field has. If
  /// a field's own key had another meaning in an older version, its value is left to the rules of that
  /// version.
  private func find(
    _ type: RecordType, _ rules: VersionRules?, _ content: TapeIndex, _ tape: EventTape,
    _ found: inout FoundFields
  ) throws(FerryError) {
    var key = content + 1
    var likely = 0
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if let (field, age) = match(type, key: key, tape, likely: likely) {
        likely = field + 1
        if !isOlder(key, field, of: type, rules, tape) {
          try note(value, key, for: field, age, of: type, tape, &found)
        }
      } else {
        found.others.append(key)
      }
      key = tape.next(after: value)
    }
  }

  /// Returns true if null is a value of a field. For other fields null is a missing value.
  private func holdsNull(_ index: Int, of type: RecordType) -> Bool {
    let field = type.fields[index]
    return field.isOptional && field.defaultValue == nil && index != type.versionField
      && !source.nullIsMissing
  }

  /// Returns true if a value is a dictionary with nothing but null, such as columns of a table without a value.
  private func isBlankDictionary(_ value: TapeIndex, _ tape: EventTape) -> Bool {
    guard tape.kind(at: value) == .beginDictionary else { return false }
    var key = value + 1
    while tape.kind(at: key) != .endDictionary {
      let entry = tape.next(after: key)
      guard tape.kind(at: entry) == .null || isBlankDictionary(entry, tape) else { return false }
      key = tape.next(after: entry)
    }
    return true
  }

  /// Records the location of a field's value, unless it was already found under a newer key.
  private func note(
    _ value: TapeIndex, _ key: TapeIndex, for field: Int, _ age: Int, of type: RecordType, _ tape: EventTape,
    _ found: inout FoundFields
  ) throws(FerryError) {
    if tape.kind(at: value) == .null, source.nullIsEmptyText, type.fields[field].isRequired,
      type.fields[field].type.hasEmptyText
    {
      return found.made[field] = .string("")
    }
    guard tape.kind(at: value) != .null || holdsNull(field, of: type) else { return }
    // A record that is missing has empty cells in its columns.
    if source.nullIsEmptyText, !type.fields[field].isRequired, isBlankDictionary(value, tape) { return }
    // An empty cell has no value for a number. It may have quotation marks.
    if source.nullIsEmptyText, tape.kind(at: value) == .string, tape.text(at: value).utf8.isEmpty,
      !type.fields[field].isRequired, !type.fields[field].type.canBeEmptyText
    {
      return
    }
    let known = found.tapeIndices[field]
    guard known >= .start else {
      found.tapeIndices[field] = value
      found.ages[field] = age
      found.order.append(field)
      return
    }
    guard found.ages[field] != age else {
      if source.hasElements, type.fields[field].isUnwrappedList {
        return noteItem(value, key, of: field, in: type, tape, &found)
      }
      throw FerryError(
        .record(.repeatedField(type.fields[field].name)), path: ValuePath([.key(tape.string(at: key))]))
    }
    let isNewer = age < found.ages[field]
    // A null under an older key is no value that could be left out.
    let older = isNewer ? known : value
    if tape.kind(at: older) != .null, !tape.equalValues(at: known, value) {
      losses.add(.olderKey, path: ValuePath([.key(type.fields[field].name)]))
    }
    if isNewer {
      found.tapeIndices[field] = value
      found.ages[field] = age
    }
  }

  /// Records the location of a second or later item of a list whose items are elements of the record. Reports a loss if
  /// other elements are between two items, because the items are written together.
  private func noteItem(
    _ value: TapeIndex, _ key: TapeIndex, of field: Int, in type: RecordType, _ tape: EventTape,
    _ found: inout FoundFields
  ) {
    let last = found.furtherItems[field]?.last ?? found.tapeIndices[field]
    if tape.next(after: last) != key { losses.add(.siblingOrder) }
    found.furtherItems[field, default: []].append(value)
  }

  /// Returns true if a key of a current field has another meaning in the older version.
  private func isOlder(
    _ key: TapeIndex, _ field: Int, of type: RecordType, _ rules: VersionRules?, _ tape: EventTape
  ) -> Bool {
    guard let rules else { return false }
    let text = tape.text(at: key).utf8
    if rules.isRemoved(text) { return true }
    guard rules.isSource(text) else { return false }
    // Without a rule, a field has its own key, even if other fields are also made from that key.
    guard let rule = rules.fields.first(where: { $0.name.equals(type.fields[field].name) }) else {
      return false
    }
    return rule.sources.contains { text.equals($0.utf8.span) }
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

  private func noteUndeclaredKeys(of found: FoundFields, _ rules: VersionRules?, _ tape: EventTape) {
    for key in found.others where !isUsed(key, by: rules, tape) {
      losses.add(
        .undeclaredKey, path: ValuePath([.key(tape.kind(at: key) == .key ? tape.string(at: key) : "?")]))
    }
  }

  // MARK: Older versions

  /// Returns the rules for the version of a record, or nil if there are none.
  private func rules(
    of type: RecordType, _ content: TapeIndex, _ tape: EventTape
  ) throws(FerryError) -> VersionRules? {
    guard let versions = type.versions else { return nil }
    let version = try statedVersion(of: type, content, tape) ?? versionAround ?? versions.absent
    try check(version, of: type, versions)
    versionAround = version
    return versions.rules(of: version)
  }

  /// Refuses, or reports, a version newer than the schema's.
  private func check(_ version: Int, of type: RecordType, _ versions: RecordVersions) throws(FerryError) {
    guard version > versions.current else { return }
    hasNotedNewerVersion = true
    guard options.readsNewerVersions else {
      throw FerryError(.record(.newerVersion(version, record: type.element, known: versions.current)))
    }
    losses.add(.newerVersion)
  }

  /// Refuses, or reports, a newer version of the enclosing document, unless a record has been.
  func checkVersionAround(of type: RecordType) throws(FerryError) {
    guard let version = versionAround, let versions = type.versions, !hasNotedNewerVersion else { return }
    try check(version, of: type, versions)
  }

  /// Returns the version that the record's own field states, or nil.
  private func statedVersion(
    of type: RecordType, _ content: TapeIndex, _ tape: EventTape
  ) throws(FerryError) -> Int? {
    guard let field = type.versionField else { return nil }
    var key = content + 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if let found = match(type, key: key, tape), found.field == field, tape.kind(at: value) != .null {
        return try version(at: value, named: type.fields[field].name, tape)
      }
      key = tape.next(after: value)
    }
    return nil
  }

  /// Returns the version number in a value.
  func version(at index: TapeIndex, named name: String, _ tape: EventTape) throws(FerryError) -> Int {
    let number: Int? =
      switch tape.kind(at: index) {
      case .integer: Int(exactly: tape.integer(at: index))
      case .string where source.scalarsAreText: Int(tape.string(at: index).trimmed)
      default: nil
      }
    guard let number, number > 0 else {
      throw FerryError(
        .record(.badField(name, wanted: "a version from 1 on", found: tape.words(at: index))),
        path: ValuePath([.key(name)]))
    }
    return number
  }

  /// Makes the values of current fields from the values of an older version.
  private func apply(
    _ rules: VersionRules, to type: RecordType, _ content: TapeIndex, _ tape: EventTape,
    _ found: inout FoundFields
  ) throws(FerryError) {
    for rule in rules.fields {
      guard let index = type.fields.firstIndex(where: { $0.name.equals(rule.name) }) else { continue }
      let field = type.fields[index]
      let sources = sources(of: rule, content, tape)
      guard found.tapeIndices[index] < .start else {
        noteUnused(sources, of: rule, for: field, at: found.tapeIndices[index], tape)
        continue
      }
      guard let first = sources.first else {
        if let value = rule.defaultValue { found.made[index] = value }
        continue
      }
      if !rule.isJoining { noteUnused(Array(sources.dropFirst()), of: rule, for: field, at: first, tape) }
      if rule.changes.isEmpty, rule.type == field.type {
        found.tapeIndices[index] = first
        found.order.append(index)
      } else if let value = try value(of: rule, sources, as: field.type, tape) ?? rule.defaultValue {
        found.made[index] = value
      }
    }
  }

  /// Reports a loss for each older value that is not used because the field also has a current value, unless
  /// the two are equal.
  private func noteUnused(
    _ sources: [TapeIndex], of rule: FieldRule, for field: RecordField, at tapeIndex: TapeIndex,
    _ tape: EventTape
  ) {
    let unused = sources.filter { $0 != tapeIndex && !tape.equalValues(at: $0, tapeIndex) }
    guard !unused.isEmpty, !makesValue(sources, of: rule, for: field, at: tapeIndex, tape) else { return }
    losses.add(.olderKey, path: ValuePath([.key(field.name)]))
  }

  /// Returns true if the rule must make the field's value from older values.
  private func makesValue(
    _ sources: [TapeIndex], of rule: FieldRule, for field: RecordField, at tapeIndex: TapeIndex,
    _ tape: EventTape
  ) -> Bool {
    let builder = ValueBuilder()
    let reader = RecordTranslator(from: source, to: .values, options: options, enclosingTypes: enclosingTypes)
    do throws(FerryError) {
      try reader.send(field.type, field.name, at: tapeIndex, of: tape, to: builder)
      return try reader.value(of: rule, sources, as: field.type, tape) == builder.result()
    } catch {
      return false
    }
  }

  /// Reports a loss for each text that the rules use only in part.
  private func noteUntakenParts(
    _ rules: VersionRules, _ content: TapeIndex, _ tape: EventTape, _ found: FoundFields
  ) {
    guard rules.fields.contains(where: { $0.part != nil }) else { return }
    var key = content + 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if tape.kind(at: key) == .key, let text = text(at: value, tape), !found.tapeIndices.contains(value) {
        let name = tape.text(at: key).utf8
        let takers = rules.fields.filter { $0.sources.contains { isKey(name, $0) } }
        let parts = takers.compactMap(\.part)
        if !parts.isEmpty, parts.count == takers.count, !TextParts.cover(text.utf8.span, parts) {
          losses.add(.olderPart, path: ValuePath([.key(tape.string(at: key))]))
        }
      }
      key = tape.next(after: value)
    }
  }

  /// Returns the text of a scalar from which rules take parts, or nil for other values.
  private func text(at index: TapeIndex, _ tape: EventTape) -> String? {
    switch tape.kind(at: index) {
    case .string: tape.string(at: index)
    case .date: ISODate.text(tape.real(at: index))
    default: tape.notation(at: index)
    }
  }

  /// Returns the tape indices of the values that a rule uses, in the order of the rule.
  private func sources(of rule: FieldRule, _ content: TapeIndex, _ tape: EventTape) -> [TapeIndex] {
    var found: [TapeIndex] = []
    for source in rule.sources {
      var key = content + 1
      while tape.kind(at: key) != .endDictionary {
        let value = tape.next(after: key)
        if tape.kind(at: key) == .key, tape.kind(at: value) != .null,
          isKey(tape.text(at: key).utf8, source)
        {
          found.append(value)
        }
        key = tape.next(after: value)
      }
    }
    return found
  }

  /// Returns true if a key is the one in a rule. In XML, the key may be that of an attribute, which begins
  /// with `@`.
  private func isKey(_ key: Span<UInt8>, _ name: String) -> Bool {
    if key.equals(name.utf8.span) { return true }
    guard source.hasElements, key.count > 1, key[0] == UInt8(ascii: "@") else { return false }
    return key.extracting(1...).equals(name.utf8.span)
  }

  private func value(
    of rule: FieldRule, _ found: [TapeIndex], as type: FieldType, _ tape: EventTape
  ) throws(FerryError) -> Value? {
    var values: [Value] = []
    let reader = RecordTranslator(from: source, to: .values, options: options, enclosingTypes: enclosingTypes)
    for tapeIndex in found {
      let builder = ValueBuilder()
      try reader.locating(.key(rule.name)) { () throws(FerryError) in
        try reader.send(rule.type, rule.name, at: tapeIndex, of: tape, to: builder)
      }
      values.append(try builder.result())
    }
    losses.add(reader.losses.take())
    let start = losses.listedCount
    do throws(UnusableValue) {
      let value = try rule.value(of: values, as: type, losses: losses)
      losses.prefix(.key(rule.name), from: start)
      return value
    } catch {
      let held = TapeSink()
      try error.value.replay(into: held)
      let wanted = error.map.map(Self.words) ?? type.description
      throw FerryError(
        .record(.badField(rule.name, wanted: wanted, found: held.tape.words(at: .start))),
        path: ValuePath([.key(rule.name)]))
    }
  }

  /// Names the values that a map of a rule has, at most a few.
  private static func words(for map: KeyedValues) -> String {
    let keys = map.keys.prefix(6).map(\.words)
    return
      "a value that the map of the rule has (\(keys.joined(separator: ", "))\(map.keys.count > 6 ? " …" : ""))"
  }

  // MARK: Sending fields

  private func sendFields(
    of type: RecordType, _ found: inout FoundFields, _ rules: VersionRules?, _ tape: EventTape,
    _ sink: any ValueSink
  ) throws(FerryError) {
    if target.encodes {
      for field in type.encodedIndices { try sendField(field, of: type, &found, tape, sink) }
      return
    }
    if target.putsAttributesFirst {
      for index in type.fields.indices {
        if case .attribute = type.fields[index].xml { try sendField(index, of: type, &found, tape, sink) }
      }
      // A writer adds white space to elements that precede a text.
      try sendOthers(.text, of: type, found, rules, tape, sink)
    }
    // A version field that the record does not contain is written before all other fields.
    if let version = type.versionField, found.tapeIndices[version] == FoundFields.absent {
      try sendField(version, of: type, &found, tape, sink)
    }
    // The order of keys in an archive is not significant, so its fields are sent in the order of the schema.
    // Other sources keep their order.
    if !source.encodes {
      for index in found.order.indices { try sendField(found.order[index], of: type, &found, tape, sink) }
    }
    for index in type.fields.indices { try sendField(index, of: type, &found, tape, sink) }
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
    if tapeIndex >= .start, tape.kind(at: tapeIndex) == .null {
      try sendEntries(of: type.fields[index], to: sink) { _ throws(FerryError) in try sink.null() }
    } else if tapeIndex >= .start, source.hasElements, type.fields[index].isUnwrappedList {
      let items = [tapeIndex] + (found.furtherItems[index] ?? [])
      try sendItems(items, of: type.fields[index], tape, to: sink)
    } else if tapeIndex >= .start {
      try send(type.fields[index], at: tapeIndex, of: tape, to: sink)
    } else if let value = found.made[index] ?? type.fields[index].defaultValue {
      let held = TapeSink()
      try value.replay(into: held)
      try send(type.fields[index], at: .start, of: held.tape, to: sink)
    }
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
      throw error.placed(under: step())
    }
    losses.prefix(step(), from: start)
  }

  /// The undeclared entries to send: all of them, or those of one kind in XML.
  private enum Others { case all, attributes, text, elements }

  /// Sends entries that the schema does not declare without changing them.
  private func sendOthers(
    _ part: Others, of type: RecordType, _ found: FoundFields, _ rules: VersionRules?, _ tape: EventTape,
    _ sink: any ValueSink
  ) throws(FerryError) {
    for key in found.others where !isUsed(key, by: rules, tape) {
      guard part == .all || part == kind(ofOther: key, in: type, tape) else { continue }
      if isTaken(key, in: type, tape) {
        losses.add(.takenKey, path: ValuePath([.key(tape.string(at: key))]))
        continue
      }
      try tape.replay(valueAt: key, into: sink)
      try tape.replay(valueAt: tape.next(after: key), into: sink)
    }
  }

  /// Returns the kind of an entry in the XML convention. A collection is an element under any key.
  private func kind(ofOther key: TapeIndex, in type: RecordType, _ tape: EventTape) -> Others {
    guard tape.kind(at: key) == .key else { return .elements }
    switch tape.kind(at: tape.next(after: key)) {
    case .beginArray, .beginSet, .beginDictionary, .beginObject, .reference: return .elements
    default: break
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

  /// Returns true if a key of an older version was used for a field, or is removed by the rules.
  private func isUsed(_ key: TapeIndex, by rules: VersionRules?, _ tape: EventTape) -> Bool {
    guard let rules, tape.kind(at: key) == .key else { return false }
    let text = tape.text(at: key).utf8
    return rules.removed.contains { isKey(text, $0) }
      || rules.fields.contains { $0.sources.contains { isKey(text, $0) } }
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
    case .any: return try tape.replay(valueAt: index, into: sink)
    default: break
    }
    let contentIndex = tape.kind(at: index) == .beginObject ? index + 1 : index
    switch type {
    case .list(let element, _): return try sendList(of: element, name, at: contentIndex, of: tape, to: sink)
    case .dictionary(let values):
      return try sendDictionary(of: values, name, at: contentIndex, of: tape, to: sink)
    default: break
    }
    let sink = target.sendsText ? ScalarsAsText(to: sink) : sink
    if try sendText(of: type, at: contentIndex, of: tape, to: sink) { return }
    guard try sendScalar(type, at: contentIndex, isObject: contentIndex != index, of: tape, to: sink) else {
      let isNumber = [.integer, .number].contains(tape.kind(at: contentIndex))
      let wanted = type == .real && isNumber ? "a number that a real represents exactly" : type.description
      throw FerryError(.record(.badField(name, wanted: wanted, found: tape.words(at: contentIndex))))
    }
  }

  /// Sends the text of a value from XML to XML as it is: 007 stays 007. Returns false for a text that is not
  /// of the type, and between other formats.
  private func sendText(
    of type: FieldType, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard target.scalarsAreText, let checker, tape.kind(at: index) == .string,
      type != .data || !target.sendsText,
      try checker.sendScalar(type, at: index, isObject: false, of: tape, to: nothing)
    else { return false }
    _ = checker.losses.take()
    try tape.replay(valueAt: index, into: sink)
    return true
  }

  /// Sends a scalar as a value of a type. Returns false if it is not of the type.
  private func sendScalar(
    _ type: FieldType, at tapeIndex: TapeIndex, isObject: Bool, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    switch type {
    case .string: try sendString(at: tapeIndex, of: tape, to: sink)
    case .integer: try sendInteger(at: tapeIndex, of: tape, to: sink)
    case .real: try sendReal(at: tapeIndex, of: tape, to: sink)
    case .decimal: try sendDecimal(at: tapeIndex, of: tape, to: sink)
    case .boolean: try sendBoolean(at: tapeIndex, of: tape, to: sink)
    case .date: try sendDate(at: tapeIndex, of: tape, to: sink)
    case .data: try sendData(at: tapeIndex, of: tape, to: sink)
    case .url: try sendURL(at: tapeIndex, isObject: isObject, of: tape, to: sink)
    case .uuid: try sendUUID(at: tapeIndex, of: tape, to: sink)
    case .record, .list, .dictionary, .enclosing, .any: true
    }
  }

  /// Sends the items of a list that are elements of the record in XML.
  private func sendItems(
    _ items: [TapeIndex], of field: RecordField, _ tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) {
    guard case .list(let type, _) = field.type else { return }
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
    var key = index + 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if source.hasElements, !names.insert(ExactString(tape.string(at: key))).inserted {
        throw FerryError(.record(.repeatedField(tape.string(at: key))))
      }
      guard tape.kind(at: key) == .key else {
        throw FerryError(
          .record(.badField(name, wanted: "keys that are strings", found: tape.words(at: key + 1))))
      }
      try locating(.key(tape.string(at: key))) { () throws(FerryError) in
        try tape.replay(valueAt: key, into: sink)
        try send(type, name, at: value, of: tape, to: sink)
      }
      key = tape.next(after: value)
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

  private func sendString(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    guard tape.kind(at: index) == .string else { return false }
    try tape.replay(valueAt: index, into: sink)
    return true
  }

  private func sendInteger(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    switch tape.kind(at: index) {
    case .integer: try sink.integer(tape.integer(at: index))
    case .string where source.scalarsAreText:
      let text = tape.string(at: index).trimmed
      if case .integer(let number) = DecimalText(json: text.utf8.span) {
        try sink.integer(number)
        return true
      }
      guard let number = Int128(text), number >= -(1 << 63), number < 1 << 64 else { return false }
      if !number.description.equals(text) { losses.add(.numberNotation) }
      try sink.integer(number)
    default: return false
    }
    return true
  }

  private func sendReal(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    switch tape.kind(at: index) {
    case .real, .single: try tape.replay(valueAt: index, into: sink)
    case .integer:
      let number = tape.integer(at: index)
      guard Int128(exactly: Double(number)) == number else { return false }
      try sink.real(Double(number))
    case .number:
      let text = tape.string(at: index)
      guard let number = Double(text), number.isFinite else { return false }
      if !number.isNotation(of: text) { losses.add(.numberAsReal) }
      try sink.real(number)
    case .string where source.scalarsAreText:
      let text = tape.string(at: index).trimmed
      guard let number = Double(text) else { return false }
      if !number.isNotation(of: text) {
        losses.add(.numberAsReal)
      } else if number.isFinite, text.utf8.span.flawInJSONNumber != nil {
        losses.add(.numberNotation)
      }
      try sink.real(number)
    case .string where !source.capabilities.contains(.notFinite):
      // NaN and infinities are written as text in formats that cannot represent them.
      guard let number = Double(tape.string(at: index)), !number.isFinite else { return false }
      try sink.real(number)
    default: return false
    }
    return true
  }

  private func sendDecimal(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    switch tape.kind(at: index) {
    case .integer, .real:
      if let text = tape.notation(at: index), try sendDecimalNumber(text, to: sink) { return true }
      try tape.replay(valueAt: index, into: sink)
    case .number, .string:
      let text = tape.string(at: index).trimmed
      guard text.utf8.span.flawInJSONNumber == nil else { return false }
      guard try !sendDecimalNumber(text, to: sink) else { return true }
      switch DecimalText(json: text.utf8.span) {
      case .integer(let number): try sink.integer(number)
      case .real(let number): try sink.real(number)
      case .text where target.capabilities.contains(.decimals): try sink.number(BorrowedText(text.utf8.span))
      case .text: try sink.string(BorrowedText(text.utf8.span))
      }
    default: return false
    }
    return true
  }

  /// Sends a decimal as an `NSDecimalNumber` if the target has classes. Returns false if it has too many
  /// digits.
  private func sendDecimalNumber(_ text: String, to sink: any ValueSink) throws(FerryError) -> Bool {
    guard target.holdsObjects, let decimal = DecimalNumber(text) else { return false }
    try sink.beginObject(.decimalNumber, identity: nil)
    try decimal.value.replay(into: sink)
    try sink.endObject()
    return true
  }

  private func sendBoolean(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    switch tape.kind(at: index) {
    case .boolean: try sink.boolean(tape.boolean(at: index))
    case .integer where source.booleansAreIntegers:
      let number = tape.integer(at: index)
      guard number == 0 || number == 1 else { return false }
      try sink.boolean(number == 1)
    case .string where source.scalarsAreText:
      switch tape.string(at: index).trimmed.lowercased() {
      case "true", "yes", "1": try sink.boolean(true)
      case "false", "no", "0": try sink.boolean(false)
      default: return false
      }
    default: return false
    }
    return true
  }

  private func sendDate(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    let seconds: Double
    switch tape.kind(at: index) {
    case .date: seconds = tape.real(at: index)
    case .string:
      let text = tape.string(at: index).trimmed
      if let parsed = ISODate.parse(text.utf8.span) {
        if !parsed.isExact { losses.add(.dateRounded) }
        seconds = parsed.seconds
      } else if source.datesAreLoose, let parsed = LooseDate.seconds(text) {
        seconds = parsed
      } else {
        return false
      }
    case .integer where source.datesAreLoose:
      seconds = LooseDate.seconds(since1970: Double(tape.integer(at: index)))
    case .real where source.datesAreLoose: seconds = LooseDate.seconds(since1970: tape.real(at: index))
    default: return false
    }
    if target.capabilities.contains(.dates) || target.capabilities.contains(.wholeDates) {
      try sink.date(seconds)
    } else {
      guard let text = ISODate.text(seconds) else { return false }
      try sink.string(BorrowedText(text.utf8.span))
    }
    return true
  }

  private func sendData(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    switch tape.kind(at: index) {
    case .data:
      guard !target.capabilities.contains(.data) else {
        try tape.replay(valueAt: index, into: sink)
        return true
      }
      buffer.removeAll(keepingCapacity: true)
      Base64.encode(tape.data(at: index), into: &buffer)
      let text = buffer
      try sink.string(BorrowedText(checked: text.span, isASCII: true))
    case .string:
      let decoded = Base64.decode(tape.text(at: index).utf8)
      guard let decoded else { return false }
      if target.capabilities.contains(.data) {
        try sink.data(decoded.span)
      } else {
        try tape.replay(valueAt: index, into: sink)
      }
    default: return false
    }
    return true
  }

  /// Sends the string of a URL. If the value is an object of an archive, its own string is kept.
  private func sendURL(
    at index: TapeIndex, isObject: Bool, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard tape.kind(at: index) == .string, isObject || URLText.flaw(of: tape.string(at: index)) == nil else {
      return false
    }
    return try sendWrapped(.url, at: index, of: tape, to: sink)
  }

  private func sendUUID(at index: TapeIndex, of tape: EventTape, to sink: any ValueSink) throws(FerryError)
    -> Bool
  {
    // Databases may store a UUID as sixteen bytes.
    if tape.kind(at: index) == .data {
      guard tape.data(at: index).count == 16 else { return false }
      let text = UUIDText.text(tape.data(at: index))
      let held = TapeSink()
      try held.string(BorrowedText(text.utf8.span))
      return try sendWrapped(.uuid, at: .start, of: held.tape, to: sink)
    }
    guard tape.kind(at: index) == .string, UUIDText.bytes(tape.text(at: index).utf8) != nil else {
      return false
    }
    return try sendWrapped(.uuid, at: index, of: tape, to: sink)
  }

  /// Sends a string as an object of a class if the target has classes, otherwise as a string.
  private func sendWrapped(
    _ type: ObjectClass, at index: TapeIndex, of tape: EventTape, to sink: any ValueSink
  ) throws(FerryError) -> Bool {
    guard tape.kind(at: index) == .string else { return false }
    if target.holdsObjects { try sink.beginObject(type, identity: nil) }
    try tape.replay(valueAt: index, into: sink)
    if target.holdsObjects { try sink.endObject() }
    return true
  }
}

extension String {
  /// The string without white space at its ends, which is common in XML text.
  var trimmed: String {
    // Most texts begin and end with printable ASCII.
    if let first = utf8.first, let last = utf8.last, (0x21..<0x7f).contains(first),
      (0x21..<0x7f).contains(last)
    {
      return self
    }
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// An adapter that sends numbers and booleans as text, for a format without types. A schema restores them.
private final class ScalarsAsText: ForwardingSink {
  private func send(_ text: String) throws(FerryError) { try next.string(BorrowedText(text.utf8.span)) }

  override func boolean(_ value: Bool) throws(FerryError) { try send(value ? "true" : "false") }
  override func integer(_ value: Int128) throws(FerryError) { try send(value.notation) }
  override func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  override func number(_ text: BorrowedText) throws(FerryError) { try next.string(text) }
  override func real(_ value: Double) throws(FerryError) {
    try send(value.isFinite ? value.notation : value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
  }
}
