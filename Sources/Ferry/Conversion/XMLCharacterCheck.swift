/// An adapter before the writer of an archive in XML. It refuses a character that XML cannot represent while the path of its text is known:
/// the writer writes all texts at the end.
final class XMLCharacterCheck: ForwardingSink {
  override func string(_ text: BorrowedText) throws(FerryError) {
    try text.checkXMLCharacters()
    try next.string(text)
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    try text.checkXMLCharacters()
    try next.key(text)
  }
}
