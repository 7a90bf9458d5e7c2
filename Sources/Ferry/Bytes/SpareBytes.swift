internal import Synchronization

/// Bytes that are no longer needed. Their memory is used for others, because the system fills new memory with zeros.
final class SpareBytes: Sendable {
  private let spare = Mutex<[[UInt8]]>([])

  /// The largest number of spare arrays, and the largest size of one.
  private static let most = 4
  private static let largest = 4 << 20

  /// The unit of the size of the memory, so that arrays of about the same size can use the same memory.
  private static let unit = 64 << 10

  /// Returns an empty array with room for some bytes, which has the memory of spare bytes if there are some.
  func take(capacity: Int) -> [UInt8] {
    var bytes = spare.withLock { $0.popLast() } ?? []
    bytes.removeAll(keepingCapacity: true)
    if bytes.capacity < capacity { bytes.reserveCapacity((capacity / Self.unit + 1) * Self.unit) }
    return bytes
  }

  /// Adds bytes, which should have no other owner.
  func add(_ bytes: consuming [UInt8]) {
    guard bytes.capacity > 0, bytes.capacity <= Self.largest else { return }
    let added = bytes
    spare.withLock { if $0.count < Self.most { $0.append(added) } }
  }
}
