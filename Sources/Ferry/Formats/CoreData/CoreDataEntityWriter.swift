/// Puts records into a store, as objects of one entity.
///
///     {"objectID": "Person/p2", "group": "Group/p1", "firstName": "Ada", "timestamp": "2014-06-01T09:30:00Z"}
///     Z_PK 2, Z_ENT 2, Z_OPT 1, ZGROUP 1, ZFIRSTNAME Ada, ZTIMESTAMP 423307800
///
/// The row is inserted as soon as the record is whole; what it has by relationships is stored when all objects are there.
final class CoreDataEntityWriter {
  /// What a key of a record is to the object. Parameters are those of the insertion.
  private enum Property {
    case attribute(Attribute)
    case toOne(ToOne)
    case toMany(CoreDataStore.Entity, CoreDataLinks.Place)
  }

  struct Attribute {
    let name: String
    let type: CoreDataType?
    let parameter: Int
    let isMandatory: Bool
    /// Whether a byte before the data says where it is.
    let isExternal: Bool
    /// What a new object has.
    let newValue: EventTape?
    /// Whether there is more than one column of the name, of which this is the first.
    let isAmbiguous: Bool
    /// Where it is kept as the key of an object, which only a model would tell from a number; nil for other types.
    let place: CoreDataLinks.Place?
  }

  struct ToOne {
    let name: String
    /// The entity that it leads to; nil when nothing says it.
    let target: CoreDataStore.Entity?
    let parameter: Int
    let entityParameter: Int?
    /// Where it is kept; and where the one back is, when that is to one as well.
    let places: [CoreDataLinks.Place]
  }

  private let writing: CoreDataWriting
  let entity: CoreDataStore.Entity
  private let table: SQLiteTable
  private let keys: CoreDataKeys
  private let insertion: SQLiteStatement
  private var properties: [String: Property] = [:]
  /// By names in small letters, where they are of one property only.
  private var folded: [String: Property] = [:]
  /// Attributes, with what a new object has of each.
  private var attributes: [Attribute] = []
  /// All parameters of attributes and relationships, and which of them the record has given a value.
  private var isBound: [Bool] = []
  private let scratch = EventTape()
  /// How many records have been written.
  private(set) var count = 0

  /// The columns that every object has. They are the first parameters of the insertion.
  private static let ownColumns = ["Z_PK", "Z_ENT", "Z_OPT"]
  /// The key of a record's own name.
  static let nameKey = "objectID"

  /// Nil when the entity has no table of objects.
  init?(_ entity: CoreDataStore.Entity, _ writing: CoreDataWriting) throws(Failure) {
    let store = writing.store
    guard let table = store.table(of: entity),
      let columns = try writing.columns(of: entity),
      Self.ownColumns.allSatisfy(columns.stored.contains)
    else { return nil }
    (self.entity, self.writing, self.table) = (entity, writing, table)
    keys = try writing.keys(of: entity, in: table)
    let names = Self.ownColumns + columns.stored.filter { !Self.ownColumns.contains($0) }
    let parameters = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 + 1) })
    insertion = try writing.connection.statement(
      "INSERT INTO \(quotedName(table.name)) (\(names.map(quotedName).joined(separator: ", "))) "
        + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
    isBound = Array(repeating: false, count: names.count + 1)
    for column in columns.columns { try add(column, of: columns, parameters) }
    for relationship in try store.toMany(of: entity, behind: columns, on: writing.connection) {
      let place = try writing.place(of: relationship, ownedBy: entity)
      writing.links.name(relationship.name, place)
      add(relationship.name, .toMany(relationship.entity, place))
    }
  }

  private func add(
    _ column: CoreDataColumns.Column, of columns: CoreDataColumns, _ parameters: [String: Int]
  ) throws(Failure) {
    let stored = columns.stored[column.index]
    let parameter = parameters[stored] ?? 0
    let mayBeReference = if case .attribute(let type) = column.kind { type == .integer } else { true }
    let place = mayBeReference ? writing.place(of: column, in: columns, of: entity) : nil
    switch column.kind {
    case .attribute(let type):
      let property = column.property
      let attribute = Attribute(
        name: column.name, type: type, parameter: parameter,
        isMandatory: property.map { !$0.isOptional } ?? false, isExternal: property?.isExternal ?? false,
        newValue: try property?.defaultValue.map { value throws(Failure) in try value.asTape(for: type) },
        isAmbiguous: isAmbiguous(stored, columns), place: place)
      attributes.append(attribute)
      add(column.name, .attribute(attribute))
    case .reference(let target, let entityColumn):
      let places = try [place, writing.place(ofInverseOf: column)].compactMap { $0 }
      if places.count > 1 { writing.links.name(column.name, places[1]) }
      let toOne = ToOne(
        name: column.name, target: writing.store.entities.first { $0.name == target }, parameter: parameter,
        entityParameter: entityColumn.flatMap { parameters[columns.stored[$0]] }, places: places)
      add(column.name, .toOne(toOne))
    }
    if let place { writing.links.name(column.name, place) }
  }

  /// Two entities that inherit from one may each have an attribute of a name: `ZNAME` and `ZNAME1`.
  private func isAmbiguous(_ stored: String, _ columns: CoreDataColumns) -> Bool {
    writing.store.entities(in: table).count > 1
      && (1...9).contains { columns.stored.contains("\(stored)\($0)") }
  }

  private func add(_ name: String, _ property: Property) {
    properties[name] = property
    let small = name.lowercased()
    let isKnown = folded[small] != nil
    folded[small] = isKnown ? nil : property
  }

  // MARK: Records

  /// Writes the record on a tape. What is wrong with it has its path in the record.
  func write(_ tape: EventTape) throws(Failure) {
    for index in isBound.indices { isBound[index] = false }
    let object = try name(of: tape)
    let row = try keys.key(writing.keepsKeys ? object?.key : nil)
    try writing.links.add(row: row, key: object?.key, entity: entity, place: count)
    for (index, value) in [row, entity.number, 1].enumerated() { try insertion.bind(index + 1, value) }
    var key = 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      let name = tape.kind(at: key) == .key ? tape.string(at: key) : ""
      try placing(name) { () throws(Failure) in try put(name, at: value, of: tape, row) }
      key = tape.next(after: value)
    }
    try putMissing(of: tape)
    try insertion.run(inTable: table.name)
    count += 1
  }

  private func placing(_ key: String, _ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      var failure = error
      failure.path.steps.insert(.key(key), at: 0)
      throw failure
    }
  }

  /// What the record calls itself.
  private func name(of tape: EventTape) throws(Failure) -> CoreDataObject? {
    var key = 1
    while tape.kind(at: key) != .endDictionary {
      let value = tape.next(after: key)
      if tape.kind(at: key) == .key, isName(tape.string(at: key)) {
        guard tape.kind(at: value) == .string,
          let object = writing.store.object(named: tape.string(at: value)),
          object.entity.number == entity.number
        else {
          let wanted = "a name such as \(entity.name)/p1"
          throw Failure(
            .record(.badField(Self.nameKey, wanted: wanted, found: tape.words(at: value))),
            path: ValuePath([.key(Self.nameKey)]))
        }
        return object
      }
      key = tape.next(after: value)
    }
    return nil
  }

  private func isName(_ key: String) -> Bool {
    key == Self.nameKey || (writing.isText && key == "@" + Self.nameKey)
  }

  /// Puts the value of a key into the row, or among the links.
  private func put(_ key: String, at value: Int, of tape: EventTape, _ row: Int64) throws(Failure) {
    guard !isName(key) else { return }
    // XML has attributes too.
    let name = writing.isText && key.hasPrefix("@") ? String(key.dropFirst()) : key
    guard let property = properties[name] ?? folded[name.lowercased()] else {
      throw Failure(.database(.noAttribute(name, entity: entity.name)))
    }
    let isNothing = tape.kind(at: value) == .null || isEmptyElement(at: value, of: tape)
    switch property {
    case .attribute(let attribute):
      if isNothing, tape.kind(at: value) == .null || attribute.type?.fieldType != .string {
        return try putNull(attribute)
      }
      try put(attribute, at: value, of: tape, row)
    case .toOne(let toOne):
      try put(toOne, isNothing ? nil : object(at: value, of: tape, toOne.name, toOne.target), row)
    case .toMany(let entity, let place):
      try writing.links.note(owner: row, place)
      guard !isNothing else { return }
      try put(name, entity, place, at: value, of: tape, row)
    }
  }

  /// Whether a value is an element of XML without content, which says that there is nothing.
  private func isEmptyElement(at value: Int, of tape: EventTape) -> Bool {
    writing.isText && tape.kind(at: value) == .string && tape.string(at: value).isEmpty
  }

  /// Gives what the record does not have its usual value, or none.
  private func putMissing(of tape: EventTape) throws(Failure) {
    for attribute in attributes where !isBound[attribute.parameter] {
      if let value = attribute.newValue {
        try bind(attribute, at: 0, of: value)
      } else {
        try putNull(attribute)
      }
    }
    // Columns of relationships, and those that only Core Data uses.
    for parameter in Self.ownColumns.count + 1..<isBound.count where !isBound[parameter] {
      try insertion.bindNull(parameter)
    }
  }

  // MARK: Attributes

  private func putNull(_ attribute: Attribute) throws(Failure) {
    guard !attribute.isMandatory else {
      throw Failure(.record(.missingField(attribute.name, record: entity.name)))
    }
    isBound[attribute.parameter] = true
    try insertion.bindNull(attribute.parameter)
  }

  private func put(_ attribute: Attribute, at value: Int, of tape: EventTape, _ row: Int64) throws(Failure) {
    if attribute.isAmbiguous { writing.losses.add(.ambiguousColumn, path: writing.path(attribute.name)) }
    switch (attribute.type, tape.kind(at: value)) {
    case (.integer, .string):
      // Without a model a column of integers may be a relationship.
      guard let place = attribute.place, let object = writing.store.object(named: tape.string(at: value))
      else { break }
      return try put(object, attribute.parameter, row, place)
    case (.integer, .boolean):
      return try bind(attribute.parameter, tape.boolean(at: value) ? 1 : 0)
    case (.boolean, .integer):
      // A store may have other numbers there than 0 and 1.
      return try bind(attribute, at: value, of: tape)
    case (.data, .string) where UUIDText.bytes(tape.string(at: value).utf8.span) != nil:
      return try bindUUID(attribute, at: value, of: tape)
    default: break
    }
    guard let type = attribute.type else { return try bind(attribute, at: value, of: tape) }
    scratch.removeAll()
    try writing.translator.send(type.fieldType, attribute.name, at: value, of: tape, to: scratch)
    try bind(attribute, at: 0, of: scratch)
  }

  private func bind(_ parameter: Int, _ value: Int64) throws(Failure) {
    isBound[parameter] = true
    try insertion.bind(parameter, value)
  }

  private func bindUUID(_ attribute: Attribute, at value: Int, of tape: EventTape) throws(Failure) {
    isBound[attribute.parameter] = true
    let bytes = try tape.withText(at: value) { text throws(Failure) in UUIDText.bytes(text.utf8) ?? [] }
    try insertion.bind(attribute.parameter, blob: bytes.span)
  }

  /// Binds a scalar of the attribute's type.
  private func bind(_ attribute: Attribute, at index: Int, of tape: EventTape) throws(Failure) {
    let parameter = attribute.parameter
    isBound[parameter] = true
    switch tape.kind(at: index) {
    case .null: try insertion.bindNull(parameter)
    case .boolean: try insertion.bind(parameter, Int64(tape.boolean(at: index) ? 1 : 0))
    case .integer: try insertion.bind(parameter, try integer(attribute, tape.integer(at: index)))
    case .real, .date: try bindReal(attribute, tape.real(at: index))
    case .single: try bindReal(attribute, Double(tape.single(at: index)))
    case .string where attribute.type == .uuid: try bindUUID(attribute, at: index, of: tape)
    case .string, .number:
      try tape.withText(at: index) { text throws(Failure) in
        // SQLite makes a real of a decimal that is no integer, with fifteen digits to rely on.
        if attribute.type == .decimal, text.utf8.digitCount > 15 { lose(.columnType, attribute) }
        try insertion.bind(parameter, text: text.utf8)
      }
    case .data:
      try tape.withData(at: index) { bytes throws(Failure) in
        guard attribute.isExternal, let marked = CoreDataExternalData.inline(bytes) else {
          return try insertion.bind(parameter, blob: bytes)
        }
        try insertion.bind(parameter, blob: marked.span)
      }
    default:
      throw Failure(
        .record(.badField(attribute.name, wanted: "a single value", found: tape.words(at: index))))
    }
  }

  private func integer(_ attribute: Attribute, _ value: Int128) throws(Failure) -> Int64 {
    guard attribute.type?.range?.contains(value) ?? true, let small = Int64(exactly: value) else {
      throw Failure(
        .record(
          .badField(
            attribute.name, wanted: (attribute.type ?? .integer64).rangeWords, found: value.description)))
    }
    return small
  }

  private func bindReal(_ attribute: Attribute, _ value: Double) throws(Failure) {
    guard !value.isNaN else {
      lose(.notANumber, attribute)
      return try insertion.bindNull(attribute.parameter)
    }
    if value == 0, value.sign == .minus { lose(.negativeZero, attribute) }
    try insertion.bind(attribute.parameter, value)
  }

  private func lose(_ kind: Loss.Kind, _ attribute: Attribute) {
    writing.losses.add(kind, path: writing.path(attribute.name))
  }

  // MARK: Relationships

  /// The object that a value names; what it wants is one of an entity, or of one that inherits from it.
  private func object(
    at value: Int, of tape: EventTape, _ name: String, _ target: CoreDataStore.Entity?
  ) throws(Failure) -> CoreDataObject {
    guard tape.kind(at: value) == .string, let object = writing.store.object(named: tape.string(at: value)),
      target.map({ writing.store.isKind(object.entity, of: $0) }) ?? true
    else {
      let wanted = "an objectID such as \((target ?? entity).name)/p1"
      throw Failure(.record(.badField(name, wanted: wanted, found: tape.words(at: value))))
    }
    return object
  }

  private func put(_ toOne: ToOne, _ object: CoreDataObject?, _ row: Int64) throws(Failure) {
    for place in toOne.places {
      try writing.links.note(owner: row, place)
      if let object { try writing.links.add(object, to: row, place) }
    }
    guard writing.keepsKeys, let object else { return }
    try bind(toOne.parameter, object.key)
    if let parameter = toOne.entityParameter { try bind(parameter, object.entity.number) }
  }

  private func put(
    _ object: CoreDataObject, _ parameter: Int, _ row: Int64, _ place: CoreDataLinks.Place
  ) throws(Failure) {
    try writing.links.note(owner: row, place)
    try writing.links.add(object, to: row, place)
    guard writing.keepsKeys else { return isBound[parameter] = false }
    try bind(parameter, object.key)
  }

  private func put(
    _ name: String, _ entity: CoreDataStore.Entity, _ place: CoreDataLinks.Place, at value: Int,
    of tape: EventTape, _ row: Int64
  ) throws(Failure) {
    guard tape.kind(at: value) == .beginArray else {
      // A list of one is that one in XML, which has no lists.
      guard writing.isText else {
        throw Failure(
          .record(.badField(name, wanted: "a list of objectIDs", found: tape.words(at: value))))
      }
      return try writing.links.add(try object(at: value, of: tape, name, entity), to: row, place)
    }
    let end = tape.next(after: value) - 1
    var (element, index) = (value + 1, 0)
    while element < end {
      do throws(Failure) {
        try writing.links.add(
          try object(at: element, of: tape, name, entity), to: row, index: index, place)
      } catch {
        throw error.placed(path: ValuePath([.index(index)]))
      }
      element = tape.next(after: element)
      index += 1
    }
  }
}

extension Value {
  /// The value on a tape of its own, as an attribute of a type has it. A model may have a boolean for a number.
  fileprivate func asTape(for type: CoreDataType?) throws(Failure) -> EventTape {
    var value = self
    if type?.range != nil {
      switch self {
      case .boolean(let boolean): value = .integer(boolean ? 1 : 0)
      case .real(let real): value = Int128(exactly: real).map { .integer($0) } ?? .null
      default: break
      }
    }
    let tape = EventTape()
    try value.replay(into: tape)
    return tape
  }
}

extension Span<UInt8> {
  /// How many digits a number's text has, without zeros before it.
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
