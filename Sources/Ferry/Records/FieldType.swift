/// The type of a field's value.
public indirect enum FieldType: Hashable, Sendable {
  /// A string.
  case string
  /// An integer from −2⁶³ to 2⁶⁴−1.
  case integer
  /// A 64-bit real.
  case real
  /// A decimal number that keeps all its digits, for example money.
  case decimal
  /// True or false.
  case boolean
  /// A date, as text in ISO 8601.
  case date
  /// Data, as text in Base64.
  case data
  /// A URL.
  case url
  /// A UUID.
  case uuid
  /// A record of another type.
  case record(RecordType)
  /// A list of values of one type. In XML, each value is an element with this name.
  case list(FieldType, element: String)
  /// A dictionary whose keys are any strings, and whose values have one type. In XML, each value is an element with the
  /// name of its key.
  case dictionary(FieldType)
  /// A record of a type that contains this field: the one whose element has this name.
  case enclosing(String)
  /// A value of any type, converted as without a schema.
  case any

  /// True if a value of the type may be a list, a dictionary or a record.
  var mayBeCollection: Bool {
    switch self {
    case .record, .list, .dictionary, .enclosing, .any: true
    default: false
    }
  }

  /// True if the empty text is a value of the type.
  var hasEmptyText: Bool { self == .string || self == .data }

  /// True if the empty text of an element of XML is not a value of the type, nor an empty collection.
  var lacksEmptyText: Bool { !hasEmptyText && !mayBeCollection }

  /// True if a cell with the empty text may be a value of the type.
  var canBeEmptyText: Bool { hasEmptyText || self == .url || self == .any }

  func renamingClasses(_ names: [ExactString: String]) -> FieldType {
    switch self {
    case .record(let type): .record(type.renamingClasses(names))
    case .list(let type, let element): .list(type.renamingClasses(names), element: element)
    case .dictionary(let type): .dictionary(type.renamingClasses(names))
    default: self
    }
  }

  /// The names of the classes of records that values of the type may contain.
  var classNames: Set<ExactString> {
    switch self {
    case .record(let type): type.classNames
    case .list(let type, _), .dictionary(let type): type.classNames
    default: []
    }
  }

  /// The name of the type in schema files.
  var name: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .decimal: "decimal"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    case .url: "url"
    case .uuid: "uuid"
    case .record, .enclosing: "record"
    case .list: "list"
    case .dictionary: "dictionary"
    case .any: "any"
    }
  }

  /// The name of the type in messages.
  var description: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .boolean: "true or false"
    case .date: "a date such as 2014-06-01T09:30:00Z"
    case .data: "data (Base64 in text)"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .record(let type): "a \(type.element)"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .enclosing(let name): "a \(name)"
    case .any: "any value"
    }
  }
}
