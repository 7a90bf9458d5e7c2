/// The text of a list, joined from the texts of lists with its elements.
///
///     [1,2]  +  [3]  =  [1,2,3]
struct JoinedList {
  private let layout: ListLayout
  /// The text of a list without elements.
  private let empty: [UInt8]
  /// True if the text has no elements and no header yet.
  private var isAtStart = true
  /// The text after the last element.
  private(set) var end: ArraySlice<UInt8>

  /// Creates a list without elements. Fails if the text of such a list is not of the layout.
  init?(_ layout: ListLayout, empty: [UInt8]) {
    switch layout {
    case .lines: guard empty.isEmpty else { return nil }
    case .rows: guard !empty.isEmpty else { return nil }
    case .brackets: guard empty.elementsEqual("[]\n".utf8) else { return nil }
    }
    (self.layout, self.empty, end) = (layout, empty, empty[...])
  }

  /// Adds the elements of a list, and returns the text to write for them. Returns nil if the text of the list has
  /// another header than the lists before.
  mutating func add(_ text: [UInt8]) -> [ArraySlice<UInt8>]? {
    let wasAtStart = isAtStart
    switch layout {
    case .lines: return [text[...]]
    case .rows:
      guard text.starts(with: empty) else { return nil }
      (isAtStart, end) = (false, [])
      return [wasAtStart ? text[...] : text[empty.count...]]
    case .brackets:
      guard text.count > empty.count else { return [] }
      // If the text is pretty-printed, the bracket is on a line of its own.
      let last = text.count - (text[text.count - 3] == UInt8(ascii: "\n") ? 4 : 3)
      (isAtStart, end) = (false, text[(last + 1)...])
      return wasAtStart ? [text[...last]] : [[UInt8(ascii: ",")], text[1...last]]
    }
  }
}
