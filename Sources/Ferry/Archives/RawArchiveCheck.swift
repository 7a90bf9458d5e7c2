/// An adapter that refuses values other than an archive in the raw form: the property list that an archive is stored as.
///
///     {"$archiver": "NSKeyedArchiver", "$top": {"root": @1}, "$objects": ["$null", …]}
///
/// It precedes the writer of an archive, and does not check the objects.
final class RawArchiveCheck: ForwardingSink {
  private typealias Entry = ArchiveObjects.Entry

  private static let required: Set<Entry> = [.archiver, .top, .objects]
  private var depth = 0
  /// The entry of the outermost dictionary whose value is next; nil for any other value.
  private var entry: Entry?
  private var found: Set<Entry> = []

  /// Notes an entry of the outermost dictionary if the value that begins is of its type.
  private func begins(_ wanted: Entry) { if depth == 1, entry == wanted { found.insert(wanted) } }

  override func string(_ text: BorrowedText) throws(FerryError) {
    begins(.archiver)
    try next.string(text)
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    if depth == 1 { entry = Entry.allCases.first { text.equals($0.key) } }
    try next.key(text)
  }

  override func beginArray(count: Int?) throws(FerryError) {
    begins(.objects)
    depth += 1
    try next.beginArray(count: count)
  }

  override func endArray() throws(FerryError) {
    depth -= 1
    try next.endArray()
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    begins(.top)
    depth += 1
    try next.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    depth -= 1
    try next.endDictionary()
  }

  override func finish() throws(FerryError) {
    guard found.isSuperset(of: Self.required) else { throw FerryError(.archive(.notRawForm)) }
    try next.finish()
  }
}
