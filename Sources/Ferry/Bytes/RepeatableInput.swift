/// An input of which is known if its bytes can be read twice.
///
/// It is not known of an input that a program defines: its `rewind()` is only defined after `makeRewindable()`, which copies a pipe, and
/// which must be called before the first byte is read.
protocol RepeatableInput: ByteInput {
  /// True if no byte was consumed, and all bytes can be read again after `rewind()`.
  var canBeReadTwice: Bool { get }
}

extension ByteInput {
  /// True if the input is known to give all its bytes again after `rewind()`, and none of them was consumed.
  var canBeReadTwice: Bool { (self as? any RepeatableInput)?.canBeReadTwice ?? false }
}
