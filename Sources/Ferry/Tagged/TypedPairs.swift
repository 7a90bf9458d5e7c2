/// An adapter before the typed form, for values whose dictionaries may have keys that are not strings. The typed form has such a dictionary as
/// a list of pairs:
///
///     {1: "a", "b": 2}   ▸   {"$dictionary": [[1, "a"], ["b", 2]]}
///
/// It holds each outermost dictionary in memory, because any of its keys may be the first that is not a string.
final class TypedPairs: BufferingSink {
  private let typed: TypedForm
  /// The number of open dictionaries that are held.
  private var depth = 0

  init(to typed: TypedForm) {
    self.typed = typed
    super.init(to: typed)
  }

  override func beginDictionary(count: Int?) throws(FerryError) {
    if held == nil { held = TapeSink() }
    depth += 1
    try super.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    try super.endDictionary()
    depth -= 1
    guard depth == 0, let tape = held?.tape else { return }
    held = nil
    try send(tape)
  }

  private func send(_ tape: EventTape) throws(FerryError) {
    // True for each open dictionary that is written as pairs.
    var open: [Bool] = []
    // The tape indices after the values of the open pairs.
    var ends: [TapeIndex] = []
    for index in TapeIndex.start..<tape.end {
      if ends.last == index {
        ends.removeLast()
        try typed.endArray()
      }
      let (kind, isInPairs) = (tape.kind(at: index), open.last == true)
      switch kind {
      case .beginDictionary:
        let isPairs = tape.entries(of: index).contains { tape.kind(at: $0.key) != .key }
        open.append(isPairs)
        if isPairs { try typed.beginPairs() } else { try tape.replay(eventAt: index, into: typed) }
      case .endDictionary:
        open.removeLast()
        if isInPairs { try typed.endPairs() } else { try tape.replay(eventAt: index, into: typed) }
      case .key where isInPairs, .beginKey:
        ends.append(tape.next(after: tape.next(after: index)))
        try typed.beginArray(count: 2)
        if kind == .key { try typed.string(tape.text(at: index)) }
      case .endKey: break
      default: try tape.replay(eventAt: index, into: typed)
      }
    }
  }
}
