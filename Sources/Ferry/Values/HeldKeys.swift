/// A sink that buffers each key that is not a string until its end. It is the base class of adapters that
/// convert such keys. A key inside another key is buffered with it.
class HeldKeys: BufferingSink {
  /// The nesting depth of keys inside keys.
  private var depth = 0
  /// True inside a key that is not a string.
  var isInKey: Bool { depth > 0 }

  /// Sends the complete key on a tape. By default, sends it unchanged.
  func key(on tape: EventTape) throws(FerryError) {
    try next.beginKey()
    try tape.replay(into: next)
    try next.endKey()
  }

  final override func beginKey() throws(FerryError) {
    if depth == 0 { held = TapeSink() } else { try held?.beginKey() }
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
