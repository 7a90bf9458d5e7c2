/// A text from a file as a key: compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's strings are equal if they are canonically equivalent. Formats distinguish such texts, so a table
/// keyed by `String` would merge two entries into one:
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
  /// The value of a key.
  subscript(key: String) -> Value? {
    get { self[ExactString(key)] }
    set { self[ExactString(key)] = newValue }
  }

  /// The value of a key, or a default.
  subscript(key: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(key), default: value()] }
    set { self[ExactString(key), default: value()] = newValue }
  }

  /// Creates a dictionary with the entries of a caller's.
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
