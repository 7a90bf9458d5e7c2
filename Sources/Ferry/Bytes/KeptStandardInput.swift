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

  /// The first bytes that were read, and true if more were; nil if none were read.
  package static var first: (bytes: [UInt8], isCut: Bool)? {
    state.withLock { $0.bytes.isEmpty ? nil : ($0.bytes, $0.isCut) }
  }

  /// Adds bytes that were read.
  static func add(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      guard state.limit > 0, !state.isCut else { return }
      let kept = bytes.prefix(state.limit - state.bytes.count)
      state.bytes += kept
      state.isCut = kept.count < bytes.count
    }
  }
}
