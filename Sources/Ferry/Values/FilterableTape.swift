/// The events of a value, as a filter tests them.
struct FilterableTape: FilterableTree {
  let tape: EventTape
  /// True if the first of several equal keys in a dictionary is used, and false if the last one is.
  let firstKeyWins: Bool

  func filteredEntry(_ key: String, of part: TapeIndex) -> TapeIndex? {
    guard let dictionary = dictionary(at: part) else { return nil }
    var found: TapeIndex?
    for (name, value) in tape.entries(of: dictionary)
    where tape.kind(at: name) == .key && tape.text(at: name).hasPathText(key.utf8.span) {
      found = value
      if firstKeyWins { break }
    }
    return found
  }

  func filteredEntries(of part: TapeIndex) -> [TapeIndex] {
    dictionary(at: part).map { tape.entries(of: $0).map(\.value) } ?? []
  }

  private func dictionary(at part: TapeIndex) -> TapeIndex? {
    guard let content = tape.content(of: part), tape.kind(at: content) == .beginDictionary else { return nil }
    return content
  }

  private func list(at part: TapeIndex) -> TapeIndex? {
    guard let content = tape.content(of: part) else { return nil }
    let kind = tape.kind(at: content)
    return kind == .beginArray || kind == .beginSet ? content : nil
  }

  func filteredCount(of part: TapeIndex) -> Int? {
    list(at: part).map { tape.childCount(from: $0 + 1, to: tape.next(after: $0) - 1) }
  }

  func filteredElements(_ indices: Range<Int>, of list: TapeIndex) -> [TapeIndex] {
    self.list(at: list).map { Array(tape.elements(of: $0)[indices]) } ?? []
  }

  func filteredScalar(of part: TapeIndex) throws(FerryError) -> Value? {
    guard let content = tape.content(of: part) else { return nil }
    switch tape.kind(at: content) {
    case .beginArray, .beginSet, .beginDictionary, .beginObject: return nil
    default: break
    }
    return try tape.value(at: content)
  }
}
