// A value of a scalar in a variable: `["age": Value(age)]`. Literals need no such initializer.

extension Value {
  /// Creates a string.
  public init(_ text: String) { self = .string(text) }
  /// Creates a string.
  public init(_ text: Substring) { self = .string(String(text)) }
  /// Creates a boolean.
  public init(_ value: Bool) { self = .boolean(value) }
  /// Creates a real number.
  public init(_ value: Double) { self = .real(value) }
  /// Creates a real number in single precision.
  public init(_ value: Float) { self = .single(value) }
  /// Creates an integer.
  public init(_ value: Int) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: Int8) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: Int16) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: Int32) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: Int64) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: Int128) { self = .integer(value) }
  /// Creates an integer.
  public init(_ value: UInt) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: UInt8) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: UInt16) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: UInt32) { self = .integer(Int128(value)) }
  /// Creates an integer.
  public init(_ value: UInt64) { self = .integer(Int128(value)) }
}
