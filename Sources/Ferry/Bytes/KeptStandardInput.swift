import Synchronization

/// The first bytes that were read from the standard input, for the lines of errors: a pipe cannot be read again.
package enum KeptStandardInput {
  private struct State {
    /// The number of bytes to keep; 0 to keep none.
    var limit = 0
    var bytes: [UInt8] = []
    /// True if more bytes were read than are kept.
    var isCut = false
  }

  private static let state = Mutex(State())

  /// Keeps the bytes that are read from now on, up to a number.
  package static func keep(upTo limit: Int) { state.withLock { $0.limit = limit } }

  /// The bytes that were read; nil if they were more than are kept, or if none were read.
  package static var bytes: [UInt8]? { state.withLock { $0.isCut || $0.bytes.isEmpty ? nil : $0.bytes } }

  /// Adds bytes that were read.
  static func add(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      guard state.limit > 0, !state.isCut else { return }
      if state.bytes.count + bytes.count > state.limit {
        (state.bytes, state.isCut) = ([], true)
      } else {
        state.bytes += bytes
      }
    }
  }
}
