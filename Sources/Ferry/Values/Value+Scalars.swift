// The value as a scalar of a type of Swift, or nil if the value has another type. Nothing is converted: a text is not a number. An object
// that represents a scalar, such as an NSString, is that scalar.

extension Value {
  /// True for `null`.
  public var isNull: Bool { scalar == .null }

  /// The text of a string. Nil for other values, and for a string with unpaired surrogates.
  public var stringValue: String? {
    if case .string(let text) = scalar { text } else { nil }
  }

  /// The boolean, or nil for other values.
  public var boolValue: Bool? {
    if case .boolean(let value) = scalar { value } else { nil }
  }

  /// The number as an `Int`, or nil if the value is not an integer in its range: 36 and 36.0 are 36.
  public var intValue: Int? { integerValue(as: Int.self) }

  /// Returns the number as an integer type, or nil if the value is not an integer in its range. A decimal is the number with all of its digits, and
  /// a real the exact value of its bits.
  public func integerValue<I: FixedWidthInteger>(as type: I.Type) -> I? {
    switch scalar {
    case .integer(let value): I(exactly: value)
    case .real(let value): I(exactly: value)
    case .single(let value): I(exactly: value)
    case .number(let text): I(decimal: text)
    default: nil
    }
  }

  /// The number as a `Double`: the nearest one to a decimal. Nil for other values, and for an integer that no `Double` equals.
  public var doubleValue: Double? {
    switch scalar {
    case .integer(let value): Double(exactly: value)
    case .real(let value): value
    case .single(let value): Double(value)
    case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The bytes of data, or nil for other values.
  public var bytesValue: [UInt8]? {
    if case .data(let bytes) = scalar { bytes } else { nil }
  }

  /// The seconds from 2001-01-01 00:00 UTC to a date, or nil for other values.
  public var secondsSince2001: Double? {
    if case .date(let seconds) = scalar { seconds } else { nil }
  }

  /// The elements of an array or a set, or nil for other values.
  public var arrayValue: [Value]? { listElements }

  /// The entries of a dictionary, or nil for other values.
  public var dictionaryValue: KeyedValues? {
    if case .dictionary(let entries) = scalar { entries } else { nil }
  }

  /// The first keys of a dictionary that are text, for a message.
  var firstKeys: [String] { Array((dictionaryValue ?? [:]).lazy.compactMap { $0.key.pathText }.prefix(8)) }

  /// The content of an object, or the value itself if it is not an object.
  var scalar: Value {
    if case .object(let object) = self { object.content.scalar } else { self }
  }
}
