internal import Synchronization

/// The progress of reading or writing a document. Its properties may be read on any thread.
public final class DocumentProgress: Sendable {
  private struct Bytes {
    var completed = 0
    var total = 0
  }

  private let bytes = Mutex(Bytes())

  init() {}

  /// The number of bytes read or written.
  public var completedBytes: Int { bytes.withLock(\.completed) }
  /// The total number of bytes, or 0 if it is unknown. It is always 0 for packages, whose files are read on
  /// demand.
  public var totalBytes: Int { bytes.withLock(\.total) }
  /// The completed fraction, from 0 to 1.
  public var fractionCompleted: Double {
    bytes.withLock { $0.total == 0 ? 0 : min(1, Double($0.completed) / Double($0.total)) }
  }

  func begin(total: Int) { bytes.withLock { $0 = Bytes(total: total) } }
  func complete(_ count: Int) { bytes.withLock { $0.completed += count } }
}
