internal import Synchronization

/// How far a document has been read or written. Anybody may ask at any time.
public final class DocumentProgress: Sendable {
  private struct Bytes {
    var completed = 0
    var total = 0
  }

  private let bytes = Mutex(Bytes())

  init() {}

  /// The bytes that have been read or written.
  public var completedBytes: Int { bytes.withLock(\.completed) }
  /// The bytes that there are; 0 as long as nobody knows, and of packages, whose files are read when they are asked for.
  public var totalBytes: Int { bytes.withLock(\.total) }
  /// How much is done, from 0 to 1.
  public var fractionCompleted: Double {
    bytes.withLock { $0.total == 0 ? 0 : min(1, Double($0.completed) / Double($0.total)) }
  }

  func begin(total: Int) { bytes.withLock { $0 = Bytes(total: total) } }
  func complete(_ count: Int) { bytes.withLock { $0.completed += count } }
}
