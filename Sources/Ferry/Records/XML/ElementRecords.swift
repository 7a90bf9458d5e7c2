/// A converter of whole records in XML, by a compiled schema.
///
/// It takes the records that are usual from a batch of events. All others are left to the delegates of a document.
struct ElementRecords: ~Copyable {
  /// The use of a name as the child of a record or list, or as an attribute of a record.
  private enum NameUse {
    /// Not looked up yet.
    case unknown
    /// A name that the schema does not declare as the newest one of a field.
    case unusual
    case field(Int)
    /// The name of a record, or of an element in a list.
    case element
  }

  /// A field, if its value is a text, an integer or a boolean.
  private struct SimpleField {
    /// The type, or nil for any other field.
    var type: CompiledSchema.Scalar?
    var isExpected: Bool

    init(_ field: CompiledSchema.Field) {
      isExpected = field.isExpected
      guard case .scalar(let type) = field.content else { return }
      switch type {
      case .string, .integer, .boolean: self.type = type
      case .real, .decimal, .date, .data, .url, .uuid: break
      }
    }
  }

  private let schema: CompiledSchema
  /// The names in a schema with namespaces; nil for local names.
  private let names: SchemaNames?
  /// The converted records.
  private(set) var records: ConvertedRecords
  /// The uses of names as child elements and as attributes, by the number of the name, for each record and then each list.
  private var children: [NameUse] = []
  private var attributes: [NameUse] = []
  /// The number of names in these lists.
  private var nameCount = 0
  /// The number of the table of these names.
  private var knownTable = 0
  /// The number of the record in which each field occurred last.
  private var lastSeen: [Int]
  /// The facts about each field that a loop over elements needs.
  private let simpleFields: [SimpleField]
  private var recordNumber = 0

  /// Creates a converter.
  init(_ schema: CompiledSchema, names: SchemaNames?) {
    (self.schema, self.names) = (schema, names)
    records = ConvertedRecords(schema)
    lastSeen = Array(repeating: 0, count: schema.fields.count)
    simpleFields = schema.fields.map { SimpleField($0) }
  }

  /// Converts consecutive usual records with only layout between them, the first of which starts at an index. Returns the
  /// index after the last of them, or the given index if the first record is not usual.
  mutating func take(from first: Int, of events: borrowing ElementBatch) -> Int {
    records.removeAll()
    var (end, index) = (first, first)
    while index < events.count {
      if events[index].kind == .text, events[index].isBlank {
        index += 1
        continue
      }
      guard events[index].kind == .start, let next = add(recordAt: index, firstEvent: index, of: events)
      else { break }
      (end, index) = (next, next)
    }
    return end
  }

  /// Converts the element that starts at an index, and adds it to the records, if it is a usual record. Returns the index after its end,
  /// or nil if it is not usual.
  ///
  /// - Parameter firstEvent: The index by which an error names the record.
  mutating func add(recordAt index: Int, firstEvent: Int, of events: borrowing ElementBatch) -> Int? {
    if events.table != knownTable { forgetNames(of: events) }
    let mark = records.beginRecord(atEvent: firstEvent)
    guard isRecord(events[index], events), let end = append(record: 0, at: index, of: events) else {
      records.reset(to: mark)
      return nil
    }
    records.endRecord()
    return end
  }

  /// True if there are no converted records.
  var isEmpty: Bool { records.firstEvents.isEmpty }

  /// Removes the converted records.
  mutating func removeAll() { records.removeAll() }

  /// Sends the converted records, which are in order, to a mapper.
  func send(of events: borrowing ElementBatch, to mapper: RecordMapper) throws(EventFailure) {
    try records.send(input: events.input) { batch throws(EventFailure) in
      try mapper.receive(converted: batch, firstEvents: records.firstEvents)
    }
  }

  // MARK: Values

  /// Appends the record whose element starts at an index, and returns the index after its end. Returns nil if it is not usual.
  private mutating func append(record: Int, at start: Int, of events: borrowing ElementBatch) -> Int? {
    recordNumber += 1
    let number = recordNumber
    var missing = schema.records[record].expectedCount
    var hasChildren = false
    records.begin(.beginDictionary)
    var index = start + 1
    while index < events.count {
      let entry = events[index]
      switch entry.kind {
      case .attribute:
        guard let field = field(ofAttribute: entry, of: record, events), note(field, number, &missing),
          case .scalar(let type) = schema.fields[field].content, append(type, entry, events)
        else { return nil }
        index += 1
      case .start:
        let end = appendSimpleFields(of: record, at: index, of: events, number, &missing)
        if end > index {
          (hasChildren, index) = (true, end)
          continue
        }
        guard let field = field(ofElement: entry, of: record, events), note(field, number, &missing) else {
          return nil
        }
        hasChildren = true
        if case .scalar(let type) = schema.fields[field].content, events.hasOnlyText(at: index) {
          guard append(type, events[index + 1], events) else { return nil }
          index += 3
        } else {
          guard let end = append(schema.fields[field].content, at: index, of: events) else { return nil }
          index = end
        }
      case .text:
        if let field = schema.records[record].textField, !hasChildren {
          guard index + 1 < events.count, events[index + 1].kind == .end, note(field, number, &missing),
            case .scalar(let type) = schema.fields[field].content, append(type, entry, events)
          else { return nil }
        } else if !entry.isBlank {
          return nil
        }
        index += 1
      case .end:
        // A required text that is empty is not usual either.
        guard missing == 0 else { return nil }
        records.end(.endDictionary)
        return index + 1
      case .declaration, .cdata, .comment, .instruction: return nil
      }
    }
    return nil
  }

  /// Appends the fields of the elements from an index on, as long as each has only text and is a known field that has not occurred before, with
  /// a usual text, integer or boolean. Skips the white space between them. Returns the index after the last one.
  ///
  /// Records mostly consist of such fields, so they are appended in a loop, without the calls and checks for other ones.
  private mutating func appendSimpleFields(
    of record: Int, at start: Int, of events: borrowing ElementBatch, _ number: Int, _ missing: inout Int
  ) -> Int {
    guard events.hasOnlyText(at: start) else { return start }
    // Lists that are not properties, because each access to a property of `self` would be checked.
    var seen: [Int] = []
    swap(&seen, &lastSeen)
    defer { swap(&seen, &lastSeen) }
    let (fields, children, nameCount, firstUse) = (simpleFields, children, nameCount, record * nameCount)
    var (index, end) = (start, start)
    records.appendFields { output in
      while events.hasOnlyText(at: index), events[index].name < nameCount,
        case .field(let field) = children[firstUse &+ Int(events[index].name)], seen[field] != number,
        let type = fields[field].type, output.append(field, type, events[index &+ 1], events)
      {
        seen[field] = number
        if fields[field].isExpected { missing -= 1 }
        end = index &+ 3
        index = end < events.count && events[end].isBlank ? end &+ 1 : end
      }
    }
    return end
  }

  /// Notes that a field occurs in a record, and appends its key. Returns false if the field has occurred before.
  private mutating func note(_ field: Int, _ record: Int, _ missing: inout Int) -> Bool {
    guard lastSeen[field] != record else { return false }
    lastSeen[field] = record
    if schema.fields[field].isExpected { missing -= 1 }
    records.key(of: field)
    return true
  }

  /// Appends the value of the element that starts at an index, and returns the index after its end.
  private mutating func append(
    _ content: CompiledSchema.Content, at start: Int, of events: borrowing ElementBatch
  ) -> Int? {
    switch content {
    case .scalar(let type):
      guard start + 1 < events.count else { return nil }
      if events[start + 1].kind == .end {
        let empty = BorrowedText(checked: Span(), isASCII: true)
        return records.append(type, text: empty, from: nil, isPlain: true) ? start + 2 : nil
      }
      guard events.hasOnlyText(at: start), append(type, events[start + 1], events) else { return nil }
      return start + 3
    case .record(let record): return append(record: record, at: start, of: events)
    case .list(let list): return append(list: list, at: start, of: events)
    }
  }

  private mutating func append(
    _ type: CompiledSchema.Scalar, _ entry: ElementBatch.Entry, _ events: borrowing ElementBatch
  ) -> Bool {
    records.append(
      type, text: events.text(entry), from: entry.isCopied ? nil : entry.start, isPlain: entry.isPlain)
  }

  private mutating func append(list: Int, at start: Int, of events: borrowing ElementBatch) -> Int? {
    records.begin(.beginArray)
    var index = start + 1
    while index < events.count {
      let entry = events[index]
      switch entry.kind {
      case .start:
        guard isElement(entry, of: list, events),
          let end = append(schema.lists[list].content, at: index, of: events)
        else { return nil }
        index = end
      case .text where entry.isBlank: index += 1
      case .end:
        records.end(.endArray)
        return index + 1
      default: return nil
      }
    }
    return nil
  }

  // MARK: Names

  private mutating func forgetNames(of events: borrowing ElementBatch) {
    knownTable = events.table
    // The number of names may grow with each batch.
    nameCount = 2 * events.nameCount
    let count = nameCount * (schema.records.count + schema.lists.count + 1)
    children = Array(repeating: .unknown, count: count)
    attributes = Array(repeating: .unknown, count: nameCount * schema.records.count)
  }

  /// Returns the field that has an element, or nil if it is not usual.
  private mutating func field(
    ofElement entry: ElementBatch.Entry, of record: Int, _ events: borrowing ElementBatch
  ) -> Int? {
    if entry.name >= nameCount { forgetNames(of: events) }
    let useIndex = record * nameCount + Int(entry.name)
    if case .unknown = children[useIndex] {
      let name = events.name(entry)
      let field =
        if let names {
          self.field(ofElement: names.element(name), of: record)
        } else {
          name.nameWithEscapedPrefix.flatMap { self.field(ofElement: $0, of: record) }
            ?? self.field(ofElement: name.local, of: record)
        }
      children[useIndex] = field.map { .field($0) } ?? .unusual
    }
    if case .field(let field) = children[useIndex] { return field }
    return nil
  }

  /// Returns the field that has an element with a name, or nil if there is none.
  private func field(ofElement name: String, of record: Int) -> Int? {
    schema.records[record].fields.first { field in
      if case .element(let element) = schema.fields[field].xml { element.equals(name) } else { false }
    }
  }

  /// Returns the field that has an attribute, or nil if it is not usual.
  private mutating func field(
    ofAttribute entry: ElementBatch.Entry, of record: Int, _ events: borrowing ElementBatch
  ) -> Int? {
    if entry.name >= nameCount { forgetNames(of: events) }
    let useIndex = record * nameCount + Int(entry.name)
    if case .unknown = attributes[useIndex] {
      let name = events.name(entry)
      let known = name.prefix == nil ? name.local : names?.attribute(name)
      let field = schema.records[record].fields.first { field in
        if case .attribute(let attribute) = schema.fields[field].xml {
          known.equals(attribute)
        } else {
          false
        }
      }
      attributes[useIndex] = field.map { .field($0) } ?? .unusual
    }
    if case .field(let field) = attributes[useIndex] { return field }
    return nil
  }

  /// Returns true if an element is a record of the collection.
  private mutating func isRecord(_ entry: ElementBatch.Entry, _ events: borrowing ElementBatch) -> Bool {
    isNamed(
      schema.records[0].element, entry, owner: schema.records.count + schema.lists.count, events)
  }

  private mutating func isElement(
    _ entry: ElementBatch.Entry, of list: Int, _ events: borrowing ElementBatch
  ) -> Bool {
    isNamed(schema.lists[list].element, entry, owner: schema.records.count + list, events)
  }

  private mutating func isNamed(
    _ name: String, _ entry: ElementBatch.Entry, owner: Int, _ events: borrowing ElementBatch
  ) -> Bool {
    if entry.name >= nameCount { forgetNames(of: events) }
    let useIndex = owner * nameCount + Int(entry.name)
    if case .unknown = children[useIndex] {
      let found = events.name(entry)
      let known = names?.element(found) ?? found.local
      children[useIndex] = known.equals(name) ? .element : .unusual
    }
    if case .element = children[useIndex] { return true }
    return false
  }
}
