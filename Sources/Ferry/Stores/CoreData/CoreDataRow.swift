/// A row to insert into a table of a store. It converts attributes to SQLite values.
///
///     "2014-06-01T09:30:00Z"    as a date    423307800
///     "AAEC"                    as data      00 01 02, after 01 if the data might be in a file
///     "E621E1F8-C36C-…"         as a UUID    E6 21 E1 F8 C3 6C …
final class CoreDataRow {
  struct Attribute {
    let name: String
    let type: CoreDataType?
    /// The parameter of the INSERT statement.
    let parameter: Int
    let isMandatory: Bool
    /// True if the first byte indicates where the data is stored.
    let isExternal: Bool
    /// The default value of a new object, or nil if there is none.
    let newValue: EventTape?
    /// True if there are several columns with this name, and this is the first.
    let isAmbiguous: Bool
    /// The storage of a relationship if the column may hold keys of objects, otherwise nil. Only a model
    /// distinguishes keys from numbers.
    let slotSide: CoreDataLinks.SlotSide?
  }

  private let writing: CoreDataWriting
  private let entity: CoreDataStore.Entity
  private let table: SQLiteTable
  private let insertion: SQLiteStatement
  /// The check of each inserted row, if the table has triggers.
  private let rowCheck: SQLiteRowCheck?
  /// The parameter of each column. The columns that every object has come first.
  let parameters: [ExactString: Int]
  /// For each parameter, true if it has a value.
  private var isBound: [Bool]
  private let scratch = TapeSink()

  /// The columns that every object has: its key, its entity, and the number of its changes.
  private static let ownColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Prepares the insertion of objects of an entity. Fails if the table has no objects.
  init?(
    of table: SQLiteTable, _ columns: CoreDataColumns, for entity: CoreDataStore.Entity,
    _ writing: CoreDataWriting
  ) throws(FerryError) {
    guard Self.ownColumns.allSatisfy(columns.stored.contains) else { return nil }
    (self.table, self.entity, self.writing) = (table, entity, writing)
    let names = Self.ownColumns + columns.stored.filter { !Self.ownColumns.contains($0) }
    parameters = Dictionary(uniqueKeysWithValues: names.enumerated().map { (ExactString($1), $0 + 1) })
    insertion = try writing.connection.statement(
      "\(try writing.connection.insertion(into: table.name)) (\(names.map(quotedName).joined(separator: ", "))) "
        + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
    rowCheck = try writing.rowCheck(of: table, columns: names)
    isBound = Array(repeating: false, count: names.count + 1)
  }

  /// Begins a row with the given key.
  func begin(_ key: Int64) throws(FerryError) {
    for index in isBound.indices { isBound[index] = false }
    for (index, value) in [key, entity.number, 1].enumerated() { try put(value, index + 1) }
  }

  /// Inserts the row. An attribute without a value gets its default value or NULL.
  func insert(_ attributes: [Attribute]) throws(FerryError) {
    for attribute in attributes where !isBound[attribute.parameter] {
      if let value = attribute.newValue {
        try put(scalar: attribute, at: .start, of: value)
      } else {
        try putNull(attribute)
      }
    }
    // These are columns of relationships, and columns that only Core Data uses.
    for parameter in isBound.indices.dropFirst() where !isBound[parameter] {
      try insertion.bindNull(parameter)
    }
    try insertion.run(inTable: table.name)
    try rowCheck?.check()
  }

  /// Sets a column to an integer.
  func put(_ value: Int64, _ parameter: Int) throws(FerryError) {
    isBound[parameter] = true
    try insertion.bind(parameter, value)
  }

  // MARK: Attributes

  /// Sets an attribute to NULL.
  func putNull(_ attribute: Attribute) throws(FerryError) {
    guard !attribute.isMandatory else {
      throw FerryError(.record(.missingField(attribute.name, record: entity.name)))
    }
    try check(attribute)
    isBound[attribute.parameter] = true
    try insertion.bindNull(attribute.parameter)
  }

  /// Sets an attribute to the value at a tape index.
  func put(_ attribute: Attribute, at value: TapeIndex, of tape: EventTape) throws(FerryError) {
    try check(attribute)
    if attribute.isAmbiguous { lose(.ambiguousColumn, attribute) }
    switch (attribute.type, tape.kind(at: value)) {
    case (.integer, .boolean): return try put(tape.boolean(at: value) ? 1 : 0, attribute.parameter)
    // A store may contain numbers other than 0 and 1 for a boolean.
    case (.boolean, .integer), (nil, _): return try put(scalar: attribute, at: value, of: tape)
    case (.data, .string) where writing.store.model == nil && isUUID(value, tape):
      return try put(uuid: attribute, at: value, of: tape)
    default: break
    }
    scratch.removeAll()
    let type = attribute.type?.fieldType ?? .string
    try writing.translator.send(type, attribute.name, at: value, of: tape, to: scratch)
    for loss in writing.translator.losses.take().counts {
      for _ in 0..<loss.count { lose(loss.kind, attribute) }
    }
    try put(scalar: attribute, at: .start, of: scratch.tape)
  }

  private func check(_ attribute: Attribute) throws(FerryError) {
    guard !isBound[attribute.parameter] else { throw FerryError(.record(.repeatedField(attribute.name))) }
  }

  private func isUUID(_ value: TapeIndex, _ tape: EventTape) -> Bool {
    UUIDText.bytes(tape.text(at: value).utf8) != nil
  }

  /// Sets an attribute to a scalar of its type.
  private func put(scalar attribute: Attribute, at index: TapeIndex, of tape: EventTape) throws(FerryError) {
    let parameter = attribute.parameter
    isBound[parameter] = true
    switch tape.kind(at: index) {
    case .null: try insertion.bindNull(parameter)
    case .boolean: try insertion.bind(parameter, Int64(tape.boolean(at: index) ? 1 : 0))
    case .integer: try insertion.bind(parameter, try integer(attribute, tape.integer(at: index)))
    case .real, .date: try put(real: attribute, tape.real(at: index))
    case .single: try put(real: attribute, Double(tape.single(at: index)))
    case .string where attribute.type == .uuid: try put(uuid: attribute, at: index, of: tape)
    case .string, .number:
      let text = tape.text(at: index).utf8
      // SQLite converts a decimal that is not an integer to a real, which keeps only fifteen digits reliably.
      if attribute.type == .decimal, text.digitCount > 15 { lose(.columnType, attribute) }
      try insertion.bind(parameter, text: text)
    case .data:
      let bytes = tape.data(at: index)
      if attribute.isExternal, let marked = CoreDataExternalData.inline(bytes) {
        try insertion.bind(parameter, blob: marked.span)
      } else {
        try insertion.bind(parameter, blob: bytes)
      }
    default:
      throw FerryError(
        .record(.badField(attribute.name, wanted: "a single value", found: tape.words(at: index))))
    }
  }

  private func put(uuid attribute: Attribute, at index: TapeIndex, of tape: EventTape) throws(FerryError) {
    isBound[attribute.parameter] = true
    let bytes = UUIDText.bytes(tape.text(at: index).utf8) ?? []
    try insertion.bind(attribute.parameter, blob: bytes.span)
  }

  private func put(real attribute: Attribute, _ value: Double) throws(FerryError) {
    guard !value.isNaN else {
      lose(.notANumber, attribute)
      return try insertion.bindNull(attribute.parameter)
    }
    if value == 0, value.sign == .minus { lose(.negativeZero, attribute) }
    try insertion.bind(attribute.parameter, value)
  }

  private func integer(_ attribute: Attribute, _ value: Int128) throws(FerryError) -> Int64 {
    guard attribute.type?.range?.contains(value) ?? true, let small = Int64(exactly: value) else {
      let wanted = (attribute.type ?? .integer64).rangeWords
      throw FerryError(.record(.badField(attribute.name, wanted: wanted, found: value.description)))
    }
    return small
  }

  private func lose(_ kind: Loss.Kind, _ attribute: Attribute) {
    writing.losses.add(kind, path: ValuePath(writing.steps + [.key(attribute.name)]))
  }
}

extension Value {
  /// Returns a tape with only this value, converted to a type. A model may store a number for a boolean.
  func asTape(for type: CoreDataType?) throws(FerryError) -> EventTape {
    var value = self
    if type?.range != nil {
      switch self {
      case .boolean(let boolean): value = .integer(boolean ? 1 : 0)
      case .real(let real): value = Int128(exactly: real).map { .integer($0) } ?? .null
      default: break
      }
    }
    let tapeSink = TapeSink()
    try value.replay(into: tapeSink)
    return tapeSink.tape
  }
}

extension Span<UInt8> {
  /// The number of digits in the text of a number, excluding leading zeros.
  fileprivate var digitCount: Int {
    var count = 0
    for index in indices {
      let byte = self[index]
      if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") { break }
      if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) || (byte == UInt8(ascii: "0") && count > 0) {
        count += 1
      }
    }
    return count
  }
}
