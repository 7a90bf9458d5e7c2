/// An adapter for keys that are objects in front of a plain form, which has only text for a key: the text of
/// a scalar, or the JSON of any other value.
///
/// It comes before `PlainForm`. Xcode's user states have thousands of keys that are URLs.
final class ObjectKeys: BufferingSink {
  private let plain: PlainForm
  /// The nesting depth of keys inside keys.
  private var depth = 0

  init(to plain: PlainForm) {
    self.plain = plain
    super.init(to: plain)
  }

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
    guard !tape.isScalar else {
      try plain.beginKey()
      try tape.replay(into: plain)
      return try plain.endKey()
    }
    try plain.key(valueOn: tape)
  }
}

extension EventTape {
  /// True if the value is a scalar, possibly in an object of a class.
  var isScalar: Bool {
    for index in 0..<count {
      switch kind(at: index) {
      case .beginArray, .beginSet, .beginDictionary, .reference: return false
      default: break
      }
    }
    return true
  }
}
