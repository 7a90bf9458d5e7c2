internal import Synchronization

/// The exchange of the parts of an input between the thread that divides it and those that convert the parts.
///
///     the cutting thread                     the converting threads
///     put(part)                     ▸        take a part, and convert it
///     text(at: 0), text(at: 1) …    ◂        keep its text
///
/// A part that cannot be converted on its own ends the exchange.
final class PartExchange: Sendable {
  private struct State: Sendable {
    /// The parts that no thread has taken yet, in order.
    var parts: [InputParts.Part] = []
    /// The texts of converted parts, by the index of the part.
    var texts: [Int: PartConverter.Text] = [:]
    /// True if no part is to be converted anymore.
    var isOver = false
    /// True if a part cannot be converted on its own.
    var hasFailed = false
  }

  private let state = Mutex(State())
  private let threads = SystemThreadGroup()
  /// True if the cutting thread keeps the bytes of the parts after they have been converted.
  private let keepsParts: Bool
  /// The parts and the texts that are no longer needed.
  let spareParts = SpareBytes()
  let spareTexts = SpareBytes()
  private let partHasArrived = SystemSignal()
  private let textHasArrived = SystemSignal()

  init(keepsParts: Bool) { self.keepsParts = keepsParts }

  // MARK: The cutting thread

  /// Starts a thread that converts parts.
  func startThread(_ converter: PartConverter) throws(FerryError) {
    try threads.start { [self] in convertParts(converter) }
  }

  /// Adds a part.
  func put(_ part: InputParts.Part) {
    state.withLock { $0.parts.append(part) }
    partHasArrived.give()
  }

  /// Returns true if `text(at:)` would not wait for the text of a part.
  func hasText(at index: Int) -> Bool { state.withLock { $0.texts[index] != nil } }

  /// Waits for the text of a part. Returns nil if a part cannot be converted on its own.
  func text(at index: Int) -> PartConverter.Text? {
    while true {
      let (text, hasFailed) = state.withLock { ($0.texts.removeValue(forKey: index), $0.hasFailed) }
      if hasFailed { return nil }
      if let text { return text }
      textHasArrived.wait()
    }
  }

  /// Ends the threads, and waits for them.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.parts.removeAll()
    }
    partHasArrived.give()
    threads.wait()
  }

  // MARK: The converting threads

  private func convertParts(_ converter: PartConverter) {
    while var part = take() {
      let text = converter.convert(part, reusing: spareTexts.take(capacity: part.byteCount))
      // The bytes have one owner when the text is known, so that their memory can be used again.
      if keepsParts { _ = part.takeBytes() } else { spareParts.add(part.takeBytes()) }
      state.withLock { state in
        state.texts[part.index] = text
        if text == nil { (state.hasFailed, state.isOver) = (true, true) }
      }
      textHasArrived.give()
    }
    // The next thread ends, too.
    partHasArrived.give()
  }

  /// Waits for a part, and removes it. Returns nil at the end.
  private func take() -> InputParts.Part? {
    while true {
      let (part, hasMore, isOver) = state.withLock { state -> (InputParts.Part?, Bool, Bool) in
        if state.isOver || state.parts.isEmpty { return (nil, false, state.isOver) }
        return (state.parts.removeFirst(), !state.parts.isEmpty, false)
      }
      // Two signals may have become one.
      if hasMore { partHasArrived.give() }
      if part != nil || isOver { return part }
      partHasArrived.wait()
    }
  }
}
