// Comparison, ordering and hashing of strings by their UTF-8 bytes. Swift's `==` compares canonical
// equivalence instead.

extension String {
  /// Returns true if both strings have the same UTF-8 bytes.
  package func equals(_ other: String) -> Bool {
    // The count is known, while the span of a short string has to be made first.
    utf8.count == other.utf8.count && utf8.span.equals(other.utf8.span)
  }

  /// Returns true if the string precedes another one in the order of UTF-8 bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

  /// The names in a path, without empty ones. A slash with a combining mark at the beginning of the next name is another character
  /// for Swift's `split`.
  package var namesInPath: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }

  /// Returns the string with a text in place of each occurrence of an ASCII character, even if a combining mark follows it. Escapes of
  /// other languages need that: a shell and SQL see the quotation mark in `'\u{301}`, and Swift's `split` sees another character.
  package func replacing(_ character: Unicode.Scalar, by text: String) -> String {
    utf8.split(separator: UInt8(ascii: character), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }.joined(separator: text)
  }

  /// Hashes the bytes that `equals` compares.
  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    hasher.combine(span: utf8.span)
  }
}

extension Optional<String> {
  /// Returns true if both are nil, or both have the same UTF-8 bytes.
  func equals(_ other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.equals(other)
  }
}

extension Sequence<String> {
  /// Returns true if one of the strings has the same UTF-8 bytes as `text`.
  func contains(exactly text: String) -> Bool { contains { $0.equals(text) } }

  /// Returns true if both sequences have strings with the same UTF-8 bytes in the same order.
  func equals(_ other: some Sequence<String>) -> Bool { elementsEqual(other) { $0.equals($1) } }
}

extension StringProtocol {
  /// Returns true if the string begins with the bytes of an ASCII literal, even if a combining mark follows
  /// them. Swift's `hasPrefix` would see another character then.
  func begins(with prefix: StaticString) -> Bool {
    utf8.count >= prefix.utf8CodeUnitCount
      && utf8.prefix(prefix.utf8CodeUnitCount).elementsEqual(prefix.description.utf8)
  }

  /// Returns true if the string ends with the bytes of an ASCII literal, even if they are part of another character for Swift's `hasSuffix`.
  func ends(with suffix: StaticString) -> Bool {
    utf8.count >= suffix.utf8CodeUnitCount
      && utf8.suffix(suffix.utf8CodeUnitCount).elementsEqual(suffix.description.utf8)
  }

  /// Returns the string without its first bytes, which must be ASCII.
  func droppingFirst(bytes count: Int = 1) -> String {
    String(decoding: utf8.dropFirst(count), as: UTF8.self)
  }
}
