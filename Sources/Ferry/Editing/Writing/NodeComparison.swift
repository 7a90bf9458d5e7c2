/// A sink that compares the events of a reader with the values of an edited list, so that neither become values in memory.
///
/// Dictionaries are the same only if they have the same keys in the same order, also those that occur twice.
final class NodeComparison: BatchSink {
  private enum Shape { case array, set, dictionary }

  /// An open collection.
  private struct Frame {
    let node: NodeID
    let shape: Shape
    let count: Int
    /// The index of the next element or entry.
    var next = 0
    /// True if the next value is the key of an entry.
    var isInKey = false
  }

  private let list: EditedPropertyList
  private var frames: [Frame] = []
  private var hasRoot = false

  /// Creates a sink that throws at the first event that differs from the values of a list.
  private init(with list: EditedPropertyList) { self.list = list }

  /// Returns true if a function sends the events of a list's values. It may also throw if it sends others.
  static func finds(
    _ list: EditedPropertyList, in send: (NodeComparison) throws(FerryError) -> Void
  ) -> Bool {
    let comparison = NodeComparison(with: list)
    do throws(FerryError) { try send(comparison) } catch { return false }
    return comparison.hasRoot && comparison.frames.isEmpty
  }

  private static var difference: FerryError { FerryError(.cannotHold(.misplaced("another value"))) }

  private func check(_ isSame: Bool) throws(FerryError) {
    guard isSame else { throw Self.difference }
  }

  /// Returns the node of the list with which the next value is compared.
  private func next() throws(FerryError) -> NodeID {
    guard let last = frames.indices.last else {
      try check(!hasRoot)
      hasRoot = true
      return list.root
    }
    let frame = frames[last]
    try check(frame.next < frame.count)
    guard !frame.isInKey else { return try list.key(frame.next, of: frame.node) }
    frames[last].next += 1
    guard case .dictionary = frame.shape else { return try list.element(frame.next, of: frame.node) }
    return try list.value(frame.next, of: frame.node)
  }

  private func compare(_ kind: NodeKind) throws(FerryError) { try check(list.kind(of: next()) == kind) }

  private func compare(_ kind: NodeKind, _ text: BorrowedText, at node: NodeID) throws(FerryError) {
    try check(list.kind(of: node) == kind)
    try check(list.withText(of: node) { $0.utf8.equals(text.utf8) })
  }

  // MARK: Scalars

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try receiveSingly(events) }

  func null() throws(FerryError) { try compare(.null) }
  func boolean(_ value: Bool) throws(FerryError) { try compare(.boolean(value)) }
  func integer(_ value: Int128) throws(FerryError) { try compare(.integer(value)) }
  func uid(_ number: UInt64) throws(FerryError) { try compare(.uid(number)) }
  func number(_ text: BorrowedText) throws(FerryError) { try compare(.number, text, at: next()) }
  func string(_ text: BorrowedText) throws(FerryError) { try compare(.string, text, at: next()) }

  func real(_ value: Double) throws(FerryError) {
    guard case .real(let known) = try list.kind(of: next()) else { throw Self.difference }
    try check(known.bitPattern == value.bitPattern)
  }

  func single(_ value: Float) throws(FerryError) {
    guard case .single(let known) = try list.kind(of: next()) else { throw Self.difference }
    try check(known.bitPattern == value.bitPattern)
  }

  func date(_ secondsSince2001: Double) throws(FerryError) {
    guard case .date(let known) = try list.kind(of: next()) else { throw Self.difference }
    try check(known.bitPattern == secondsSince2001.bitPattern)
  }

  func data(_ bytes: Span<UInt8>) throws(FerryError) {
    let node = try next()
    try check(list.kind(of: node) == .data)
    try check(list.withData(of: node) { known throws(FerryError) in known.equals(bytes) })
  }

  // MARK: Collections

  private func begin(_ shape: Shape) throws(FerryError) {
    let node = try next()
    let count: Int? =
      switch (try list.kind(of: node), shape) {
      case (.array(let count), .array), (.set(let count), .set), (.dictionary(let count), .dictionary): count
      default: nil
      }
    guard let count else { throw Self.difference }
    frames.append(Frame(node: node, shape: shape, count: count))
  }

  private func end() throws(FerryError) {
    guard let frame = frames.popLast() else { throw Self.difference }
    try check(frame.next == frame.count)
  }

  func beginArray(count: Int?) throws(FerryError) { try begin(.array) }
  func endArray() throws(FerryError) { try end() }
  func beginSet(count: Int?) throws(FerryError) { try begin(.set) }
  func endSet() throws(FerryError) { try end() }
  func beginDictionary(count: Int?) throws(FerryError) { try begin(.dictionary) }
  func endDictionary() throws(FerryError) { try end() }

  func key(_ text: BorrowedText) throws(FerryError) {
    guard let frame = frames.last, frame.next < frame.count, case .dictionary = frame.shape else {
      throw Self.difference
    }
    try compare(.string, text, at: list.key(frame.next, of: frame.node))
  }

  func beginKey() throws(FerryError) {
    guard let last = frames.indices.last, case .dictionary = frames[last].shape else { throw Self.difference }
    frames[last].isInKey = true
  }

  func endKey() throws(FerryError) {
    guard let last = frames.indices.last else { throw Self.difference }
    frames[last].isInKey = false
  }

  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) { throw Self.difference }
  func endObject() throws(FerryError) { throw Self.difference }
  func reference(_ identity: Int) throws(FerryError) { throw Self.difference }
  func finish() {}
}
