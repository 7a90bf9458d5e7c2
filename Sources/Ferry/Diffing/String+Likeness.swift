extension String {
  /// The text without invisible characters, and with a space for any white space.
  private var withoutInvisible: String {
    var text = ""
    for scalar in unicodeScalars {
      let properties = scalar.properties
      guard !properties.isDefaultIgnorableCodePoint, properties.generalCategory != .format else { continue }
      text.unicodeScalars.append(properties.isWhitespace ? " " : scalar)
    }
    return text
  }

  /// Returns true if a reader sees no difference from another text.
  package func looksLike(_ other: String) -> Bool {
    // Canonically equivalent strings are equal.
    withoutInvisible == other.withoutInvisible
  }
}
