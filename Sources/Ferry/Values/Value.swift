/// A value of any format, as a tree in memory. Conversions do not need it, because they connect a reader to a
/// writer.
///
///     let people: Value = [["firstName": "Ada", "born": .date(secondsSince2001: -5_847_120_000)]]
///     people[0]?["firstName"]     // .string("Ada")
///
/// A null is `.null`, also in literals: `["age": .null]`. `nil` is not a literal of a value, so that in `found ? value : nil` it still means
/// that there is none.
///
/// Two values are equal if no format distinguishes them: 1 differs from 1.0, and two NaNs with different bits
/// differ. Text is compared by its UTF-8 bytes. `String` instead compares canonical equivalence, for which é
/// as one character equals e with a combining accent.
public enum Value: Sendable {
  /// A null.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer. Larger ones than −2⁶³ to 2⁶⁴−1 are read as numbers, and property lists and archives refuse to write them.
  case integer(Int128)
  /// A 64-bit real, which may be NaN or infinite.
  case real(Double)
  /// A 32-bit real.
  case single(Float)
  /// A decimal in JSON's notation, used if no integer or real has the same notation.
  case number(String)
  /// A string.
  case string(String)
  /// A string with unpaired surrogates as UTF-16 code units, because a Swift string cannot contain them.
  case unpairedString([UInt16])
  /// Data: any bytes.
  case data([UInt8])
  /// A date, in seconds since the beginning of 2001 in UTC.
  case date(secondsSince2001: Double)
  /// A reference in the raw form of an archive, by object number.
  case uid(UInt64)
  /// The elements of an array.
  case array([Value])
  /// The elements of a set, in the order of the file.
  case set([Value])
  /// The entries of a dictionary, in the order of the file.
  case dictionary(KeyedValues)
  /// An archived object.
  indirect case object(ObjectValue)
  /// A reference to an object elsewhere in the tree, by identity.
  case reference(Int)
}

extension Value: Hashable {
  /// Returns true if no format distinguishes the two values.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.single(let a), .single(let b)): a.bitPattern == b.bitPattern
    case (.number(let a), .number(let b)): a.equals(b)
    case (.string(let a), .string(let b)): a.equals(b)
    case (.unpairedString(let a), .unpairedString(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.uid(let a), .uid(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.set(let a), .set(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    default: false
    }
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kindNumber)
    switch self {
    case .null: break
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .single(let value): hasher.combine(value.bitPattern)
    case .number(let value): value.hashBytes(into: &hasher)
    case .string(let value): value.hashBytes(into: &hasher)
    case .unpairedString(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value.bitPattern)
    case .uid(let value): hasher.combine(value)
    case .array(let values), .set(let values): hasher.combine(values)
    case .dictionary(let values): hasher.combine(values)
    case .object(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    }
  }

  /// A number for each kind of value, so that values of two kinds have different hashes even if their parts are equal, such as
  /// the text `0.10` and the decimal `0.10`.
  var kindNumber: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .real: 3
    case .single: 4
    case .number: 5
    case .string: 6
    case .unpairedString: 7
    case .data: 8
    case .date: 9
    case .uid: 10
    case .array: 11
    case .set: 12
    case .dictionary: 13
    case .object: 14
    case .reference: 15
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    var values = KeyedValues()
    for (key, value) in elements { values[.string(key)] = value }
    self = .dictionary(values)
  }
}
