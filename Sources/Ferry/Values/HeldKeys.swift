/// A sink that holds a key that is not a string until its end: the base class of adapters that send such keys
/// in another form. Keys inside a key are held with it.
class HeldKeys: BufferingSink {
  /// The nesting depth of keys inside keys.
  private var depth = 0

  /// Sends the key on a tape; as it is, unless a subclass overrides this.
  func key(on tape: EventTape) throws(FerryError) {
    try next.beginKey()
    try tape.replay(into: next)
    try next.endKey()
  }

  final override func beginKey() throws(FerryError) {
    if depth == 0 { held = TapeRecorder() } else { try held?.beginKey() }
    depth += 1
  }

  final override func endKey() throws(FerryError) {
    depth -= 1
    guard depth == 0, let tape = held?.tape else {
      try held?.endKey()
      return
    }
    held = nil
    try key(on: tape)
  }
}
