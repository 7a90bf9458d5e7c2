/// A check of the document type declaration in an XML property list.
enum XMLPropertyListDoctype {
  /// Checks a declaration without its `>`. Returns true if it has an internal subset. Throws if it declares an
  /// entity.
  static func check(_ text: Span<UInt8>) throws(MarkupFlaw) -> Bool {
    for offset in PrologScan.declarations(in: text) {
      guard let name = entity(declaredAt: offset, in: text) else { continue }
      throw MarkupFlaw(.propertyList(.entityDeclaration(name)), at: offset)
    }
    return try DoctypeCheck.check(text)
  }

  /// Returns the name in an entity declaration. Returns nil for other declarations.
  private static func entity(declaredAt offset: Int, in text: Span<UInt8>) -> String? {
    var cursor = MarkupCursor(text, at: offset)
    guard cursor.take("<!ENTITY"), cursor.skipSpace() else { return nil }
    if cursor.take("%") { cursor.skipSpace() }
    guard let range = try? cursor.name(orFlaw: XMLWords.nameExpected) else { return nil }
    return text.extracting(range).decodedString
  }
}
