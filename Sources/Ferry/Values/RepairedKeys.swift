/// The keys of each open dictionary that become equal when unpaired surrogates are replaced by U+FFFD.
///
///     {"\ud800": 1, "\udbff": 2}    two keys, which both become "\u{FFFD}"
///
/// Only a key with a surrogate or with U+FFFD itself can become equal to another, so only those are kept.
struct RepairedKeys {
  private var originals = OpenKeys()
  private var repaired = OpenKeys()

  /// Begins a dictionary.
  mutating func open() {
    originals.open()
    repaired.open()
  }

  /// Ends the innermost dictionary.
  mutating func close() {
    originals.close()
    repaired.close()
  }

  /// Adds a key of the innermost dictionary. Returns true if it becomes equal to another key for the first
  /// time. A key that is equal to another before is for the reader to report.
  mutating func insert(_ key: BorrowedText) -> Bool {
    guard Self.mayBecomeEqual(key) else { return false }
    let isRepeated = originals.insert(key.utf8)
    let text = String(key)
    return repaired.insert(text.utf8.span) && !isRepeated
  }

  /// Opens and closes the dictionaries of a batch. None of its keys can become equal to another.
  mutating func receive(_ events: borrowing EventBatch) {
    for index in 0..<events.count {
      switch events.kind(index) {
      case .beginDictionary: open()
      case .endDictionary: close()
      default: break
      }
    }
  }

  /// Returns true if a key can become equal to another one.
  static func mayBecomeEqual(_ key: BorrowedText) -> Bool {
    !key.isASCII && (key.hasSurrogates || key.utf8.end(ofFirst: "\u{FFFD}", from: 0) != nil)
  }
}
