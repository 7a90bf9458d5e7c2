internal import Synchronization

/// A list of values that may be too long for memory, such as the errors in a file. A long one is kept in a temporary file, as JSON.
package final class SpooledList: Sendable {
  private struct State {
    let text: SpooledOutput
    let writer: JSONWriter
    var isEmpty = true
    var isComplete = false
    /// The error of the temporary file.
    var error: FerryError?

    init() {
      text = SpooledOutput()
      writer = JSONWriter(to: text)
    }

    mutating func add(_ value: Value) throws(FerryError) {
      if isEmpty { try writer.beginArray(count: nil) }
      isEmpty = false
      try value.replay(into: writer)
    }

    mutating func complete() throws(FerryError) {
      if let error { throw error }
      guard !isComplete else { return }
      isComplete = true
      if isEmpty { try writer.beginArray(count: nil) }
      try writer.endArray()
      try writer.finish()
    }
  }

  private let state = Mutex(State())

  /// Creates an empty list.
  package init() {}

  /// True if no value was added.
  package var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Adds a value, unless the list was sent before. `replay` throws the error of a full disk.
  package func add(_ value: Value) {
    state.withLock { state in
      guard state.error == nil, !state.isComplete else { return }
      do throws(FerryError) { try state.add(value) } catch { state.error = error }
    }
  }

  /// Sends the list to a sink. Does not call `finish`.
  func replay(into sink: any ValueSink) throws(FerryError) {
    try state.withLock { state throws(FerryError) in try state.complete() }
    let reader = JSONReader(into: sink)
    var offset = 0
    do throws(FerryError) {
      while let chunk = try chunk(from: offset) {
        try reader.read(chunk.span)
        offset += chunk.count
      }
      try reader.finish()
    } catch {
      // An error of the sink has no location in the temporary file.
      var error = error
      error.location = InputLocation()
      throw error
    }
  }

  private func chunk(from offset: Int) throws(FerryError) -> [UInt8]? {
    try state.withLock { state throws(FerryError) in try state.text.chunk(from: offset) }
  }
}
