// Strings are compared, ordered and hashed by their UTF-8 bytes, because Swift's `==` is canonical
// equivalence.

extension String {
  /// Returns true if both have the same UTF-8 bytes.
  package func equals(_ other: String) -> Bool { utf8.span.equals(other.utf8.span) }

  /// Returns true if the bytes, as numbers, precede those of another text.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

  /// Hashes the bytes that `equals` compares.
  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    hasher.combine(span: utf8.span)
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
