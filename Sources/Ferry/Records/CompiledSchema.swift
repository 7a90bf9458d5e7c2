/// A schema compiled for one pair of representations: tables of records, fields and lists, which refer to each other by index.
///
///     {"record": {"element": "person"}, "fields": [                              XML → JSON
///       {"name": "id", "xml": "@id", "type": "integer"},
///       {"name": "phones", "type": "list", "of": "string", "element": "phone"}]}
///
///     records   0  <person>   fields 0..<2, of which 2 are expected
///     fields    0  @id        key "id"        scalar integer
///               1  <phones>   key "phones"    list 0
///     lists     0  <phone>    scalar string
///
/// Records are converted by these tables, without a tape, if they are usual: each field occurs once at most, under its newest
/// name and with a value of its type, and nothing else is in the record. `RecordTranslator` converts all other records. It
/// alone decides on errors, losses, older names and default values.
struct CompiledSchema {
  /// The conversion of a value.
  enum Content {
    case scalar(Scalar)
    /// The index of a record, or of a list.
    case record(Int)
    case list(Int)
  }

  /// The types of scalars.
  enum Scalar: UInt8 {
    case string, integer, real, decimal, boolean, date, data, url, uuid

    /// Creates the type of a field. Returns nil for a record or a list.
    init?(_ type: FieldType) {
      switch type {
      case .string: self = .string
      case .integer: self = .integer
      case .real: self = .real
      case .decimal: self = .decimal
      case .boolean: self = .boolean
      case .date: self = .date
      case .data: self = .data
      case .url: self = .url
      case .uuid: self = .uuid
      case .record, .list, .dictionary, .enclosing, .any: return nil
      }
    }
  }

  struct Record {
    /// The name of its element in XML.
    let element: String
    let fields: Range<Int>
    /// The number of fields without which a record is not usual.
    let expectedCount: Int
    /// The index of the field that is the text of the element in XML, or nil.
    let textField: Int?
  }

  struct Field {
    /// The name in representations with keys.
    let name: String
    let xml: XMLLocation
    fileprivate(set) var content: Content
    /// True if a record is not usual without the field, because it is required or has a default value.
    let isExpected: Bool

    /// True if the field is an attribute in XML. A collection is an element.
    var isAttribute: Bool {
      guard case .attribute = xml, case .scalar = content else { return false }
      return true
    }
  }

  struct List {
    /// The name of each element in XML.
    let element: String
    let content: Content
  }

  let source: RecordDialect
  let target: RecordDialect
  /// The tables. The first record is that of the schema.
  private(set) var records: [Record] = []
  private(set) var fields: [Field] = []
  private(set) var lists: [List] = []

  /// Compiles a type of record. Returns nil if the representations or the type always need a `RecordTranslator`.
  init?(_ type: RecordType, from source: RecordDialect, to target: RecordDialect, options: RecordOptions) {
    guard !source.usesArchiveKeys, !source.nestsAsText, !source.nullIsEmptyText, !target.usesArchiveKeys,
      !target.holdsObjects, !target.encodes, !target.sendsText, !target.nestsAsText
    else { return nil }
    // From texts to elements, each text stays as it is.
    guard target.hasElements ? !source.scalarsAreText : !target.scalarsAreText else { return nil }
    (self.source, self.target) = (source, target)
    guard add(type, options) != nil else { return nil }
  }

  /// Adds a type of record, and returns its index. Returns nil if its fields have versions, or names in common.
  private mutating func add(_ type: RecordType, _ options: RecordOptions) -> Int? {
    guard type.versions == nil, type.hasDistinctNames(amongElements: source.hasElements) else { return nil }
    guard !options.writesOlderKeys || type.fields.allSatisfy({ $0.alsoWritten.isEmpty }) else { return nil }
    let start = fields.count
    let expected = type.fields.filter { $0.isExpected }
    let record = records.count
    records.append(
      Record(
        element: type.element, fields: start..<start + type.fields.count, expectedCount: expected.count,
        textField: type.textField.map { start + $0 }))
    // The fields of a record have consecutive indices, so the fields of nested records come after all of them.
    for field in type.fields {
      fields.append(
        Field(
          name: field.name, xml: field.xml, content: .scalar(.string),
          isExpected: field.isExpected))
    }
    for (index, field) in type.fields.enumerated() {
      guard let content = content(of: field.type, options) else { return nil }
      fields[start + index].content = content
    }
    return record
  }

  private mutating func content(of type: FieldType, _ options: RecordOptions) -> Content? {
    switch type {
    case .record(let record): return add(record, options).map { .record($0) }
    case .list(let items, let element):
      guard let content = content(of: items, options) else { return nil }
      lists.append(List(element: element, content: content))
      return .list(lists.count - 1)
    default: return Scalar(type).map { .scalar($0) }
    }
  }
}

extension RecordField {
  /// True if a record without the field gets an error or a default value.
  fileprivate var isExpected: Bool { isRequired || defaultValue != nil }
}

extension RecordType {
  /// Returns true if no field has a name, or an older name, of another field in any representation.
  ///
  /// - Parameter isInElements: True if the records are read from elements.
  fileprivate func hasDistinctNames(amongElements isInElements: Bool) -> Bool {
    var names: Set<ExactString> = []
    var elements: Set<ExactString> = []
    var attributes: Set<ExactString> = []
    for field in fields {
      guard names.insert(field.name).inserted else { return false }
      switch field.xml {
      case .element(let name): guard elements.insert(name).inserted else { return false }
      case .attribute(let name): guard attributes.insert(name).inserted else { return false }
      case .text: break
      // Other elements may be between the items of the list.
      case .items: guard !isInElements else { return false }
      }
    }
    for alias in fields.flatMap(\.aliases) {
      if names.contains(alias) || attributes.contains(alias) { return false }
      if elements.contains(alias) || elements.contains(XMLKeyName.elementName(for: alias)) { return false }
      // An alias of a field whose element has a prefix is also an element with this prefix.
      if elements.contains(where: { $0.string.withoutPrefix.equals(alias.withoutPrefix) }) { return false }
    }
    return true
  }
}
