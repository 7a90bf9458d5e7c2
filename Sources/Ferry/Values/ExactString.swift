/// A text that is compared, ordered and hashed by its UTF-8 bytes, for use as a key.
///
/// Swift's strings are equal if they are canonically equivalent, but file formats distinguish such texts. In
/// a table with `String` keys, two entries would become one:
///
///     "\u{212B}" == "\u{00C5}"                                // true: Å as Ångström sign, and as letter
///     ExactString("\u{212B}") == ExactString("\u{00C5}")      // false: E2 84 AB, and C3 85
struct ExactString: Sendable {
  /// The text.
  let string: String

  init(_ string: String) { self.string = string }
}

extension ExactString: Hashable {
  static func == (a: ExactString, b: ExactString) -> Bool { a.string.equals(b.string) }

  func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension ExactString: Comparable {
  static func < (a: ExactString, b: ExactString) -> Bool { a.string.precedes(b.string) }
}

extension ExactString: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { string = value }
}

extension ExactString: CustomStringConvertible {
  var description: String { string }
}

extension Dictionary where Key == ExactString {
  /// Accesses the value for a key.
  subscript(key: String) -> Value? {
    get { self[ExactString(key)] }
    set { self[ExactString(key)] = newValue }
  }

  /// Accesses the value for a key, or a default value.
  subscript(key: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(key), default: value()] }
    set { self[ExactString(key), default: value()] = newValue }
  }

  /// Creates a dictionary with the entries of a dictionary of strings.
  init(exactly entries: [String: Value]) {
    self.init(entries.lazy.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Set<ExactString> {
  /// Returns true if the set contains a text.
  func contains(_ text: String) -> Bool { contains(ExactString(text)) }

  /// Adds a text unless the set contains it.
  @discardableResult
  mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: ExactString) {
    insert(ExactString(text))
  }
}
