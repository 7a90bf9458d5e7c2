/// The entries of a batch that a scanner makes. Their memory is used again for the next batch.
struct ElementEntries: ~Copyable {
  /// The entries, followed by some of earlier batches.
  private var storage: [ElementBatch.Entry] = []
  private(set) var count = 0

  /// Creates a list without entries, and with memory for some.
  init(capacity: Int = 0) { storage.reserveCapacity(capacity) }

  var isEmpty: Bool { count == 0 }

  var span: Span<ElementBatch.Entry> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<count) }
  }

  subscript(index: Int) -> ElementBatch.Entry {
    get { storage[index] }
    set { storage[index] = newValue }
  }

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

  /// The memory of the entries, and of some after them. Entries there are added by `didFill`.
  var memory: MutableSpan<ElementBatch.Entry> {
    @_lifetime(&self)
    mutating get { storage.mutableSpan }
  }

  /// Adds the first entries after the last one in `memory`.
  mutating func didFill(_ added: Int) { count += added }
}
