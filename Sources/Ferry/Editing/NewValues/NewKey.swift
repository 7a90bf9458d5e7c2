/// The type of a new key in a dictionary whose keys may be other values than strings. A path, or JSON, has only its text.
///
///     {1: a, 2: b}     3      the number 3
///     {1: a, b: c}     3      the number 3
///     {'1': a, b: c}   3      the string "3"
///     {1: a}           d      the string "d"
///
/// The key gets the type of the last key whose text reads as a value of the same kind. If there is none, it is a string if a key is a
/// string.
enum NewKey {
  /// The kind of value other than a string that a text may be read as.
  private enum Kind {
    case null, boolean, number, date
  }

  /// Returns the new key.
  ///
  /// - Parameters:
  ///   - text: The text of the new key.
  ///   - count: The number of keys of the dictionary.
  ///   - key: Returns the key at an index.
  static func value(
    of text: String, besides count: Int, _ key: (Int) throws(FerryError) -> Value
  ) throws(FerryError) -> Value {
    guard let (value, kind) = scalar(text) else { return .string(text) }
    var hasString = count == 0
    for index in (0..<count).reversed() {
      let other = try key(index)
      let isString = other.stringValue != nil
      if let found = other.plainText, scalar(found)?.kind == kind {
        return isString ? .string(text) : value
      }
      if isString { hasString = true }
    }
    return hasString ? .string(text) : value
  }

  /// Returns the value that is not a string and is printed as a text; nil if there is none.
  private static func scalar(_ text: String) -> (value: Value, kind: Kind)? {
    switch text {
    case "null": return (.null, .null)
    case "true": return (.boolean(true), .boolean)
    case "false": return (.boolean(false), .boolean)
    default: break
    }
    if text.utf8.span.flawInJSONNumber == nil {
      let value = Value(number: text)
      return value.plainText.equals(text) ? (value, .number) : nil
    }
    guard let seconds = ISODate.seconds(text), ISODate.text(seconds).equals(text) else { return nil }
    return (.date(secondsSince2001: seconds), .date)
  }
}
