/// A value of any format, as a tree: for those who need one. A conversion does not; it connects a reader to a writer.
///
///     let people: Value = [["firstName": "Ada", "born": .date(secondsSince2001: -5_847_120_000)]]
///     people[0]?["firstName"]     // .string("Ada")
///
/// Values are equal if nothing tells them apart: 1 and 1.0 differ, and so do two NaNs of different bits. Text is compared by
/// its UTF-8 bytes, unlike `String`, whose equality is canonical equivalence: é as one character differs from e with an accent.
public indirect enum Value: Sendable {
  case null
  case boolean(Bool)
  /// From −2⁶³ to 2⁶⁴−1.
  case integer(Int128)
  case real(Double)
  /// A real that its file holds in 32 bits.
  case single(Float)
  /// A decimal that is neither an integer nor a real exactly, in its own notation.
  case number(String)
  case string(String)
  /// A string that has unpaired surrogates and so is no Swift string: its UTF-16 code units.
  case unpairedString([UInt16])
  case data([UInt8])
  case date(secondsSince2001: Double)
  /// The number of an object in an archive, in raw form.
  case uid(UInt64)
  case array([Value])
  /// The elements in the order they were met.
  case set([Value])
  case dictionary(KeyedValues)
  case object(ObjectValue)
  /// An object that is elsewhere in the tree, by its identity.
  case reference(Int)
}

/// An archived object: its class, its identity if others refer to it, and what it holds.
public struct ObjectValue: Hashable, Sendable {
  /// The class and its chain.
  public var type: ObjectClass
  /// Set when a `Value.reference` refers to this object.
  public var identity: Int?
  /// A dictionary of the archived keys for most classes; an array, a string … for those that are one.
  public var content: Value

  /// An object.
  public init(_ type: ObjectClass, identity: Int? = nil, content: Value) {
    self.type = type
    self.identity = identity
    self.content = content
  }
}

extension Value: Hashable {
  /// Equal when no format could tell them apart.
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

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
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
}

extension Value {
  /// The value of a dictionary's, or an object's, string key; nil when there is none or this is neither.
  public subscript(key: String) -> Value? {
    switch self {
    case .dictionary(let values): values[key]
    case .object(let object): object.content[key]
    default: nil
    }
  }

  /// The element of an array, or of an object that is one; nil when there is none.
  public subscript(index: Int) -> Value? {
    switch self {
    case .array(let values), .set(let values): values.indices.contains(index) ? values[index] : nil
    case .object(let object): object.content[index]
    default: nil
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
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
  public init(nilLiteral: ()) { self = .null }
}
