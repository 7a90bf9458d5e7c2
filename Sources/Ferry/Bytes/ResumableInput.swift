/// An input that can be read further after a function that received its chunks has thrown, such as a pipe.
///
/// An error of the input is thrown again when the input is read further.
protocol ResumableInput: PromptInput {
  /// False if the input cannot be resumed after all, because an input inside it cannot.
  var canResume: Bool { get }
  /// Lets a pipe hold more bytes, so that its writer need not wait for each read. Changes nothing for another input.
  func enlargePipe()
  /// True if `rewind()` is possible.
  var isRewindable: Bool { get }
  /// The time for which all reads together may still wait for bytes, or nil if it is not limited. When it has passed, a read throws the error
  /// `stopped`, and no byte is lost.
  var patience: Duration? { get set }
}

extension ResumableInput {
  var canResume: Bool { true }
  func enlargePipe() {}

  /// Returns the first bytes without consuming them. Returns nil if there are fewer, or if they do not arrive in a time.
  func beginning(_ count: Int, within time: Duration) -> [UInt8]? {
    patience = time
    defer { patience = nil }
    // `try?`: an error is thrown again when the input is read.
    guard let beginning = try? peek(upTo: count), beginning.count == count else { return nil }
    return beginning
  }
}
