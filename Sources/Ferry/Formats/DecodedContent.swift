/// The content of an input for people: decompressed, without signatures, from the only file of a ZIP archive, and in UTF-8 if it is a text whose encoding
/// is given or shown by its beginning. Readers of text count lines and columns in it.
package struct DecodedContent {
  /// The content.
  package let input: any ByteInput
  /// True if the content has the bytes of the given input.
  package let isPlain: Bool

  /// Finds the layers of an input.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - name: Its file name.
  ///   - encoding: The encoding of a text that does not show it, or nil.
  ///   - isText: Pass false for the bytes of a binary format, which are not decoded.
  ///   - budget: The limits on compressed data.
  package init(
    _ input: any ByteInput, named name: String?, encoding: String?, isText: Bool = true, budget: Budget
  ) throws(FerryError) {
    var layers = try UncompressedInput(input, named: name, format: nil, budget: budget)
    var isPlain = layers.compressions.isEmpty && !layers.isSigned
    if let member = try layers.onlyFile(budget) {
      layers = try UncompressedInput(member.input, named: member.name, format: nil, budget: budget)
      isPlain = false
    }
    let head = layers.head
    let declared = XMLTextEncoding.otherDeclared(in: head)
    let isMarked = head.span.isMarkedOtherThanUTF8(hasNULs: false) || head.span.isUTF32
    guard isText, encoding != nil || declared != nil || isMarked else {
      (self.input, self.isPlain) = (layers.input, isPlain)
      return
    }
    // The declaration of XML is shown as it is.
    self.input = TranscodedInput(
      layers.input, encoding: encoding ?? declared ?? head.span.utf16BeforeOtherScripts, isXML: false)
    self.isPlain = false
  }
}
