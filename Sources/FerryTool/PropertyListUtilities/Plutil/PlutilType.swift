import Ferry

/// The types of values that `plutil` names.
enum PlutilType: String {
  case boolean = "bool"
  case integer, float, string, array, dictionary, date, data
  /// A value of no type of property lists: null, or a reference of an archive.
  case any = "(any)"

  init(of value: Value) {
    self =
      switch value {
      case .boolean: .boolean
      case .integer: .integer
      case .real, .single, .number: .float
      case .string, .unpairedString: .string
      case .array: .array
      case .dictionary: .dictionary
      case .date: .date
      case .data: .data
      case .null, .uid, .set, .object, .reference: .any
      }
  }

  /// The type in the message about another type.
  var noun: String { self == .boolean ? "boolean" : rawValue }
}
