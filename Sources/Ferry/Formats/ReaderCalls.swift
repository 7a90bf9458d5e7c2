/// The calls of a reader, one at a time. A sink or a delegate that calls the reader which is sending to it would otherwise end the process,
/// because the reader is being changed.
final class ReaderCalls {
  private var isInCall = false

  /// Makes a call. Throws an error inside another call.
  func make(_ call: () throws(FerryError) -> Void) throws(FerryError) {
    guard !isInCall else { throw FerryError(.file(.readInside)) }
    isInCall = true
    defer { isInCall = false }
    try call()
  }
}
