/// An adapter that sends a key that is not a scalar as the text by which a path names it: its JSON.
///
///     {first: "Ada"}: 1    →    "{\"first\":\"Ada\"}": 1
///
/// A key with an object that has other references is sent as it is, because these need its mark.
final class ShownKeys: BufferingSink {
  /// The nesting depth of keys inside keys.
  private var depth = 0

  override func beginKey() throws(FerryError) {
    if depth == 0 { held = TapeRecorder() } else { try held?.beginKey() }
    depth += 1
  }

  override func endKey() throws(FerryError) {
    depth -= 1
    guard depth == 0, let tape = held?.tape else {
      try held?.endKey()
      return
    }
    held = nil
    guard tape.isScalar || tape.hasIdentities else { return try sendText(of: tape) }
    try next.beginKey()
    try tape.replay(into: next)
    try next.endKey()
  }

  private func sendText(of tape: EventTape) throws(FerryError) {
    let text = try PlainForm.json { sink throws(FerryError) in try tape.replay(into: sink) }
    try next.key(BorrowedText(text.span))
  }
}

extension EventTape {
  /// True if an object of the value is, or may be, referred to.
  fileprivate var hasIdentities: Bool {
    for index in 0..<count {
      switch kind(at: index) {
      case .reference: return true
      case .beginObject where identity(at: index) != nil: return true
      default: break
      }
    }
    return false
  }
}
