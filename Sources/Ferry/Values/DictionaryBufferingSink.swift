/// A sink that buffers each outermost dictionary, and sends it in another form when it is complete. It is the base class of adapters that
/// change dictionaries as a whole.
///
/// Arrays around dictionaries are not buffered, so in a list of records only one record is.
class DictionaryBufferingSink: BufferingSink {
  private let tapeSink = TapeSink()
  /// The nesting depth inside the buffered dictionary, or 0.
  private var depth = 0

  /// The events of the buffered dictionary.
  final var tape: EventTape { tapeSink.tape }

  /// Sends the buffered dictionary to the next sink. Subclasses override it.
  func sendDictionary() throws(FerryError) { try tape.replay(valueAt: .start, into: next) }

  override func beginDictionary(count: Int?) throws(FerryError) {
    depth += 1
    held = tapeSink
    try tapeSink.beginDictionary(count: count)
  }

  override func endDictionary() throws(FerryError) {
    try tapeSink.endDictionary()
    depth -= 1
    guard depth == 0 else { return }
    held = nil
    try sendDictionary()
    tapeSink.removeAll()
  }
}
