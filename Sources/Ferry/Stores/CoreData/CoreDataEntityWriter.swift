/// A writer of records as objects of one entity.
///
///     {"objectID": "Person/p2", "group": "Group/p1", "firstName": "Ada",
///      "timestamp": "2014-06-01T09:30:00Z"}
///     Z_PK 2, Z_ENT 2, Z_OPT 1, ZGROUP 1, ZFIRSTNAME Ada, ZTIMESTAMP 423307800
///
/// The row is inserted when its record is complete. Relationships are stored after all objects exist.
final class CoreDataEntityWriter {
  /// The property of an object that a key of a record sets. `parameter` is that of the INSERT statement.
  private enum Property {
    case attribute(CoreDataRow.Attribute)
    case toOne(ToOne)
    case toMany(CoreDataStore.Entity, CoreDataLinks.SlotSide)
  }

  struct ToOne {
    let name: String
    /// The entity of the target, or nil if it is unknown.
    let target: CoreDataStore.Entity?
    let parameter: Int
    let entityParameter: Int?
    /// The storage of the relationship, and that of its inverse if the inverse is also to-one.
    let slotSides: [CoreDataLinks.SlotSide]
  }

  private let writing: CoreDataWriting
  let entity: CoreDataStore.Entity
  private let keys: CoreDataKeys
  private let row: CoreDataRow
  private var properties: [ExactString: Property] = [:]
  /// The properties by lowercase name.
  private var folded: [ExactString: Property] = [:]
  private var attributes: [CoreDataRow.Attribute] = []
  /// The number of records written.
  private(set) var count = 0

  /// The record key for the object's own name.
  static let nameKey = "objectID"

  /// Creates a writer. Fails if the entity has no table of objects.
  init?(_ entity: CoreDataStore.Entity, _ writing: CoreDataWriting) throws(FerryError) {
    let store = writing.store
    guard let table = store.table(of: entity), let columns = try writing.columns(of: entity),
      let row = try CoreDataRow(of: table, columns, for: entity, writing)
    else { return nil }
    (self.entity, self.writing, self.row) = (entity, writing, row)
    keys = try writing.keys(of: entity, in: table)
    let hasModel = store.properties(of: entity) != nil
    let isUnknown = !hasModel && store.entities(in: table).count > 1
    // With a model, a column without a property belongs to another entity.
    for column in columns.columns where column.property != nil || !hasModel {
      let stored = columns.stored[column.index]
      // Two subentities may each have an attribute `name`, stored in ZNAME and ZNAME1. Only a model tells
      // which column belongs to which entity.
      let isAmbiguous = isUnknown && (1...9).contains { columns.stores("\(stored)\($0)") }
      try add(column, of: columns, isAmbiguous: isAmbiguous)
    }
    for relationship in try store.toMany(of: entity, besides: columns) {
      let slotSide = try writing.slotSide(of: relationship, ownedBy: entity)
      writing.links.name(relationship.name, slotSide)
      add(relationship.name, .toMany(relationship.entity, slotSide))
    }
  }

  private func add(
    _ column: CoreDataColumns.Column, of columns: CoreDataColumns, isAmbiguous: Bool
  ) throws(FerryError) {
    let parameters = row.parameters
    let parameter = parameters[columns.stored[column.index]] ?? 0
    let mayBeReference = if case .attribute(let type) = column.kind { type == .integer } else { true }
    let slotSide = mayBeReference ? writing.slotSide(of: column, in: columns, of: entity) : nil
    switch column.kind {
    case .attribute(let type):
      let property = column.property
      let attribute = CoreDataRow.Attribute(
        name: column.name, type: type, parameter: parameter,
        isMandatory: property.map { !$0.isOptional } ?? false, isExternal: property?.isExternal ?? false,
        newValue: try property?.defaultValue.map { value throws(FerryError) in try value.asTape(for: type) },
        isAmbiguous: isAmbiguous, slotSide: slotSide)
      attributes.append(attribute)
      add(column.name, .attribute(attribute))
    case .reference(let target, let entityColumn):
      let slotSides = try [slotSide, writing.slotSide(ofInverseOf: column)].compactMap { $0 }
      if slotSides.count > 1 { writing.links.name(column.name, slotSides[1]) }
      let toOne = ToOne(
        name: column.name, target: writing.store.entities.first { $0.name.equals(target) },
        parameter: parameter,
        entityParameter: entityColumn.flatMap { parameters[columns.stored[$0]] }, slotSides: slotSides)
      add(column.name, .toOne(toOne))
    }
    if let slotSide { writing.links.name(column.name, slotSide) }
  }

  private func add(_ name: String, _ property: Property) {
    properties[name] = property
    folded[name.lowercased()] = folded[name.lowercased()] ?? property
  }

  // MARK: Records

  /// Writes the record on a tape. Errors have the path inside the record.
  func write(_ tape: EventTape) throws(FerryError) {
    let object = try name(of: tape)
    let owner = try keys.key(writing.keepsKeys ? object?.key : nil)
    try writing.links.add(row: owner, key: object?.key, entity: entity, index: count)
    try row.begin(owner)
    for (key, value) in tape.entries(of: .start) {
      let name = tape.kind(at: key) == .key ? tape.string(at: key) : ""
      try placing(name) { () throws(FerryError) in try put(name, at: value, of: tape, owner) }
    }
    try row.insert(attributes)
    count += 1
  }

  private func placing(_ key: String, _ body: () throws(FerryError) -> Void) throws(FerryError) {
    do throws(FerryError) {
      try body()
    } catch {
      throw error.placed(under: .key(key))
    }
  }

  /// Returns the object named by the record's `objectID`, or nil if the record has no `objectID`, or an empty one.
  private func name(of tape: EventTape) throws(FerryError) -> CoreDataObject? {
    let entry = tape.entries(of: .start).first { key, _ in
      tape.kind(at: key) == .key && isName(tape.string(at: key))
    }
    guard let value = entry?.value, tape.kind(at: value) != .null, !isEmptyName(at: value, of: tape) else {
      return nil
    }
    guard let object = reference(at: value, of: tape), object.entity.number == entity.number else {
      let wanted = "a name such as \(entity.name)/p1"
      throw FerryError(
        .record(.badField(Self.nameKey, wanted: wanted, found: tape.words(at: value))),
        path: ValuePath([.key(Self.nameKey)]))
    }
    return object
  }

  /// Returns true if a value is empty text from XML or CSV. A schema, which knows no `objectID`, leaves it as it is.
  private func isEmptyName(at value: TapeIndex, of tape: EventTape) -> Bool {
    (writing.isText || writing.isMapped) && tape.kind(at: value) == .string && tape.string(at: value).isEmpty
  }

  private func isName(_ key: String) -> Bool {
    key.equals(Self.nameKey) || (writing.isText && key.equals("@" + Self.nameKey))
  }

  /// Adds the value for a key to the row or to the links.
  private func put(_ key: String, at value: TapeIndex, of tape: EventTape, _ owner: Int64) throws(FerryError)
  {
    guard !isName(key) else { return }
    // By the XML convention, the key of an attribute begins with `@`.
    let name = writing.isText && key.begins(with: "@") ? key.droppingFirst() : key
    guard let property = properties[name] ?? folded[name.lowercased()] else {
      throw FerryError(.database(.noAttribute(name, entity: entity.name)))
    }
    let isNothing = tape.kind(at: value) == .null || isEmptyElement(at: value, of: tape)
    switch property {
    case .attribute(let attribute):
      if isNothing, tape.kind(at: value) == .null || attribute.type?.fieldType != .string {
        try row.putNull(attribute)
      } else if let slotSide = attribute.slotSide, let object = reference(at: value, of: tape) {
        try put(object, attribute.parameter, nil, owner, [slotSide])
      } else {
        try row.put(attribute, at: value, of: tape)
      }
    case .toOne(let toOne):
      let object = try isNothing ? nil : object(at: value, of: tape, toOne.name, toOne.target)
      try put(object, toOne.parameter, toOne.entityParameter, owner, toOne.slotSides)
    case .toMany(let entity, let slotSide):
      try writing.links.note(owner: owner, slotSide)
      if !isNothing { try put(name, entity, slotSide, at: value, of: tape, owner) }
    }
  }

  /// Returns true if a value is an empty XML element, which represents a missing value.
  private func isEmptyElement(at value: TapeIndex, of tape: EventTape) -> Bool {
    writing.isText && tape.kind(at: value) == .string && tape.string(at: value).isEmpty
  }

  // MARK: Relationships

  /// Returns the object that a value names. Throws if it is not of the target entity or a subentity.
  private func object(
    at value: TapeIndex, of tape: EventTape, _ name: String, _ target: CoreDataStore.Entity?
  ) throws(FerryError) -> CoreDataObject {
    guard let object = reference(at: value, of: tape),
      target.map({ writing.store.isKind(object.entity, of: $0) }) ?? true
    else {
      let wanted = "an objectID such as \((target ?? entity).name)/p1"
      throw FerryError(.record(.badField(name, wanted: wanted, found: tape.words(at: value))))
    }
    return object
  }

  /// Returns the object that a text names, or nil for other values.
  private func reference(at value: TapeIndex, of tape: EventTape) -> CoreDataObject? {
    tape.kind(at: value) == .string ? writing.store.object(named: tape.string(at: value)) : nil
  }

  private func put(
    _ object: CoreDataObject?, _ parameter: Int, _ entityParameter: Int?, _ owner: Int64,
    _ slotSides: [CoreDataLinks.SlotSide]
  ) throws(FerryError) {
    for slotSide in slotSides {
      try writing.links.note(owner: owner, slotSide)
      if let object { try writing.links.add(object, to: owner, slotSide) }
    }
    guard writing.keepsKeys, let object else { return }
    try row.put(object.key, parameter)
    if let entityParameter { try row.put(object.entity.number, entityParameter) }
  }

  private func put(
    _ name: String, _ entity: CoreDataStore.Entity, _ slotSide: CoreDataLinks.SlotSide, at value: TapeIndex,
    of tape: EventTape, _ owner: Int64
  ) throws(FerryError) {
    guard tape.kind(at: value) == .beginArray else {
      // XML has no lists, so a list with a single element is read as the element.
      guard writing.isText else {
        throw FerryError(
          .record(.badField(name, wanted: "a list of objectIDs", found: tape.words(at: value))))
      }
      return try writing.links.add(try object(at: value, of: tape, name, entity), to: owner, slotSide)
    }
    let end = tape.next(after: value) - 1
    var (element, index) = (value + 1, 0)
    while element < end {
      do throws(FerryError) {
        try writing.links.add(
          try object(at: element, of: tape, name, entity), to: owner, index: index, slotSide)
      } catch {
        throw error.placed(path: ValuePath([.index(index)]))
      }
      element = tape.next(after: element)
      index += 1
    }
  }
}
