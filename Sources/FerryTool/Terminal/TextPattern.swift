/// A text to find: a part of other texts, a whole text, or a regular expression.
struct TextPattern {
  private let text: String
  private let ignoresCase: Bool
  private let isWhole: Bool
  private let regex: Regex<AnyRegexOutput>?

  /// Creates a pattern.
  ///
  /// - Throws: The error of the regular expression's syntax.
  init(_ text: String, isRegex: Bool, ignoresCase: Bool, isWhole: Bool) throws {
    (self.text, self.ignoresCase, self.isWhole) = (
      ignoresCase ? text.lowercased() : text, ignoresCase, isWhole
    )
    regex = isRegex ? try Regex(text).ignoresCase(ignoresCase) : nil
  }

  /// Returns true if a text has a part that the pattern describes.
  func matches(_ subject: String) -> Bool {
    if let regex { return (try? regex.firstMatch(in: subject)) != nil }
    let subject = ignoresCase ? subject.lowercased() : subject
    // Texts are compared by their bytes, as everywhere in Ferry.
    if isWhole { return subject.utf8.elementsEqual(text.utf8) }
    return text.isEmpty || subject.utf8.containsBytes(of: text.utf8)
  }
}

extension String.UTF8View {
  /// Returns true if the bytes of another text occur in these bytes.
  fileprivate func containsBytes(of other: String.UTF8View) -> Bool {
    guard let first = other.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: other) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
