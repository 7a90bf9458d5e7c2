/// A converter of whole records in a format with keys, by a compiled schema.
///
/// It takes the records that are usual from a batch of events. All others are left to the record mapper.
struct EventRecords: ~Copyable {
  private let schema: CompiledSchema
  /// The names of the fields in UTF-8, one after the other, and the range of each.
  private let names: [UInt8]
  private let ranges: [Range<Int>]
  /// The converted records. The offset of a record is the index of its first event.
  private(set) var records: ConvertedRecords
  /// True for each field that is an attribute and has to precede those that are elements. Empty if fields may have any order.
  private let attributes: [Bool]
  /// The number of the record in which each field occurred last.
  private var lastSeen: [Int]
  private var recordNumber = 0

  /// Creates a converter.
  init(_ schema: CompiledSchema) {
    self.schema = schema
    var (names, ranges) = ([UInt8](), [Range<Int>]())
    for field in schema.fields {
      ranges.append(names.count..<names.count + field.name.utf8.count)
      names += field.name.utf8
    }
    (self.names, self.ranges) = (names, ranges)
    attributes = schema.target.putsAttributesFirst ? schema.fields.map(\.isAttribute) : []
    records = ConvertedRecords(schema)
    lastSeen = Array(repeating: 0, count: schema.fields.count)
  }

  /// Converts consecutive usual records, the first of which begins at an index. Returns the index after the last of them,
  /// or the given index if the first record is not usual.
  mutating func take(from first: Int, of events: borrowing EventBatch) -> Int {
    records.removeAll()
    var index = first
    while index < events.count, events.kind(index) == .beginDictionary {
      let mark = records.beginRecord(atEvent: index)
      guard let next = append(record: 0, at: index, of: events) else {
        records.reset(to: mark)
        break
      }
      records.endRecord()
      index = next
    }
    return index
  }

  // MARK: Values

  /// Appends the record that begins at an index, and returns the index after its end. Returns nil if it is not usual.
  private mutating func append(record: Int, at start: Int, of events: borrowing EventBatch) -> Int? {
    recordNumber += 1
    let number = recordNumber
    var missing = schema.records[record].expectedCount
    var likely = schema.records[record].fields.lowerBound
    var (lastAttribute, hasElements) = (-1, false)
    records.begin(.beginDictionary)
    var index = start + 1
    while index < events.count {
      guard events.kind(index) == .key else {
        guard events.kind(index) == .endDictionary, missing == 0 else { return nil }
        records.end(.endDictionary)
        return index + 1
      }
      guard let field = field(events.text(index), of: record, likely: likely), lastSeen[field] != number
      else {
        return nil
      }
      lastSeen[field] = number
      likely = field + 1
      if !attributes.isEmpty {
        if attributes[field] {
          // A record with its attributes in another order is sent in that of the schema.
          guard !hasElements, field > lastAttribute else { return nil }
          lastAttribute = field
        } else {
          hasElements = true
        }
      }
      if schema.fields[field].isExpected { missing -= 1 }
      records.key(of: field)
      guard index + 1 < events.count,
        let end = append(schema.fields[field].content, at: index + 1, of: events)
      else { return nil }
      index = end
    }
    return nil
  }

  /// Returns the field with a name, or nil if no field has it. The field at `likely` is compared first.
  private func field(_ key: borrowing BorrowedText, of record: Int, likely: Int) -> Int? {
    let fields = schema.records[record].fields
    if likely < fields.upperBound, isName(key, of: likely) { return likely }
    for field in fields where isName(key, of: field) { return field }
    return nil
  }

  private func isName(_ key: borrowing BorrowedText, of field: Int) -> Bool {
    key.utf8.equals(names.span.extracting(ranges[field]))
  }

  /// Appends the value that begins at an index, and returns the index after its end.
  private mutating func append(
    _ content: CompiledSchema.Content, at start: Int, of events: borrowing EventBatch
  ) -> Int? {
    switch content {
    case .scalar(let type): return records.append(type, events, start) ? start + 1 : nil
    case .record(let record):
      guard events.kind(start) == .beginDictionary else { return nil }
      return append(record: record, at: start, of: events)
    case .list(let list):
      guard events.kind(start) == .beginArray else { return nil }
      records.begin(.beginArray)
      var index = start + 1
      while index < events.count, events.kind(index) != .endArray {
        guard let end = append(schema.lists[list].content, at: index, of: events) else { return nil }
        index = end
      }
      guard index < events.count else { return nil }
      records.end(.endArray)
      return index + 1
    }
  }
}
