/// The calls of a reader, one at a time. A sink or a delegate that calls the reader which is sending to it would otherwise end the process,
/// because the reader is being changed.
struct ReaderCalls {
  private var isInCall = false

  /// Begins a call.
  ///
  /// - Throws: An error inside another call.
  mutating func begin() throws(FerryError) {
    guard !isInCall else { throw FerryError(.file(.readInside)) }
    isInCall = true
  }

  mutating func end() { isInCall = false }
}
