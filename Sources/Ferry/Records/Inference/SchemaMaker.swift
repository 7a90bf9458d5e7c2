/// A maker of a schema from the shapes of documents.
struct SchemaMaker {
  /// The table in which dictionaries are joined. It is a copy of the table with the shapes.
  var table: ShapeTable
  let document: ShapeID
  /// The dialect of the documents.
  let dialect: RecordDialect
  /// True if the records are written to a database, whose integers have 64 bits with a sign.
  let isForDatabase: Bool
  var decisions: [InferredSchema.Decision] = []
  var notes: [Note] = []
  /// The records that contain the one that is made, from the outermost one.
  var enclosing: [(shape: ShapeID, element: String)] = []
  /// The records that contain themselves, by element.
  var recurring: [ExactString: ShapeID] = [:]
  /// The shapes whose types are being made, which contain the one that is made.
  var open: Set<ShapeID> = []
  /// The number of types of records that have been made. Records that contain each other have one for each path to them.
  var recordTypeCount = 0
  /// The names of the fields from the record to the one that is made.
  var path: [String] = []

  init(_ table: ShapeTable, of document: ShapeID, dialect: RecordDialect, isForDatabase: Bool = false) {
    (self.table, self.document, self.dialect) = (table, document, dialect)
    self.isForDatabase = isForDatabase
  }

  /// The names of a schema to make.
  struct Names {
    /// The name of the schema and of its records, or nil to derive it.
    var record: String?
    /// The name of the documents, without an extension: `people`. A table has that of the database.
    var document: String?
    /// True if the records are selected elements, which are not in a collection.
    var areSelected = false
  }

  /// Makes the schema.
  ///
  /// - Throws: A `FerryError` with the reason `RecordProblem.noRecords` if the documents have no records.
  mutating func schema(_ names: Names) throws(FerryError) -> InferredSchema {
    var outermost = Path()
    try joinRecurring(in: document, &outermost)
    let namespaces = dialect.hasElements ? table.nameEntries() : []
    let found = dialect.hasElements ? try foundInElements(names) : try foundInValues(names)
    let record = try recordType(table.resolved(found.record), element: found.element)
    guard !record.fields.isEmpty else {
      let shape = table[found.record]
      let what = shape.hasOnlyEmptyKey ? "records whose only key is empty" : "records without fields"
      throw FerryError(.record(.noRecords(found: shape.values != nil ? Self.tooManyKeys : what)))
    }
    let schema = Schema(
      name: names.record ?? found.element.withoutPrefix, collectionElement: found.collection,
      collectionKey: found.key, record: record, namespaces: namespaces)
    return InferredSchema(
      schema: schema, recordCount: recordCount(found.record), decisions: decisions, notes: notes)
  }

  private func recordCount(_ shape: ShapeID) -> Int {
    table[shape].isElement ? table[shape].count : table[shape].dictionaries
  }

  /// The records of the documents, and the names around them.
  private struct Found {
    let record: ShapeID
    let element: String
    let collection: String
    var key: String?
  }

  /// Finds the records of XML: the children of the root element if they all have one name, or else the root element.
  private mutating func foundInElements(_ names: Names) throws(FerryError) -> Found {
    let roots = table[document].entries
    guard roots.count <= 1 || names.areSelected else {
      throw FerryError(.record(.severalRecords(roots.map { "<\($0.key)>" })))
    }
    guard let root = roots.first else { throw FerryError(.record(.noRecords(found: "no elements"))) }
    if names.areSelected, roots.count > 1 {
      throw FerryError(.record(.severalRecords(roots.map { "<\($0.key)>" })))
    }
    let shape = table[root.shape]
    if !names.areSelected, let only = onlyChild(of: shape),
      only.mostInOne > 1 || root.key.withoutPrefix.isPlural(of: only.key.withoutPrefix),
      table[only.shape].dictionaries > 0,
      !table[only.shape].isMixed
    {
      return Found(record: only.shape, element: only.elementName, collection: root.elementName)
    }
    if !names.areSelected { noteLargestList(in: shape) }
    guard shape.dictionaries > 0 else { throw FerryError(.record(.noRecords(found: "only text"))) }
    return Found(record: root.shape, element: root.elementName, collection: "\(root.elementName)s")
  }

  /// Returns the entry of an element whose children all have one name, and that has neither text nor attributes of its own.
  func onlyChild(of shape: ValueShape) -> ValueShape.Entry? {
    guard !shape.isMixed, shape.scalars.count == shape.scalars.blankTexts else { return nil }
    let entries = shape.entries.filter { !Self.schemaAttributes.contains(exactly: $0.key) }
    guard entries.count == 1, table[entries[0].shape].isElement else { return nil }
    return entries[0]
  }

  /// The attributes of a root element that name its schema, and are not data.
  private static let schemaAttributes = ["@schemaLocation", "@noNamespaceSchemaLocation"]

  /// Adds a note on the elements that a user may expect as records, if the whole document is one record.
  private mutating func noteLargestList(in shape: ValueShape) {
    let lists = shape.entries.filter { $0.mostInOne > 1 && table[$0.shape].dictionaries > 0 }
    guard let list = lists.max(by: { table[$0.shape].count < table[$1.shape].count }) else { return }
    notes.append(.oneRecord(element: shape.name, list: list.key))
  }

  /// Finds the records of values: the elements of a list, also of the only one in a dictionary, or the document.
  private mutating func foundInValues(_ names: Names) throws(FerryError) -> Found {
    let shape = table[document]
    let stem = names.document.flatMap(Self.usableName) ?? "record"
    guard shape.scalars.count == 0 else { throw FerryError(.record(.noRecords(found: "a single value"))) }
    guard shape.lists == 0 || shape.dictionaries == 0 else {
      throw FerryError(.record(.noRecords(found: "lists and dictionaries")))
    }
    if let items = shape.items {
      try checkRecords(items)
      return found(items, collection: stem, names)
    }
    guard shape.dictionaries > 0 else { throw FerryError(.record(.noRecords(found: "an empty list"))) }
    if shape.values != nil
      || hasFreeKeys(document) && shape.entries.allSatisfy({ table[$0.shape].dictionaries > 0 })
    {
      throw FerryError(.record(.onlyKeyedRecords))
    }
    if shape.entries.count == 1, shape.values == nil, let entry = shape.entries.first,
      let items = onlyRecords(in: entry.shape)
    {
      var found = found(items, collection: Self.usableName(entry.key) ?? "records", names)
      found.key = entry.key
      return found
    }
    try checkClass(document)
    let name = names.record.map(Self.xmlName) ?? className(of: document) ?? stem
    return Found(record: document, element: name, collection: "\(name)s")
  }

  private func found(_ items: ShapeID, collection: String, _ names: Names) -> Found {
    let singular = collection.singular
    let element =
      names.record.map(Self.xmlName) ?? className(of: items) ?? singular ?? collection
    return Found(
      record: items, element: element, collection: element.equals(collection) ? "\(element)s" : collection)
  }

  /// Returns the shape of the elements of a list if they are records.
  private func onlyRecords(in list: ShapeID) -> ShapeID? {
    let shape = table[list]
    guard shape.lists > 0, shape.dictionaries == 0, shape.scalars.count == 0, let items = shape.items,
      table[items].dictionaries > 0, table[items].lists == 0, table[items].scalars.count == 0,
      !hasSeveralClasses(table[items])
    else { return nil }
    return items
  }

  /// The contents of a document whose records have too many keys.
  private static let tooManyKeys =
    "more than \(ShapeTable.mostFields) different keys (\(ShapeTable.mostKeys) if most values are lists or dictionaries)"

  private func checkRecords(_ items: ShapeID) throws(FerryError) {
    let shape = table[items]
    let others = shape.lists > 0 ? "lists" : shape.scalars.count > 0 ? "single values" : "nulls"
    guard shape.dictionaries > 0, shape.lists == 0, shape.scalars.count == 0, shape.nulls == 0 else {
      throw FerryError(.record(.noRecords(found: "a list of \(others)")))
    }
    guard shape.values == nil else { throw FerryError(.record(.noRecords(found: Self.tooManyKeys))) }
    guard !shape.entries.isEmpty else {
      throw FerryError(.record(.noRecords(found: "a list of empty dictionaries")))
    }
    try checkClass(items)
  }

  /// Returns the name of records of a class: `person` for `MyApp.Person`.
  func className(of shape: ShapeID) -> String? {
    guard let name = commonClass(of: table[shape])?.name.split(separator: ".").last else { return nil }
    return Self.xmlName(name.prefix(1).lowercased() + name.dropFirst())
  }

  /// Returns the class whose records may be all objects of a shape: `Person` for objects of `Person` and `MyApp.Person`. Returns nil if the
  /// objects have no class, or several.
  func commonClass(of shape: ValueShape) -> ObjectClass? {
    shape.classes.first { candidate in
      let type = RecordType(element: "record", className: candidate.name, fields: [])
      return shape.classes.allSatisfy { type.accepts(className: $0.name) }
    }
  }

  /// True if the objects of a shape have several classes, so that one type of record does not describe them.
  func hasSeveralClasses(_ shape: ValueShape) -> Bool {
    !shape.classes.isEmpty && commonClass(of: shape) == nil
  }

  /// Throws if the records have several classes.
  private func checkClass(_ records: ShapeID) throws(FerryError) {
    let classes = table[records].classes
    guard hasSeveralClasses(table[records]) else { return }
    let names = classes.prefix(8).map(\.name)
    throw FerryError(.record(.severalRecords(names + (classes.count > names.count ? ["…"] : []))))
  }

  static func xmlName(_ text: String) -> String { XMLKeyName.elementName(for: text) }

  /// Returns a text that is a name of an element without escapes, or nil for another text.
  static func usableName(_ text: String) -> String? { xmlName(text).equals(text) ? text : nil }
}
