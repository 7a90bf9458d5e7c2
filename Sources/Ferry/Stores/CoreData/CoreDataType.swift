/// The types of attributes. The raw values are those of `NSAttributeType`.
enum CoreDataType: Int {
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case data = 1000
  case uuid = 1100
  case url = 1200
  case transformable = 1800
  case objectID = 2000
  /// An INTEGER column of a store without a model: a number, a boolean or the key of an object.
  case integer = -1

  /// Creates the type of a declared column in a store without a model. Fails for declarations that Core Data
  /// does not use.
  init?(declared: String?) {
    switch declared?.uppercased() {
    case "INTEGER": self = .integer
    case "DECIMAL": self = .decimal
    case "FLOAT": self = .double
    case "VARCHAR": self = .string
    case "TIMESTAMP": self = .date
    case "BLOB": self = .data
    default: return nil
    }
  }

  /// The type of a record field for such values.
  var fieldType: FieldType {
    switch self {
    case .integer16, .integer32, .integer64, .integer: .integer
    case .decimal: .decimal
    case .double, .float: .real
    case .string, .url: .string
    case .boolean: .boolean
    case .date: .date
    case .data, .transformable, .objectID: .data
    case .uuid: .uuid
    }
  }

  /// The range of the type's integers, or nil if it is not an integer type.
  var range: ClosedRange<Int128>? {
    switch self {
    case .integer16: Int128(Int16.min)...Int128(Int16.max)
    case .integer32: Int128(Int32.min)...Int128(Int32.max)
    case .integer64, .integer, .boolean: Int128(Int64.min)...Int128(Int64.max)
    default: nil
    }
  }

  /// The description of a valid integer in messages.
  var rangeWords: String {
    switch self {
    case .integer16: "an integer of 16 bits"
    case .integer32: "an integer of 32 bits"
    default: "an integer of 64 bits"
    }
  }
}
