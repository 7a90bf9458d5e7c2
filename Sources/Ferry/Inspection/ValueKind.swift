/// The kind of a value, independent of its format. The raw value is its name in `ferry inspect --json`.
public enum ValueKind: String, CaseIterable, Sendable {
  /// A null.
  case null
  /// True or false.
  case boolean
  /// An integer.
  case integer
  /// A real number stored in 64 bits.
  case real
  /// A real number stored in 32 bits.
  case single
  /// A number with its decimal notation, for example one with more digits than a real can keep.
  case decimal
  /// A string.
  case string
  /// Data: any bytes.
  case data
  /// A date.
  case date
  /// A reference between the objects of an archive, in raw form.
  case uid
  /// An array.
  case array
  /// A set.
  case set
  /// A dictionary.
  case dictionary
  /// An object of a class.
  case object
  /// A repeated occurrence of an object.
  case reference

  /// True for arrays, sets and dictionaries.
  var isCollection: Bool { self == .array || self == .set || self == .dictionary }

  /// True for a number or a boolean, which an archive usually stores inline.
  var isNumber: Bool {
    switch self {
    case .boolean, .integer, .real, .single, .decimal: true
    default: false
    }
  }

  /// The index of the kind in an array with one element for each kind.
  var index: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .real: 3
    case .single: 4
    case .decimal: 5
    case .string: 6
    case .data: 7
    case .date: 8
    case .uid: 9
    case .array: 10
    case .set: 11
    case .dictionary: 12
    case .object: 13
    case .reference: 14
    }
  }
}

extension NodeKind {
  /// The kind of the node's value.
  var valueKind: ValueKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .real: .real
    case .single: .single
    case .number: .decimal
    case .string: .string
    case .data: .data
    case .date: .date
    case .uid: .uid
    case .array: .array
    case .set: .set
    case .dictionary: .dictionary
    }
  }
}
