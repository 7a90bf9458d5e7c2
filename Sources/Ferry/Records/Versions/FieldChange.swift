/// A change to an older value.
public enum FieldChange: Hashable, Sendable {
  /// Joins several strings, or a list of strings, with a separator.
  case joined(by: String)
  /// Takes the part of a string before the first separator, or the whole string if it has none.
  case before(String)
  /// Takes the part of a string after the first separator, or no value if it has none.
  case after(String)
  /// Takes the part of a string before the last separator, or the whole string if it has none.
  case beforeLast(String)
  /// Takes the part of a string after the last separator, or no value if it has none.
  case afterLast(String)
  /// Splits a string at each separator into a list.
  case split(at: String)
  /// Replaces a value by the entry for its text in a table.
  case mapped(KeyedValues)
  /// Multiplies a number exactly.
  case multiplied(by: Int)
  /// Divides a number. Fails if the result is not exact.
  case divided(by: Int)
  /// Converts a number of seconds since a moment to a date. The moment is given in seconds since 2001.
  case since(secondsSince2001: Double)
}
