/// An adapter that replaces a dictionary with one entry by the entry's value: `{"person": {…}}` becomes
/// `{…}`.
final class EntryValue: ForwardingSink {
  private var depth = 0

  override func beginDictionary(count: Int?) throws(FerryError) {
    depth += 1
    if depth > 1 { try next.beginDictionary(count: count) }
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if depth > 1 { try next.key(text) }
  }

  override func endDictionary() throws(FerryError) {
    if depth > 1 { try next.endDictionary() }
    depth -= 1
  }
}
