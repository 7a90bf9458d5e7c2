/// The text of a list, joined from the texts of lists with its elements. Around the list may be dictionaries of one entry.
///
///     [1,2]        +  [3]        =  [1,2,3]
///     {"a":[1,2]}  +  {"a":[3]}  =  {"a":[1,2,3]}
struct JoinedList {
  private let layout: ListLayout
  /// The text of a list without elements.
  private let empty: [UInt8]
  /// The index in it at which the elements of other lists begin.
  private let start: Int
  /// True if the text has no elements and no header yet.
  private var isAtStart = true
  /// The text after the last element.
  private(set) var end: ArraySlice<UInt8>

  /// Creates a list without elements. Fails if the text of such a list is not of the layout.
  init?(_ layout: ListLayout, empty: [UInt8]) {
    switch layout {
    case .lines:
      guard empty.isEmpty else { return nil }
      start = 0
    case .rows:
      guard !empty.isEmpty else { return nil }
      start = empty.count
    case .brackets:
      guard let bracket = empty.lastIndex(of: UInt8(ascii: "[")),
        empty[bracket...].starts(with: "[]".utf8)
      else { return nil }
      start = bracket + 1
    }
    (self.layout, self.empty, end) = (layout, empty, empty[...])
  }

  /// True if a list with elements was added that other elements are separated from.
  var hasElements: Bool { layout == .brackets && !isAtStart }

  /// The length of the text before the elements of a list.
  var lengthBeforeElements: Int { start }

  /// Adds the elements of a list, and returns the text to write for them. Returns nil if the text of the list has
  /// another header than the lists before, or other text around the elements.
  mutating func add(_ text: [UInt8]) -> [ArraySlice<UInt8>]? {
    let wasAtStart = isAtStart
    switch layout {
    case .lines: return [text[...]]
    case .rows:
      guard text.starts(with: empty) else { return nil }
      (isAtStart, end) = (false, [])
      return [wasAtStart ? text[...] : text[start...]]
    case .brackets:
      let after = empty[start...]
      guard text.count >= empty.count, text.starts(with: empty[..<start]),
        text.suffix(after.count).elementsEqual(after)
      else { return nil }
      // If the text is pretty-printed, the bracket is on a line of its own.
      let elements = text[start..<text.count - after.count]
      guard let last = elements.lastIndex(where: { !$0.isSpace }) else { return [] }
      // A copy, so that the memory of the text can be used again.
      (isAtStart, end) = (false, Array(text[(last + 1)...])[...])
      return wasAtStart ? [text[...last]] : [[UInt8(ascii: ",")], text[start...last]]
    }
  }
}
