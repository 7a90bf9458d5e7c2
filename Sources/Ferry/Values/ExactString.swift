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

extension String {
  /// Returns true if both have the same UTF-8 bytes.
  func equals(_ other: String) -> Bool { utf8.span.equals(other.utf8.span) }

  /// Returns true if the bytes, as numbers, precede those of another text.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

  /// Hashes the bytes that `equals` compares.
  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    hasher.combine(span: utf8.span)
  }
}

extension StringProtocol {
  /// Returns true if the text begins with the bytes of another. A combining mark after them belongs to the
  /// rest, where Swift's `hasPrefix` sees another character.
  func begins(with prefix: StaticString) -> Bool {
    utf8.count >= prefix.utf8CodeUnitCount
      && utf8.prefix(prefix.utf8CodeUnitCount).elementsEqual(prefix.description.utf8)
  }

  /// Returns the text without its first bytes, which are ASCII.
  func droppingFirst(bytes count: Int = 1) -> String {
    String(decoding: utf8.dropFirst(count), as: UTF8.self)
  }
}

extension Optional<String> {
  /// Returns true if both are nil, or have the same UTF-8 bytes.
  func equals(_ other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.equals(other)
  }
}

extension Sequence<String> {
  /// Returns true if one of the strings has the same UTF-8 bytes.
  func contains(exactly text: String) -> Bool { contains { $0.equals(text) } }

  /// Returns true if both have strings of the same UTF-8 bytes in the same order.
  func equals(_ other: some Sequence<String>) -> Bool { elementsEqual(other) { $0.equals($1) } }
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
