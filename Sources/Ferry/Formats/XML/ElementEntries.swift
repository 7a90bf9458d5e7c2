/// The entries of a batch that a scanner makes. Their memory is reused for the next batch.
struct ElementEntries: ~Copyable {
  /// The entries, followed by entries of earlier batches, whose memory is reused.
  private var storage: [ElementBatch.Entry] = []
  private(set) var count = 0

  /// Creates a list without entries, and with memory for some.
  init(capacity: Int = 0) {
    // A reservation of 0 entries would also allocate a buffer.
    if capacity > 0 { storage.reserveCapacity(capacity) }
  }

  var isEmpty: Bool { count == 0 }

  /// The number of entries for which there is memory.
  var capacity: Int { storage.capacity }

  var span: Span<ElementBatch.Entry> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<count) }
  }

  subscript(index: Int) -> ElementBatch.Entry {
    get { storage[index] }
    set { storage[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ entry: ElementBatch.Entry) {
    if count < storage.count { storage[count] = entry } else { storage.append(entry) }
    count += 1
  }

  /// Removes the entries from an index on.
  mutating func truncate(to count: Int) { self.count = count }

  // MARK: Many entries

  /// Makes room for entries after the last one.
  mutating func makeRoom(for added: Int) {
    while storage.count < count + added { storage.append(ElementBatch.Entry(kind: .end)) }
  }

  /// The memory of the entries, and of some after the last one. `didFill` adds entries that were written there.
  var memory: MutableSpan<ElementBatch.Entry> {
    @_lifetime(&self)
    mutating get { storage.mutableSpan }
  }

  /// Adds entries that were written to `memory` after the last one.
  mutating func didFill(_ added: Int) { count += added }
}
