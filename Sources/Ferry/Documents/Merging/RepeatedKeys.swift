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

  /// Returns the number of repeated keys in a text, or 0 if the text is not valid JSON or a property list.
  static func count(in bytes: [UInt8], format: Format, budget: Budget) -> Int {
    let counter = RepeatedKeys()
    guard case .stream(let makeReader) = format.asPropertyList.description.reader else { return 0 }
    do throws(FerryError) {
      try makeReader(counter, ReaderContext(budget: budget)).readAll(bytes.span)
    } catch {
      return 0
    }
    return counter.count
  }
}
