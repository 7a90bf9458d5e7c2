extension SchemaMaker {
  /// Makes the type of the records at a path.
  mutating func recordType(_ shape: ShapeID, element: String) throws(FerryError) -> RecordType {
    recordTypeCount += 1
    guard recordTypeCount <= table.limit else { throw FerryError(.overBudget(.names(table.limit))) }
    enclosing.append((shape, element))
    defer { enclosing.removeLast() }
    try joinTexts(of: shape)
    let found = table[shape]
    let hasElements = hasElements(in: found)
    var fields: [RecordField] = []
    var names: Set<ExactString> = []
    for entry in found.entries {
      let name = name(of: entry, in: found)
      // Text beside elements is read by convention.
      if entry.key.equals("#text"), hasElements, found.isElement {
        add(.textBesideElements(of: element))
        continue
      }
      guard !entry.key.isEmpty, names.insert(ExactString(name)).inserted else { continue }
      fields.append(try field(name, entry, of: found))
    }
    if !fields.isEmpty, found.entries.contains(where: \.key.isEmpty) { add(.emptyKey(of: element)) }
    var type = RecordType(element: element, className: element.withoutPrefix, fields: fields)
    if let known = commonClass(of: found) {
      type.className = known.name
      type.superclasses = Array(known.chain.drop { $0.equals(known.name) })
      if type.superclasses.isEmpty { type.superclasses = ["NSObject"] }
    }
    return type
  }

  private mutating func add(_ note: Note) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Returns true if the elements at a path have child elements.
  private func hasElements(in shape: ValueShape) -> Bool {
    shape.entries.contains { table[$0.shape].isElement }
  }

  /// Moves the texts of elements without attributes and child elements to `#text`, if other elements at the path have
  /// attributes or child elements. White space alone is text if no element at the path has child elements, around which it is layout.
  private mutating func joinTexts(of id: ShapeID) throws(FerryError) {
    let shape = table[id]
    let texts = shape.scalars.count - shape.scalars.blankTexts
    let hasText = texts > 0 || shape.index(of: "#text") != nil
    guard shape.isElement, hasText || shape.blankTexts > 0 && !hasElements(in: shape) else { return }
    guard let index = try table.entry("#text".utf8.span, of: id, likely: 0) else { return }
    let text = table[id].entries[index].shape
    var entry = ValueShape.Entry(key: "#text", shape: text)
    entry.records = hasText ? texts : shape.blankTexts
    table[id].addToEntry(index, entry)
    if texts > 0 { table[text].scalars.add(shape.scalars) }
    // White space is text, too, if other elements have some.
    if shape.blankTexts > 0 { table[text].scalars.add(text: BorrowedText(" ".utf8.span), readsTypes: .types) }
  }

  /// Returns the name of the field for an entry: the key, or the name of an attribute unless an element has it.
  private func name(of entry: ValueShape.Entry, in shape: ValueShape) -> String {
    guard shape.isElement else { return entry.key }
    let isFree = { (name: String) in shape.index(of: name) == nil }
    if entry.key.equals("#text") {
      return ["value", "text"].first { isFree($0) && isFree("@\($0)") } ?? entry.key
    }
    guard entry.key.begins(with: "@") else { return Self.key(of: entry.key) }
    let name = entry.key.droppingFirst()
    return isFree(name) && !name.isEmpty ? Self.key(of: name) : entry.key
  }

  /// Returns the key for the name of an element or attribute.
  private static func key(of name: String) -> String {
    String(decoding: XMLKeyName.key(for: name.utf8.span), as: UTF8.self)
  }

  private mutating func field(
    _ name: String, _ entry: ValueShape.Entry, of owner: ValueShape
  ) throws(FerryError) -> RecordField {
    path.append(name)
    defer { path.removeLast() }
    let id = table.resolved(entry.shape)
    let index = decisions.count
    let isRepeated = owner.isElement && entry.mostInOne > 1
    var (type, location) = (FieldType.any, XMLLocation.element(Self.xmlName(name)))
    if owner.isElement {
      location = Self.location(of: entry)
      if entry.key.begins(with: "@") || entry.key.equals("#text") {
        type = scalarType(of: table[id], named: name)
      } else if isRepeated {
        path.append("[]")
        defer { path.removeLast() }
        let element = entry.elementName
        (type, location) = (.list(try self.type(of: id, named: element), element: element), .items)
      } else {
        type = try self.type(of: id, named: entry.elementName)
      }
    } else {
      type = try self.type(of: id, named: name)
    }
    var field = RecordField(name, type, xml: location)
    field.isOptional = !owner.isRequired(entry) && !isRepeated || table[id].nulls > 0
    // An element without text has the empty text, so the text need not be optional unless it is only white space.
    let isSpace = table[id].scalars.count == table[id].scalars.blankTexts
    if location == .text, type.hasEmptyText, !isSpace { field.isOptional = false }
    decide(field, entry, of: owner, at: index)
    return field
  }

  private static func location(of entry: ValueShape.Entry) -> XMLLocation {
    if entry.key.equals("#text") { return .text }
    return entry.key.begins(with: "@")
      ? .attribute(entry.xmlName ?? entry.key.droppingFirst()) : .element(entry.elementName)
  }

  /// Adds the decision about a field before those about the fields inside it.
  private mutating func decide(
    _ field: RecordField, _ entry: ValueShape.Entry, of owner: ValueShape, at index: Int
  ) {
    let shape = table[entry.shape]
    var scalars = shape.scalars
    if case .list = field.type {
      if let items = shape.items { scalars = table[items].scalars }
      if shape.isElement, field.xml != .items, let only = onlyChild(of: shape) {
        scalars = table[only.shape].scalars
      }
    }
    let decision = InferredSchema.Decision(
      path: path, xml: field.xml.notation, type: field.type.summary, isOptional: field.isOptional,
      present: max(entry.records - shape.nulls, 0), total: owner.isElement ? owner.count : owner.dictionaries,
      examples: field.type.record == nil ? scalars.examples : [],
      reason: reason(for: field.type, shape, scalars))
    decisions.insert(decision, at: index)
  }

  private func reason(for type: FieldType, _ shape: ValueShape, _ scalars: ScalarSurvey) -> String? {
    if type == .string, scalars.mayBeVersions { return "text, because versions are not numbers" }
    guard type == .any else { return scalars.reason }
    if shape.isMixed { return "any, because text is beside elements" }
    if shape.nulls == shape.count { return "any, because every value is null" }
    if shape.hasOnlyEmptyKey { return "any, because the only key is empty" }
    return shape.isElement || shape.count == 0 ? nil : "any, because the values have different types"
  }

  /// Returns the type of scalars, or any if they have different types. The versions of a text format are text. A database holds integers of more
  /// than 63 bits as decimals, which are text.
  private func scalarType(of shape: ValueShape, named name: String) -> FieldType {
    if dialect.scalarsAreText, shape.scalars.mayBeVersions, name.lowercased().hasSuffix("version") {
      return .string
    }
    let type = shape.scalars.type ?? .any
    return type == .integer && isForDatabase && shape.scalars.hasUnsignedInteger ? .decimal : type
  }

  /// Returns the type of the values at a path.
  private mutating func type(of id: ShapeID, named name: String) throws(FerryError) -> FieldType {
    let id = table.resolved(id)
    let isAgain = !open.insert(id).inserted
    defer { if !isAgain { open.remove(id) } }
    // A type can refer to a record around it, but not to a list or a dictionary.
    if isAgain, !enclosing.contains(where: { $0.shape == id }) { return .any }
    let shape = table[id]
    if shape.isElement { return try elementType(of: id, named: name) }
    switch (shape.scalars.count > 0, shape.lists > 0, shape.dictionaries > 0) {
    case (true, false, false) where shape.hasReferences: return .any
    case (true, false, false): return scalarType(of: shape, named: name)
    case (false, true, false): return try listType(of: shape, named: name)
    case (false, false, true): return try dictionaryType(of: id, named: name)
    // In a format without types, values that are all missing are missing texts.
    case (false, false, false) where dialect.scalarsAreText: return .string
    default: return .any
    }
  }

  private mutating func listType(of shape: ValueShape, named name: String) throws(FerryError) -> FieldType {
    let element = Self.xmlName(name).singular ?? "item"
    guard let items = shape.items else { return .list(.any, element: element) }
    // A list keeps nulls only among values of any type.
    guard table[items].nulls == 0 else { return .list(.any, element: element) }
    path.append("[]")
    defer { path.removeLast() }
    let type = try type(of: items, named: element)
    if case .record(let record) = type { return .list(type, element: record.element) }
    return .list(type, element: element)
  }

  private mutating func dictionaryType(of id: ShapeID, named name: String) throws(FerryError) -> FieldType {
    if let outer = enclosing.first(where: { $0.shape == id }) { return typeAgain(outer) }
    if hasFreeKeys(id) || table[id].values == nil && table[id].entries.count > ShapeTable.mostKeys {
      try table.joinValues(of: id)
    }
    let shape = table[id]
    guard let values = shape.values else {
      guard !shape.entries.isEmpty, !hasSeveralClasses(shape) else { return .any }
      let element = className(of: id) ?? Self.xmlName(name)
      let record = try recordType(id, element: unused(element))
      return record.fields.isEmpty ? .any : .record(record)
    }
    guard table[values].nulls == 0 else { return .dictionary(.any) }
    path.append("*")
    defer { path.removeLast() }
    return .dictionary(try type(of: values, named: "value"))
  }

  /// Returns a name for the element of a record that no record around it has, because types refer to these by their
  /// elements.
  private func unused(_ element: String) -> String {
    var candidate = element
    while enclosing.contains(where: { $0.element.equals(candidate) }) { candidate += "_" }
    return candidate
  }

  private mutating func elementType(of id: ShapeID, named name: String) throws(FerryError) -> FieldType {
    let shape = table[id]
    guard shape.dictionaries > 0 else { return scalarType(of: shape, named: name) }
    let hasText = shape.scalars.count > shape.scalars.blankTexts || shape.index(of: "#text") != nil
    // A record with elements has no field for text, so records of its own kind inside it may not have any.
    if shape.isMixed || hasText && hasElements(in: shape) { return .any }
    if let outer = enclosing.first(where: { $0.shape == id }) { return typeAgain(outer) }
    if let only = onlyChild(of: shape),
      only.mostInOne > 1 || name.withoutPrefix.isPlural(of: only.key.withoutPrefix)
    {
      path.append("[]")
      defer { path.removeLast() }
      return .list(try type(of: only.shape, named: only.elementName), element: only.elementName)
    }
    let record = try recordType(id, element: name)
    return record.fields.isEmpty ? .any : .record(record)
  }

  /// Returns the type of a record that contains the field, or any if records of another type with the same element contain
  /// themselves, too.
  private mutating func typeAgain(_ outer: (shape: ShapeID, element: String)) -> FieldType {
    let known = recurring[ExactString(outer.element)] ?? outer.shape
    guard known == outer.shape else { return .any }
    recurring[ExactString(outer.element)] = known
    return .enclosing(outer.element)
  }
}
