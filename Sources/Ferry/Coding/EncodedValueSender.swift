internal import OrderedCollections

/// A sender of encoded values to a writer, in the form from which `FerryDecoder` decodes the same values.
///
///     nil for a key of a type             no element in XML; an empty cell, a null or no key elsewhere
///     values that are not records, in CSV  a column `value`
///     an instance that occurs again       a copy
///
/// It finds the values that the decoder would read as other values, and that the writers cannot recognize: nil in a dictionary, and an empty list in
/// an optional.
final class EncodedValueSender {
  /// The column of a table for values that are not records.
  static let valueColumn = "value"

  /// The role of a value in the collection that contains it.
  private enum Role {
    /// A value of its own, or an element of a list.
    case element
    /// The value for a key of a type.
    case field
    /// The value for a key of a dictionary.
    case entry
  }

  /// The first value that would be decoded as another one, unless the writer reports that loss.
  private(set) var change: Loss?
  private let sink: any ValueSink
  private let losses: LossReport
  private let budget: Budget
  private let capabilities: FormatCapabilities
  /// True for XML without types and without a schema, in which an empty element may be nil, a text or a collection.
  private let hasElements: Bool
  /// True for a table with a header and without a schema.
  private let hasColumns: Bool
  /// True for a table of any kind, whose cells hold collections as JSON.
  private let hasRows: Bool
  /// The name of a property list, in which a text represents nil; nil for other formats.
  private let propertyListName: String?
  /// The name of a format that has a single text or picture; nil for other formats.
  private let singleName: String?
  /// True for a database of several tables, of which a single one is read as a list of rows without its name.
  private let hasTables: Bool
  /// True if the format cannot store the names of types. A decoder needs none, so they are not sent, and not reported as lost.
  private let leavesOutTypes: Bool
  /// True if an instance that occurs several times is written once.
  private let keepsReferences: Bool
  private var steps: [ValuePath.Step] = []
  /// The objects around the current value.
  private var open: Set<ObjectIdentifier> = []
  /// The number of values sent, and of those sent in copies of objects.
  private var (count, copiedCount) = (0, 0)
  /// The number of copies around the current value.
  private var copyDepth = 0
  /// True in a cell of a table, whose collections are JSON.
  private var isInCell = false
  /// True if the rows of the table are values that are not records; nil before the first row.
  private var rowsAreValues: Bool?
  private var columns: Set<ExactString> = []
  /// The path of the first empty text in an optional in a row.
  private var emptyText: ValuePath?

  /// Creates a sender to the pipeline of an encoder.
  init(_ encoder: FerryEncoder, to sink: any ValueSink, losses: LossReport) {
    let writing = encoder.writing
    (self.sink, self.losses) = (sink, losses)
    (budget, capabilities) = (encoder.budget, writing.format.capabilities)
    let description = writing.format.description
    let isPlain = encoder.schema == nil && writing.representation == .plain
    switch description.writer {
    case .elements: (hasElements, hasColumns) = (isPlain && writing.xml.types == .none, false)
    case .rows: (hasElements, hasColumns) = (false, isPlain && writing.csv.hasHeader)
    default: (hasElements, hasColumns) = (false, false)
    }
    let keepsClasses = description.keepsKnownClasses || capabilities.contains(.objects)
    leavesOutTypes = isPlain && !keepsClasses && !writing.format.isDatabase
    hasRows = description.shape == .rows
    hasTables = isPlain && writing.format.isDatabase && writing.table == nil
    propertyListName = writing.format.hasNullText ? description.noun : nil
    singleName = writing.format.isSingle ? description.noun : nil
    keepsReferences = writing.shared == .reference || keepsClasses
  }

  /// Sends a whole value.
  func send(_ value: EncodedValue) throws(FerryError) {
    if let singleName, value.unwrapped.isCollection {
      throw FerryError(.cannotHold(.kind("a list or a dictionary", format: singleName)))
    }
    if hasTables, value.entryCount == 1 { note(.unwrapped, at: ValuePath(), isReported: false) }
    guard hasColumns, let records = value.elements else { return try sendRecord(value, at: nil) }
    try sink.beginArray(count: records.count)
    for (index, record) in records.enumerated() { try sendRecord(record, at: index) }
    try sink.endArray()
  }

  /// Sends a record.
  ///
  /// - Parameter index: The index of the record in the list of records, or nil for a value that is not a list.
  func sendRecord(_ value: EncodedValue, at index: Int?) throws(FerryError) {
    steps = index.map { [.index($0)] } ?? []
    guard hasColumns else { return try send(value, .element) }
    switch value.unwrapped {
    case .object(let object), .reference(let object):
      try beginRow(isValue: false, "a record")
      if case .optional = value { noteRowLikeNil(object) }
      try send(value, .element)
    case .dictionary:
      try beginRow(isValue: false, "a record")
      try send(value, .element)
    case .value(let record) where record.dictionaryValue != nil:
      try beginRow(isValue: false, "a record")
      for (key, _) in record.dictionaryValue ?? [:] { addColumn(key.plainText ?? "") }
      noteDates(in: record) { ValuePath(steps) }
      try record.replay(into: sink)
    default:
      try beginRow(isValue: true, "a value")
      try sink.beginDictionary(count: 1)
      try sendField(Self.valueColumn, value)
      try sink.endDictionary()
    }
  }

  /// Reports an empty text if the table has only one column.
  func finish() {
    guard columns.count == 1, let emptyText else { return }
    note(.emptyText, at: emptyText, isReported: false)
  }

  // MARK: Changes

  /// Notes that the current value would be decoded as another one.
  ///
  /// - Parameter isReported: False if no writer reports the loss.
  private func note(_ kind: Loss.Kind, at path: ValuePath? = nil, isReported: Bool = true) {
    let path = path ?? ValuePath(steps)
    if !isReported { losses.add(kind, path: path) }
    if change == nil { change = Loss(kind, path: path) }
  }

  private func beginRow(isValue: Bool, _ words: String) throws(FerryError) {
    guard rowsAreValues ?? isValue == isValue else {
      throw FerryError(
        .csv(.notARow(found: words, wanted: isValue ? "a record" : "a value")), path: ValuePath(steps))
    }
    rowsAreValues = isValue
  }

  /// Notes a record in an optional that would be decoded as nil.
  private func noteRowLikeNil(_ object: EncodedObject) {
    guard object.fields.count == 1, object.fields.values[0].isNull,
      object.fields.keys[0].string.equals(Self.valueColumn)
    else { return }
    note(.nullAsText)
  }

  /// Notes an empty value in an optional if it would be decoded as nil. Throws for the text that means nil in property lists.
  private func noteOptional(_ value: EncodedValue, _ role: Role) throws(FerryError) {
    if let propertyListName, value.isNullText {
      let words = "the text \"\(EncodedValue.nullText)\" in an optional, which it has for nil"
      throw FerryError(.cannotHold(.kind(words, format: propertyListName)), path: ValuePath(steps))
    }
    guard value.isEmpty else { return }
    switch value.unwrapped {
    case .list where hasElements && role == .field: note(.emptyCollection)
    case .string, .data: if role == .field { noteEmptyText() }
    default: break
    }
  }

  /// Notes an empty text that is read as a missing value: beside attributes, and as the only cell of a row.
  private func noteEmptyText() {
    if hasElements, steps.last == .key("#text") { note(.emptyText, isReported: false) }
    if hasColumns, !isInCell, emptyText == nil { emptyText = ValuePath(steps) }
  }

  /// Notes a value for a key of a dictionary if the key would be missing, or if the value would be decoded as another one.
  private func noteEntry(_ value: EncodedValue) {
    if value.isNull {
      if !capabilities.contains(.nulls) {
        note(.nullLeftOut)
      } else if hasElements || hasRows && !isInCell {
        note(.nullAsText)
      }
    } else if hasElements, steps.last == .key("#content") {
      if case .list = value.unwrapped { note(.contentForm, isReported: false) }
    } else if value.isEmpty {
      switch value.unwrapped {
      case .list where hasElements: note(.emptyCollection)
      case .string, .data: noteEmptyText()
      default: break
      }
    }
  }

  /// Notes a date that the format stores as another text than that of a date.
  private func noteDate(_ seconds: Double, at path: () -> ValuePath) {
    guard !capabilities.holds(date: seconds), ISODate.text(seconds) == nil else { return }
    note(seconds.isFinite ? .dateAsText : .notFinite, at: path())
  }

  /// Notes the first date in a value that the format stores as another text, unless another change was found before. The value is not deeper
  /// than the budget allows.
  private func noteDates(in value: Value, at path: () -> ValuePath) {
    guard change == nil else { return }
    switch value {
    case .date(let seconds): noteDate(seconds, at: path)
    case .array(let values), .set(let values):
      for (index, value) in values.enumerated() { noteDates(in: value) { path().appending(.index(index)) } }
    case .dictionary(let entries):
      for (key, value) in entries { noteDates(in: value) { path().appending(.key(key.pathText ?? "")) } }
    case .object(let object): noteDates(in: object.content, at: path)
    default: break
    }
  }

  // MARK: Values

  private func send(_ value: EncodedValue, _ role: Role) throws(FerryError) {
    count += 1
    if copyDepth > 0 { try countCopied() }
    switch value {
    case .null:
      if role == .element, hasElements || !capabilities.contains(.nulls) { note(.nullAsText) }
      try sink.null()
    case .optional(let content):
      try noteOptional(content, role)
      try send(content, role)
    case .attribute(let content): try send(content, role)
    // An encoder that was requested but not used encodes an empty dictionary, as in Foundation's encoders.
    case .box(let box): try send(box.value ?? .object(EncodedObject(nil)), role)
    case .list(let list): try send(list)
    case .dictionary(let pairs): try send(pairs)
    case .object(let object): try send(object)
    case .reference(let object): try send(referenceTo: object)
    case .date(let seconds):
      // A date that becomes text in ISO 8601 is decoded as the same date, and any other text is not.
      noteDate(seconds) { ValuePath(steps) }
      try sink.date(seconds)
    case .value(let value):
      noteDates(in: value) { ValuePath(steps) }
      try value.replay(into: sink)
    default: try value.send(to: sink)
    }
  }

  /// Counts a value in a copy of an object. Copies of objects that contain copies could be more than a file can hold.
  private func countCopied() throws(FerryError) {
    copiedCount += 1
    guard steps.count <= budget.depth else {
      throw FerryError(.overBudget(.depth(budget.depth)), path: ValuePath(steps))
    }
    let valueBytes = 16
    guard copiedCount <= budget.allowance(forInputBytes: (count - copiedCount) * valueBytes) / valueBytes
    else {
      throw budget.overAmplification
    }
  }

  /// Sends the parts of a collection. In a table, they are in a cell, unless the collection is a row.
  private func inside(_ body: () throws(FerryError) -> Void) throws(FerryError) {
    let outer = isInCell
    defer { isInCell = outer }
    if hasRows, case .key? = steps.last { isInCell = true }
    try body()
  }

  private func send(_ list: EncodedList) throws(FerryError) {
    guard !hasElements || !list.isContents || list.values.isEmpty else {
      // An element of its own, whose contents are the values.
      try sink.beginDictionary(count: 1)
      try sendContents(list)
      return try sink.endDictionary()
    }
    if list.isSet {
      try sink.beginSet(count: list.values.count)
    } else {
      try sink.beginArray(count: list.values.count)
    }
    try inside { () throws(FerryError) in
      for (index, value) in list.values.enumerated() {
        steps.append(.index(index))
        try send(value, .element)
        steps.removeLast()
      }
    }
    if list.isSet { try sink.endSet() } else { try sink.endArray() }
  }

  /// Sends the values of a list of an `ElementChoice` as the contents of an element, from which such a list is read.
  ///
  ///     [.mix("flour"), .bake(20)]     <mix>flour</mix><bake>20</bake>
  private func sendContents(_ list: EncodedList) throws(FerryError) {
    try sink.key("#content")
    try sink.beginArray(count: list.values.count)
    var isAfterText = false
    for (index, value) in list.values.enumerated() {
      steps.append(.index(index))
      let text = value.textInContents
      // Such texts would be read as one, or as none.
      if let text, isAfterText || text.isEmpty { note(.contentForm, isReported: false) }
      try send(text ?? value, .element)
      isAfterText = text != nil
      steps.removeLast()
    }
    try sink.endArray()
  }

  private func send(_ pairs: EncodedPairs) throws(FerryError) {
    try sink.beginDictionary(count: pairs.entries.count)
    try inside { () throws(FerryError) in
      for (index, (key, value)) in pairs.entries.enumerated() {
        let name = key.name ?? ""
        // A key that is a collection has no name, so its column is counted by its index.
        addColumn(key.name ?? "\(index)")
        steps.append(.key(name))
        if key.isNull, !capabilities.contains(.objectKeys) { note(.objectKey) }
        noteEntry(value)
        try key.send(asKeyTo: sink)
        try send(value, .entry)
        steps.removeLast()
      }
    }
    try sink.endDictionary()
  }

  private func send(_ object: EncodedObject) throws(FerryError) {
    open.insert(ObjectIdentifier(object))
    defer { open.remove(ObjectIdentifier(object)) }
    let hasText = hasText(object)
    let leftOut = hasElements ? object.fields.values.count(where: \.isNull) : 0
    // An element without attributes is its text.
    if hasText, object.fields.count - leftOut == 1, object.identity == nil, let text = object.fields[""] {
      for (name, value) in object.fields where value.isNull { noteLeftOut(name) }
      return try send(text, .field)
    }
    // An instance with several references keeps its identity, under no name of a class.
    let type = leavesOutTypes ? object.identity.map { _ in ObjectClass.none } : object.type
    if let type { try sink.beginObject(type, identity: object.identity) }
    let emptyText = emptyTextKey(of: object, hasText: hasText)
    try sink.beginDictionary(count: object.fields.count - leftOut - (emptyText == nil ? 0 : 1))
    try inside { () throws(FerryError) in
      for (name, value) in object.fields {
        if leftOut > 0, value.isNull {
          noteLeftOut(name)
          continue
        }
        if let emptyText, name.string.equals(emptyText) {
          steps.append(.key(emptyText))
          if case .optional = value { noteEmptyText() }
          steps.removeLast()
          continue
        }
        if let contents = contents(value, for: name, of: object) {
          try sendContents(contents)
        } else {
          try sendField(hasText && name.string.isEmpty ? "#text" : name.string, value)
        }
      }
    }
    try sink.endDictionary()
    if type != nil { try sink.endObject() }
  }

  /// Returns the key of an empty text beside attributes, which has no element: an element without text has an empty one.
  private func emptyTextKey(of object: EncodedObject, hasText: Bool) -> String? {
    guard hasElements else { return nil }
    let key = hasText ? "" : "#text"
    guard let text = object.fields[ExactString(key)], text.isEmpty, !text.isCollection else { return nil }
    return key
  }

  /// Returns the contents of the element itself: a list of an `ElementChoice` with their key, or with the empty key beside nothing but attributes;
  /// nil for other values.
  private func contents(
    _ value: EncodedValue, for name: ExactString, of object: EncodedObject
  ) -> EncodedList? {
    guard hasElements, name.string.isEmpty || name.string.equals("#content"),
      case .list(let list) = value.unwrapped, list.isContents, !list.values.isEmpty
    else { return nil }
    let isAlone = object.fields.allSatisfy { key, other in
      key.string.equals(name.string) || key.string.begins(with: "@") || other.isNull
    }
    return isAlone || !name.string.isEmpty ? list : nil
  }

  private func noteLeftOut(_ name: ExactString) {
    losses.add(.nullLeftOut, path: ValuePath(steps + [.key(name.string)]))
  }

  /// True if the empty key of an object means the text of an element: it has a scalar, and the other keys are those of attributes.
  private func hasText(_ object: EncodedObject) -> Bool {
    guard hasElements, let text = object.fields[""], !text.isCollection, !text.isNull else { return false }
    // An empty text in an optional would not be text.
    if case .optional = text, text.isEmpty { return false }
    return object.fields.keys.allSatisfy { $0.string.isEmpty || $0.string.begins(with: "@") }
  }

  private func sendField(_ name: String, _ value: EncodedValue) throws(FerryError) {
    addColumn(name)
    steps.append(.key(name))
    try sink.key(name)
    try send(value, .field)
    steps.removeLast()
  }

  /// Adds a column of the table, of which only the number matters up to two.
  private func addColumn(_ name: String) {
    if hasColumns, !isInCell, columns.count < 2 { columns.insert(ExactString(name)) }
  }

  /// Sends an object again, or a reference to it.
  private func send(referenceTo object: EncodedObject) throws(FerryError) {
    let isInside = open.contains(ObjectIdentifier(object))
    guard !isInside, !keepsReferences else {
      // A decoded value cannot contain itself.
      if isInside { note(.sharedIdentity, isReported: !keepsReferences) }
      return try EncodedValue.reference(object).send(to: sink)
    }
    copyDepth += 1
    defer { copyDepth -= 1 }
    try send(object)
  }
}

extension EncodedValue {
  /// The text of an `ElementChoice` that is a text beside elements: the value of the only key `#text`, or of the empty key; nil for an element.
  fileprivate var textInContents: EncodedValue? {
    guard case .object(let object) = unwrapped, object.fields.count == 1,
      object.fields.keys[0].string.isEmpty || object.fields.keys[0].string.equals("#text")
    else { return nil }
    let text = object.fields.values[0]
    return text.isCollection ? text.textInContents : text
  }
}
