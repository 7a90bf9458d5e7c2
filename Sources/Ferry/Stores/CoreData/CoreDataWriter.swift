/// A writer of records as objects of an existing Core Data store: the inverse of `StoreSource`.
///
///     {"Group": [{"objectID": "Group/p1", …}], "Person": […]}     objects of several entities
///     [{"firstName": "Ada"}, …]                                   objects of the requested entity
///
/// Only one record is buffered at a time. The change history, and tables that belong to no entity, stay
/// unchanged.
final class CoreDataWriter: InterceptingSink {
  private enum State {
    case top
    /// In the dictionary of the lists of records.
    case store
    /// After a key that names an entity.
    case entity
    case list
    case done
  }

  private let database: any SQLiteStore
  private let writing: CoreDataWriting
  /// The buffer of the current record.
  private let tapeSink = TapeSink()
  /// The entity of all records, or nil if the keys of the outermost dictionary name the entities.
  private let entity: CoreDataStore.Entity?
  private var state = State.top
  private var writers: [Int64: CoreDataEntityWriter] = [:]
  /// The writer of the current list, or nil if its records are left out.
  private var writer: CoreDataEntityWriter?
  private var isInList = false
  /// The error of a record that could not be written. It prevents writing the database, even if `keepsGoing`
  /// leaves out records that do not conform to a schema.
  private var refused: FerryError?

  init(
    to database: any SQLiteStore, _ writing: CoreDataWriting, entity: CoreDataStore.Entity?
  ) {
    (self.database, self.writing, self.entity) = (database, writing, entity)
    super.init(to: tapeSink)
  }

  override func finish() throws(FerryError) {
    if let refused { throw refused }
    try writing.finish()
    try database.finish()
  }

  // MARK: Records

  /// Throws if a value is not part of a record.
  override func willSend() throws(FerryError) {
    guard isBetweenRecords else { return }
    switch state {
    case .list: throw FerryError(.database(.notARow(found: "something else")))
    default: throw FerryError(.database(.notObjects))
    }
  }

  private var isBetweenRecords: Bool { tapeSink.tape.count == 0 }

  private func beginRecord() throws(FerryError) { try tapeSink.beginDictionary(count: nil) }

  private func endRecord() throws(FerryError) {
    defer { tapeSink.removeAll() }
    guard let writer else { return }
    writing.steps = isKeyed ? [.key(writer.entity.name)] : []
    if isInList { writing.steps.append(.index(writer.count)) }
    do throws(FerryError) {
      try writer.write(tapeSink.tape)
    } catch {
      refused = error
      var error = error
      if !writing.isMapped { error.path.steps.insert(contentsOf: writing.steps, at: 0) }
      throw error
    }
  }

  private func begin(_ entity: CoreDataStore.Entity) throws(FerryError) {
    if let known = writers[entity.number] { return writer = known }
    guard let made = try CoreDataEntityWriter(entity, writing) else {
      throw FerryError(.database(.unknownEntity(entity.name, known: writing.store.writtenEntities)))
    }
    writers[entity.number] = made
    writer = made
  }

  /// True if the lists of records are entries with the names of entities.
  private var isKeyed: Bool { writing.links.listsHaveNames }

  private func onlyEntity() throws(FerryError) -> CoreDataStore.Entity {
    let names = writing.store.writtenEntities
    guard names.count == 1, let only = writing.store.writtenEntity(named: names[0]) else {
      throw FerryError(.database(.whichEntity(known: names)))
    }
    return only
  }

  // MARK: Structure

  override func beginArray(count: Int?) throws(FerryError) {
    guard isBetweenRecords else { return try super.beginArray(count: count) }
    switch state {
    case .top:
      if let entity { try begin(entity) } else { try begin(onlyEntity()) }
    case .entity: break
    default: try willSend()
    }
    (state, isInList) = (.list, true)
  }

  override func endArray() throws(FerryError) {
    guard isBetweenRecords else { return try super.endArray() }
    (state, isInList) = (isKeyed ? .store : .done, false)
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    guard isBetweenRecords else { return try super.beginDictionary(count: count) }
    switch state {
    case .top:
      // In XML, the records are in elements with the name of their entity.
      guard let entity, !writing.isText else { return state = .store }
      try begin(entity)
      try beginRecord()
    // XML has no lists, so a list with a single element is read as the element.
    case .list, .entity: try beginRecord()
    case .store, .done: try willSend()
    }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard isBetweenRecords else { return try super.key(text) }
    let name = String(text)
    state = .entity
    writing.links.listsHaveNames = true
    if let found = writing.store.writtenEntity(named: name) { return try begin(found) }
    let isKnown = writing.store.entity(named: name) != nil
    guard isKnown || writing.store.otherTables.contains(where: { $0.name.equals(name) }) else {
      throw FerryError(.database(.unknownEntity(name, known: writing.store.writtenEntities)))
    }
    writing.losses.add(.storeTables, path: ValuePath([.key(name)]))
    writer = nil
  }

  override func endDictionary() throws(FerryError) {
    guard !isBetweenRecords else { return state = .done }
    try super.endDictionary()
    guard tapeSink.tape.isBalanced else { return }
    try endRecord()
    if !isInList { state = isKeyed ? .store : .done }
  }
}

extension CoreDataStore {
  /// The names of the entities whose objects can be written.
  var writtenEntities: [String] { entities.filter { !isHistory($0) }.map(\.name) }

  /// Returns the entity with a name if its objects can be written.
  func writtenEntity(named name: String) -> Entity? {
    entity(named: name).flatMap { isHistory($0) ? nil : $0 }
  }
}
