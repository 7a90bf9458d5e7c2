internal import Synchronization

/// Small documents in XML that were read to find their common shape, and are converted next.
///
/// Each is kept for one conversion, until when its file must not change. The memory for them is limited: documents for which there is no room
/// are read again.
final class ReadDocuments: Sendable {
  /// A document that was read.
  struct Document: Sendable {
    let format: Format
    let head: [UInt8]
    /// The file name without the extension of a compression.
    let name: String?
    let isDecodedByReader: Bool
    let budget: Budget
    let elements: KeptElements

    /// The size of the document in memory in bytes.
    var size: Int { head.count + elements.size }
  }

  private struct Entry {
    var path: String
    var document: Document
  }

  private struct State {
    /// The documents by the stamps of their files.
    var entries: [FileStamp: Entry] = [:]
    /// The size of all documents in memory in bytes.
    var size = 0
  }

  private let state = Mutex(State())
  /// The maximum size in bytes of a file, and of all documents in memory.
  private static let (fileSize, totalSize) = (1 << 12, 1 << 24)

  /// Keeps a document of a file.
  func add(_ document: Document, of file: FileInput) {
    guard let path = file.path, let fileSize = file.size, fileSize == document.head.count,
      fileSize <= Self.fileSize
    else { return }
    let size = document.size
    state.withLock { state in
      guard state.size + size <= Self.totalSize else { return }
      let earlier = state.entries.updateValue(Entry(path: path, document: document), forKey: file.stamp)
      state.size += size - (earlier?.document.size ?? 0)
    }
  }

  /// Returns the document of a file, which is then no longer kept. Returns nil if the document is not kept, if the file has changed, or if the
  /// document was read with another budget.
  func take(_ file: FileInput, budget: Budget) -> Document? {
    guard let path = file.path else { return nil }
    let entry = state.withLock { state in
      let entry = state.entries.removeValue(forKey: file.stamp)
      if let entry { state.size -= entry.document.size }
      return entry
    }
    guard let entry, entry.path.equals(path), entry.document.budget == budget else { return nil }
    file.whenRead?(entry.document.head.count)
    return entry.document
  }
}
