import Ferry

/// The types of values that PlistBuddy names.
enum PlistBuddyType: String {
  case string, array, dict, bool, real, integer, date, data

  /// Creates the type with a name, ignoring case.
  static func named(_ name: String) throws(PlistBuddyError) -> PlistBuddyType {
    guard let type = PlistBuddyType(rawValue: name.lowercased()) else {
      throw .said("Unrecognized Type: \(name)")
    }
    return type
  }

  /// Creates the type of a value; nil if PlistBuddy has no name for it.
  init?(of value: Value) {
    switch value {
    case .string, .unpairedString: self = .string
    case .array: self = .array
    case .dictionary: self = .dict
    case .boolean: self = .bool
    case .real, .single, .number: self = .real
    case .integer: self = .integer
    case .date: self = .date
    case .data: self = .data
    case .null, .uid, .set, .object, .reference: return nil
    }
  }

  /// True for arrays and dictionaries.
  var isContainer: Bool { self == .array || self == .dict }

  /// The value that `Clear` makes.
  var emptyValue: Value {
    switch self {
    case .string: .string("")
    case .array: .array([])
    case .dict: .dictionary(KeyedValues())
    case .bool: .boolean(false)
    case .real: .real(0)
    case .integer: .integer(0)
    case .date: .date(secondsSince2001: 0)
    case .data: .data([])
    }
  }

  /// Parses the text of a value. Data has the bytes of the text, as on macOS, and not those that it encodes.
  func value(_ text: String) throws(PlistBuddyError) -> Value {
    switch self {
    case .string: return .string(text)
    case .array, .dict: return emptyValue
    case .bool:
      let word = text.lowercased()
      let isTrue = ["true", "yes", "1"].contains(word)
      guard isTrue || ["false", "no", "0"].contains(word) else { throw .said("Unrecognized Boolean Format") }
      return .boolean(isTrue)
    case .real:
      guard let number = PropertyListText.realNumber(text) else { throw .said("Unrecognized Real Format") }
      return .real(number)
    case .integer:
      guard let number = Int128(text), PropertyListText.isInteger(number) else {
        throw .said("Unrecognized Integer Format")
      }
      return .integer(number)
    case .date:
      guard let seconds = LocalTime.seconds(text) ?? ISODate.seconds(text) else {
        throw .said("Unrecognized Date Format")
      }
      return .date(secondsSince2001: seconds)
    case .data: return .data(Array(text.utf8))
    }
  }
}
