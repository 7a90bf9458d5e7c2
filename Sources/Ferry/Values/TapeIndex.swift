/// The index of an event on an `EventTape`.
struct TapeIndex: Hashable, Strideable {
  /// The number of events before this one.
  let index: Int

  /// The index of the first event.
  static var start: TapeIndex { TapeIndex(0) }

  init(_ index: Int) { self.index = index }

  func distance(to other: TapeIndex) -> Int { other.index - index }
  func advanced(by count: Int) -> TapeIndex { TapeIndex(index + count) }

  // The comparisons that `Strideable` provides subtract first.
  static func == (a: TapeIndex, b: TapeIndex) -> Bool { a.index == b.index }
  static func < (a: TapeIndex, b: TapeIndex) -> Bool { a.index < b.index }

  static func + (index: TapeIndex, count: Int) -> TapeIndex { index.advanced(by: count) }
  static func - (index: TapeIndex, count: Int) -> TapeIndex { index.advanced(by: -count) }
}
