/// A value that both sides have changed differently.
///
///     [itemKey="key-3"].name: ours "Lamp", theirs "Desk lamp", base "Light"
public struct MergeConflict: Hashable, Sendable {
  /// The path of the value, as `get` and `set` accept it. A record in the path is named by its key or,
  /// without a key, by its index (in our version if the record occurs there).
  public var path: ValuePath
  /// The value in each version, or nil if that version has none.
  public var base, ours, theirs: Value?
}

extension MergeConflict: CustomStringConvertible {
  /// The conflict in one line: the path, and the value of each version.
  public var description: String {
    let location = path.isEmpty ? "the whole document" : path.description
    let start = firstDifference
    func words(_ value: Value?) -> String {
      guard let value else { return "nothing" }
      return start.flatMap { value.elementWords(from: $0) } ?? value.words
    }
    return "\(location): ours \(words(ours)), theirs \(words(theirs)), base \(words(base))"
  }

  /// The index of the first element that differs between our list and theirs, or nil if either is not a list.
  private var firstDifference: Int? {
    guard let mine = ours?.listElements, let others = theirs?.listElements else { return nil }
    return zip(mine, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(mine.count, others.count)
  }
}

extension Value {
  /// The maximum number of list elements that a message shows.
  private static var shownElements: Int { 3 }

  /// Returns a few elements of a list for a message, beginning at `start`: `[…, 4, 5, 6, …]`. Returns nil if
  /// the value is not a list.
  fileprivate func elementWords(from start: Int) -> String? {
    guard let elements = listElements else { return nil }
    let shown = elements.dropFirst(start).prefix(Self.shownElements)
    let words =
      (start > 0 ? ["…"] : []) + shown.map(\.words) + (shown.endIndex < elements.count ? ["…"] : [])
    return "[\(words.joined(separator: ", "))]"
  }
}
