/// An input that another reader can go on with after a function that received its chunks has thrown, such as a pipe.
protocol ResumableInput: PromptInput {
  /// False if the input cannot be resumed after all, because an input inside it cannot.
  var canResume: Bool { get }
  /// True if `rewind()` is possible.
  var isRewindable: Bool { get }
  /// The time for which all reads together may still wait for bytes, or nil if it is not limited. When it has passed, a read throws the error
  /// `stopped`, and no byte is lost.
  var patience: Duration? { get set }
}

extension ResumableInput {
  var canResume: Bool { true }

  /// Returns true if the input has at least some bytes and they arrive in a time. They are not consumed.
  func hasBytes(_ count: Int, within time: Duration) -> Bool {
    patience = time
    defer { patience = nil }
    // `try?`: an error is thrown again when the input is read.
    guard let beginning = try? peek(upTo: count) else { return false }
    return beginning.count == count
  }
}
