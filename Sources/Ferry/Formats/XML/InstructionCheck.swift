/// A check that a processing instruction is well-formed.
enum InstructionCheck {
  /// Checks an instruction that is not the XML declaration.
  ///
  /// - Parameter text: The instruction from its `<` on, without the `?>` at its end.
  static func check(_ text: Span<UInt8>) throws(MarkupFlaw) {
    var cursor = MarkupCursor(text, at: 2)
    let range = try cursor.name(orFlaw: XMLWords.instructionNameExpected)
    if let words = XMLWords.reserved(text.extracting(range)) { throw MarkupFlaw(words, at: 0) }
    guard cursor.isAtEnd || cursor.skipSpace() else { throw cursor.flaw(XMLWords.spaceExpected) }
  }
}
