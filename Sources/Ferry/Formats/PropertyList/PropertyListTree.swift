/// A property list in memory: a sink that stores events as nodes.
final class PropertyListTree: BatchSink, PropertyListNodes {
  /// The nodes, for code that visits all of them.
  private(set) var arena: PropertyListArena
  private let format: String

  /// Reads an XML property list.
  convenience init(xml bytes: Span<UInt8>, budget: Budget) throws(FerryError) {
    self.init(budget: budget)
    try XMLPropertyListReader(into: self, budget: budget).readAll(bytes)
    try finish()
  }

  /// Creates an empty tree.
  ///
  /// - Parameters:
  ///   - format: The name of the format in messages about values that it cannot represent.
  ///   - budget: The limits with which the values are read.
  ///   - sharesScalars: Pass true if equal scalars, except for booleans and UIDs, are to become one node.
  init(for format: String = "a property list", budget: Budget, sharesScalars: Bool = false) {
    self.format = format
    arena = PropertyListArena(budget: budget, sharesScalars: sharesScalars)
  }

  // MARK: Nodes

  var root: NodeID { arena.root }
  var nodeCount: Int { arena.table.nodes.count }
  var byteCount: Int { arena.table.byteCount }
  var budget: Budget { arena.budget }
  var hasCollectionsAsKeys: Bool { true }

  func location(of node: NodeID) -> InputLocation { InputLocation() }
  func kind(of node: NodeID) throws(FerryError) -> NodeKind { try arena.table.kind(of: node) }
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline { try arena.table.outline(of: node) }
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try arena.table.element(index, of: node)
  }
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try arena.table.key(index, of: node)
  }
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    try arena.table.value(index, of: node)
  }
  func length(of node: NodeID) throws(FerryError) -> Int { try arena.table.length(of: node) }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    let text = try arena.table.text(of: node)
    return try body(text.borrowed)
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    let data = try arena.table.data(of: node)
    return try body(data.span)
  }

  // MARK: Events

  func null() throws(FerryError) { try arena.add(.null) }
  func boolean(_ value: Bool) throws(FerryError) { try arena.add(value ? .yes : .no) }
  func integer(_ value: Int128) throws(FerryError) { try arena.integer(value, for: format) }
  func real(_ value: Double) throws(FerryError) { try arena.add(.real, value.bitPattern) }
  func single(_ value: Float) throws(FerryError) {
    try arena.add(.single, UInt64(value.bitPattern))
  }
  func date(_ seconds: Double) throws(FerryError) { try arena.add(.date, seconds.bitPattern) }
  func uid(_ number: UInt64) throws(FerryError) { try arena.add(.uid, number) }
  func number(_ text: BorrowedText) throws(FerryError) { try arena.add(.number, text.utf8) }
  func data(_ bytes: Span<UInt8>) throws(FerryError) { try arena.add(.data, bytes) }
  func string(_ text: BorrowedText) throws(FerryError) { try arena.string(text) }

  func beginArray(count: Int?) throws(FerryError) { try arena.begin(.array) }
  func endArray() throws(FerryError) { try arena.end(.array, "the end of an array") }
  func beginSet(count: Int?) throws(FerryError) { try arena.begin(.set) }
  func endSet() throws(FerryError) { try arena.end(.set, "the end of a set") }
  func beginDictionary(count: Int?) throws(FerryError) { try arena.begin(.dictionary) }
  func endDictionary() throws(FerryError) { try arena.end(.dictionary, "the end of a dictionary") }

  func key(_ text: BorrowedText) throws(FerryError) { try arena.key(text) }
  func beginKey() throws(FerryError) { try arena.beginKey() }
  func endKey() throws(FerryError) { try arena.endKey() }

  func beginObject(_ type: ObjectClass, identity: Int?) throws(FerryError) { throw cannotHold("an object") }
  func endObject() throws(FerryError) { throw cannotHold("an object") }
  func reference(_ identity: Int) throws(FerryError) { throw cannotHold("a reference to an object") }

  var prefersBatches: Bool { true }
  func receive(_ events: borrowing EventBatch) throws(EventFailure) { try arena.receive(events, for: format) }

  /// Skips an element of the open array, which only counts. Any number of such elements takes no memory.
  func skipElement() throws(FerryError) { try arena.skipElement() }

  /// Adds another reference to an existing collection as the next child.
  func addAgain(_ node: NodeID) throws(FerryError) { try arena.addAgain(node) }

  /// Adds another reference to an existing string as the next key.
  func addAgain(key node: NodeID) throws(FerryError) {
    try arena.beginKey()
    try arena.addAgain(node)
    try arena.endKey()
  }

  func finish() throws(FerryError) { try arena.finish() }

  /// True after the beginning of a key, before its value.
  var isInKey: Bool { arena.isInKey }

  /// Throws if a collection that begins now would be a key, which only the typed form can represent.
  func checkNotInKey() throws(FerryError) {
    guard !arena.isInKey else { throw cannotHold("a key that is a collection") }
  }

  private func cannotHold(_ kind: String) -> FerryError {
    FerryError(.cannotHold(.kind(kind, format: format)))
  }
}
