extension String {
  /// The text with all its invisible characters escaped, so that a reader of a message tells names apart, and sees a name to its end:
  /// `a\u{a0}b.xml`.
  package var withoutInvisibles: String {
    guard hasInvisibles else { return self }
    let scalars = unicodeScalars
    var text = ""
    for (index, scalar) in zip(scalars.indices, scalars) {
      text += scalars.hasInvisible(at: index) ? scalar.escaped : String(scalar)
    }
    return text
  }

  /// True if the text has a character that messages escape because it is invisible.
  var hasInvisibles: Bool {
    let scalars = unicodeScalars
    let isPrintable = utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    return !isPrintable && scalars.indices.contains { scalars.hasInvisible(at: $0) }
  }
}

extension BidirectionalCollection<Unicode.Scalar> {
  /// Returns true if messages escape the character at an index because it is invisible. The characters that make one picture of several
  /// emoji stay: a joiner between two emoji, and U+FE0F after one.
  func hasInvisible(at index: Index) -> Bool {
    let scalar = self[index]
    guard scalar.isInvisible else { return false }
    let before = self[..<index].suffix(2)
    switch scalar {
    case "\u{fe0f}": return before.last?.isPicture != true
    case "\u{200d}":
      let joined = before.last == "\u{fe0f}" ? before.dropLast().last : before.last
      return joined?.isPicture != true || self[self.index(after: index)...].first?.isPicture != true
    default: return true
    }
  }
}

extension Unicode.Scalar {
  /// True if Unicode says that nothing is shown for the scalar, or only a space: control and format characters, separators, all spaces but
  /// U+0020, characters that are ignored by default, and those without a meaning yet. Fonts show characters for private use, such as
  /// Apple's logo.
  fileprivate var isInvisible: Bool {
    if isASCII { return isControl }
    if properties.isDefaultIgnorableCodePoint { return true }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .unassigned: return true
    case .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
    default: return false
    }
  }

  /// True for a character of its own that is an emoji. Digits are emoji only in sequences.
  fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }
}
