/// A sink that finds the shapes of values: of JSON, property lists, archives and every other format that is read as events.
/// It stores no values.
final class ShapeSurvey: ValueSink {
  private(set) var table: ShapeTable
  /// The shape of the whole document.
  let document: ShapeID
  /// The types of which texts of the format can be.
  private let textTypes: ScalarSurvey.Kinds
  /// True if a text may be a collection in JSON, as in a cell of CSV.
  private let nestsAsText: Bool
  /// The limits of such texts.
  private let budget: Budget
  private var levels: [Level] = []
  /// The nesting depth inside a key that is not a string. Values inside such a key are not counted.
  private var keyDepth = 0
  /// The class of the object whose content follows; nil if it has no name.
  private var objectClass: ObjectClass?
  /// The number of records after which the reading stops; nil to read all of them.
  private let mostRecords: Int?
  private var recordCount = 0
  /// The shape of values whose keys have an unpaired surrogate.
  private var unnamed: ShapeID?

  /// An open collection.
  private struct Level {
    enum Kind { case dictionary, list, object }

    var kind: Kind
    var shape: ShapeID
    /// The shape of the current key's value.
    var value: ShapeID?
    /// The index of the last entry.
    var entry = -1
    var isEmpty = true
  }

  /// Creates a survey that continues with the shapes of other documents.
  init(
    _ table: ShapeTable, of document: ShapeID, dialect: RecordDialect, budget: Budget, mostRecords: Int? = nil
  ) {
    (self.table, self.document, self.budget) = (table, document, budget)
    self.mostRecords = mostRecords
    nestsAsText = dialect.nestsAsText && dialect.scalarsAreText
    if dialect.scalarsAreText {
      textTypes = .types
    } else {
      var types: ScalarSurvey.Kinds = [.url, .uuid]
      if !dialect.capabilities.contains(.dates), !dialect.datesAreLoose { types.insert(.date) }
      if !dialect.capabilities.contains(.data) { types.insert(.data) }
      textTypes = dialect.holdsObjects ? [] : types
    }
  }

  /// Returns the shape of the value that follows.
  private func nextShape() throws(FerryError) -> ShapeID? {
    guard keyDepth == 0 else { return nil }
    guard let last = levels.indices.last else { return document }
    levels[last].isEmpty = false
    switch levels[last].kind {
    case .dictionary: return levels[last].value
    case .list:
      try stopAfterLastRecord()
      return try table.items(of: levels[last].shape)
    case .object: return levels[last].shape
    }
  }

  /// Stops the reading if a value that begins in the innermost list would be a record past the limit.
  private func stopAfterLastRecord() throws(FerryError) {
    guard let mostRecords, isInRecordList else { return }
    if recordCount == mostRecords { throw .stopped }
    recordCount += 1
  }

  /// True if the innermost collection, a list, may be that of the records: the outermost one, or the only entry of the outermost dictionary.
  private var isInRecordList: Bool {
    // The content of an object has a level of its own.
    let collections = levels.lazy.filter { $0.kind != .object }.prefix(3)
    guard collections.count == 2 else { return collections.count == 1 }
    return collections.first?.kind == .dictionary && table[document].entries.count == 1
  }

  /// True if the value that follows is the content of an object, which has been counted.
  private var isContent: Bool { levels.last?.kind == .object }

  private func scalar(_ kind: ScalarSurvey.Kinds, _ example: @autoclosure () -> String) throws(FerryError) {
    guard let shape = try shapeOfScalar() else { return }
    table[shape].scalars.add(kind, example())
  }

  /// Returns the shape of the next value, and counts the value in it.
  private func shapeOfScalar() throws(FerryError) -> ShapeID? {
    guard let shape = try nextShape() else { return nil }
    if !isContent { table[shape].count += 1 }
    return shape
  }

  private func begin(_ kind: Level.Kind) throws(FerryError) {
    guard let shape = try nextShape() else { return }
    if !isContent { table[shape].count += 1 }
    switch kind {
    case .dictionary: table[shape].dictionaries += 1
    case .list: table[shape].lists += 1
    case .object: break
    }
    levels.append(Level(kind: kind, shape: shape))
  }

  private func end() {
    guard keyDepth == 0, let level = levels.popLast() else { return }
    if level.kind == .list, level.isEmpty { table[level.shape].emptyLists += 1 }
  }

  func null() throws(FerryError) {
    guard let shape = try nextShape() else { return }
    table[shape].count += 1
    table[shape].nulls += 1
  }

  func boolean(_ value: Bool) throws(FerryError) { try scalar(.boolean, value ? "true" : "false") }
  func integer(_ value: Int128) throws(FerryError) {
    if let shape = try shapeOfScalar() { table[shape].scalars.add(integer: value) }
  }
  func real(_ value: Double) throws(FerryError) {
    if let shape = try shapeOfScalar() { table[shape].scalars.add(real: value) }
  }
  func single(_ value: Float) throws(FerryError) { try real(Double(value)) }
  func date(_ seconds: Double) throws(FerryError) { try scalar(.date, ISODate.text(seconds) ?? "a date") }
  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    let count = bytes.count
    try scalar(.data, "\(count) bytes")
  }
  func uid(_ number: UInt64) throws(FerryError) { try scalar(.other, "\(number)") }

  func number(_ text: BorrowedText) throws(FerryError) {
    let text = String(text)
    try scalar(.decimal, text)
  }

  /// A reference is to a value that is counted elsewhere.
  func reference(_ identity: Int) throws(FerryError) {
    guard let shape = try nextShape(), !isContent else { return }
    table[shape].count += 1
    table[shape].hasReferences = true
  }

  func string(_ text: BorrowedText) throws(FerryError) {
    guard let shape = try nextShape() else { return }
    if let type = isContent ? objectClass : nil, let kind = Self.kind(of: type) {
      return table[shape].scalars.add(kind, String(text))
    }
    if nestsAsText, text.utf8.isCollectionInJSON(budget) { return try surveyJSON(text, in: shape) }
    if !isContent { table[shape].count += 1 }
    table[shape].scalars.add(text: text, readsTypes: textTypes)
  }

  /// Finds the shape of a collection that is stored as JSON text.
  private func surveyJSON(_ text: BorrowedText, in shape: ShapeID) throws(FerryError) {
    // The table moves to the inner survey and back: if both held it, the next change would copy it, for each text.
    let inner = ShapeSurvey(takeTable(), of: shape, dialect: .json, budget: budget)
    defer { table = inner.takeTable() }
    try JSONReader.read(nested: text.utf8, into: inner, budget: budget)
  }

  /// Returns the table, and leaves an empty one.
  private func takeTable() -> ShapeTable {
    defer { table = ShapeTable(limit: 0) }
    return table
  }

  /// Returns the type of the field for an object whose content is a string.
  private static func kind(of type: ObjectClass) -> ScalarSurvey.Kinds? {
    switch type.name {
    case "NSURL": .url
    case "NSUUID": .uuid
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": .decimal
    default: nil
    }
  }

  func beginArray(count: Int?) throws(FerryError) { try begin(.list) }
  func endArray() { end() }
  func beginSet(count: Int?) throws(FerryError) { try begin(.list) }
  func endSet() { end() }
  func beginDictionary(count: Int?) throws(FerryError) { try begin(.dictionary) }
  func endDictionary() { end() }

  func key(_ text: BorrowedText) throws(FerryError) {
    guard keyDepth == 0, let last = levels.indices.last else { return }
    let shape = levels[last].shape
    // No field can have such a name. A key that is not a field stays as it is.
    guard !text.hasSurrogates || table[shape].values != nil else {
      return levels[last].value = try shapeOfUnnamed()
    }
    guard let entry = try table.entry(text.utf8, of: shape, likely: levels[last].entry + 1) else {
      return levels[last].value = table[shape].values
    }
    levels[last].entry = entry
    levels[last].value = table[shape].entries[entry].shape
    table[shape].note(entry, times: 1)
  }

  /// Returns the shape of values that belong to no field.
  private func shapeOfUnnamed() throws(FerryError) -> ShapeID {
    if let unnamed { return unnamed }
    let made = try table.add(ValueShape(name: "", parent: nil))
    unnamed = made
    return made
  }

  func beginKey() { keyDepth += 1 }

  func endKey() {
    keyDepth -= 1
    if keyDepth == 0, let last = levels.indices.last { levels[last].value = nil }
  }

  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) {
    guard keyDepth == 0 else { return }
    try begin(.object)
    objectClass = type.name.isEmpty ? nil : type
    guard objectClass != nil, let shape = levels.last?.shape else { return }
    if table[shape].classes.count < 64, !table[shape].classes.contains(type) {
      table[shape].classes.append(type)
    }
  }

  func endObject() {
    guard keyDepth == 0 else { return }
    _ = levels.popLast()
  }

  func finish() {}
}
