/// An adapter that sends a dictionary as a list of its entries, each as soon as it arrives.
///
///     {"title": "Hello"}        [{"key": "title", "value": "Hello"}]
///
/// It takes values in plain form, whose keys are strings. The value of a selection is the only element of a list.
final class EntryLister: EntrySink {
  private let keyName, valueName: [UInt8]
  private let position: EntryPosition
  /// The number of collections around the dictionary.
  private let outer: Int
  /// The number of dictionaries in the list of a selection.
  private var dictionaries = 0
  private var isInEntry = false

  init(to next: any ValueSink, key: String, value: String, isSelected: Bool, _ position: EntryPosition) {
    (keyName, valueName, self.position) = (Array(key.utf8), Array(value.utf8), position)
    outer = isSelected ? 1 : 0
    super.init(to: next)
  }

  override func receiver(ofNext kind: Kind) throws(FerryError) -> (any ValueSink)? {
    guard depth == outer else {
      // An XPath may have a single value.
      guard depth > outer || kind.shape != .scalar else {
        throw FerryError(.record(.notADictionary(found: kind.words)))
      }
      return depth > outer ? next : nil
    }
    dictionaries += 1
    guard kind == .dictionary, dictionaries == 1 else {
      let found = dictionaries == 1 ? kind.words : "several selected values"
      throw FerryError(.record(.notADictionary(found: found)))
    }
    try next.beginArray(count: nil)
    return nil
  }

  override func key(_ text: BorrowedText) throws(FerryError) {
    guard depth == outer + 1 else {
      if depth > outer { try next.key(text) }
      return
    }
    try endEntry()
    position.key.removeAll(keepingCapacity: true)
    position.key.append(copying: text.utf8)
    position.index += 1
    isInEntry = true
    let (keyName, valueName) = (keyName, valueName)
    try next.beginDictionary(count: 2)
    try next.key(BorrowedText(keyName.span))
    try next.string(text)
    try next.key(BorrowedText(valueName.span))
  }

  override func receiverOfEnd() -> (any ValueSink)? { depth > outer + 1 ? next : nil }

  override func didEnd() throws(FerryError) {
    try super.didEnd()
    if depth == outer {
      try endEntry()
      try next.endArray()
    } else if depth < outer, dictionaries == 0 {
      // An XPath has selected nothing.
      try next.beginArray(count: 0)
      try next.endArray()
    }
  }

  private func endEntry() throws(FerryError) {
    guard isInEntry else { return }
    isInEntry = false
    try next.endDictionary()
  }
}
