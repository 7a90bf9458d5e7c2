/// A sink that counts repeated keys: those that occurred before in the same dictionary.
final class RepeatedKeys: ForwardingSink {
  /// The number of repeated keys so far.
  private(set) var count = 0
  /// The keys of the open dictionaries.
  private var keys: [Set<[UInt8]>] = []

  init() { super.init(to: NullSink()) }

  override func beginDictionary(count: Int?) throws(FerryError) { keys.append([]) }

  override func endDictionary() throws(FerryError) { _ = keys.popLast() }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard let last = keys.indices.last else { return }
    if !keys[last].insert([UInt8](copying: text.utf8)).inserted { count += 1 }
  }

  /// Returns the number of repeated keys in a text, or 0 if the text is not valid. In XML, an attribute or a
  /// text may occur again as an element with an escaped name.
  static func count(in bytes: [UInt8], format: Format, budget: Budget) -> Int {
    let counter = RepeatedKeys()
    do throws(FerryError) {
      switch format.asPropertyList.description.reader {
      case .stream(let makeReader):
        try makeReader(counter, ReaderContext(budget: budget)).readAll(bytes.span)
      case .elements: try XMLValueReader.readAll(bytes.span, into: counter, budget: budget)
      case .nodes, .typedstream, .database, .files, nil: return 0
      }
    } catch {
      return 0
    }
    return counter.count
  }
}
