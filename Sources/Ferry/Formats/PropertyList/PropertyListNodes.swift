/// Random access to the nodes of a property list: the objects of a binary file, or a tree in memory.
///
/// Nodes are numbered from 0 to `nodeCount` − 1. Node numbers must come from `root` or from another node, and
/// indices must be less than the count of the collection. A request that does not match the kind of a node
/// throws an error.
protocol PropertyListNodes {
  /// The root node, which contains all others.
  var root: NodeID { get }
  /// The number of nodes, including nodes to which nothing refers.
  var nodeCount: Int { get }
  /// The size of the nodes in bytes. It limits the expansion of shared nodes.
  var byteCount: Int { get }
  /// The limits on the cost of the nodes: those with which the file was read.
  var budget: Budget { get }
  /// True if a key may be a collection, as in YAML.
  var hasCollectionsAsKeys: Bool { get }
  /// Returns the kind of a node, with the value of a scalar except for text and data.
  func kind(of node: NodeID) throws(FerryError) -> NodeKind
  /// Returns the kind of a node without the value of a number or a date.
  func outline(of node: NodeID) throws(FerryError) -> NodeOutline
  /// Returns the node of an element of an array or a set.
  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns an array or a set for requests of many elements in any order.
  func list(of node: NodeID) throws(FerryError) -> NodeList
  /// Returns the node of an element of a list.
  func element(_ index: Int, in list: NodeList) throws(FerryError) -> NodeID
  /// Returns the node of the key of a dictionary's entry.
  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns the node of the value of a dictionary's entry.
  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID
  /// Returns the key and the value of a dictionary's entry.
  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID)
  /// Appends the nodes to which a collection refers: the elements of an array or a set, or all keys of a dictionary and
  /// then all its values. In a binary file, this is faster than requests for each of them.
  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError)
  /// Returns a table of the keys of a dictionary, or nil if keys are to be compared one by one.
  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable?
  /// Returns the numbered entries of an object, or nil if it has others.
  func numberedEntries(
    of node: NodeID, count: Int, isDictionary: Bool
  ) throws(FerryError) -> NumberedEntries?
  /// Searches a key among the keys of a dictionary, as an archive has them.
  ///
  /// - Parameter target: Returns the object to which a key refers.
  func search(
    _ key: String, in keys: KeyList, following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch
  /// Calls a function with the text of a string, or of a number that is stored as text.
  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R
  /// Calls a function with the text of a string, and with the offset of the text in `withBytes`, which is nil if the
  /// text is not there in UTF-8.
  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R
  /// Calls a function with the bytes of the file, in which texts may be.
  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R
  /// Calls a function with the bytes of a data node.
  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R
  /// Returns the length of a string or data without reading it: in bytes, or in code units for a string
  /// stored as UTF-16.
  func length(of node: NodeID) throws(FerryError) -> Int
  /// Returns the length of a string as `length(of:)` does, or nil for other nodes.
  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int?
  /// Returns the length of a string or data as `length(of:)` does, or nil for other nodes.
  func lengthOfStringOrData(_ node: NodeID) throws(FerryError) -> Int?
  /// Returns the source location of a node. It is empty if it is unknown.
  func location(of node: NodeID) -> InputLocation
  /// Returns true if two scalars have the same kind, and the same bits or bytes.
  func isSameScalar(_ a: NodeID, _ b: NodeID) throws(FerryError) -> Bool
  /// Returns a hash of a scalar that is consistent with `isSameScalar`.
  func hashOfScalar(_ node: NodeID) throws(FerryError) -> UInt64
  /// Appends the hashes of some nodes, with 0 for each that is not a scalar of a few bytes or is invalid. Appends nothing if single
  /// hashes take no longer.
  func appendHashes(ofShortScalarsFrom node: NodeID, count: Int, to hashes: inout [UInt64])
  /// Collects some entries of a dictionary, or elements of an array or a set, that are scalars, from an index on. Stops before
  /// the first for which the list has no fast way, and when the batch is full.
  ///
  /// - Parameter takesRecords: True to collect the dictionaries in an array or a set, too, up to the first one whose entries are not all collected.
  func collectScalars(
    of node: NodeID, in indices: Range<Int>, takesRecords: Bool, into sender: inout EventSender,
    keys: inout CollectedKeys, weight: inout CollectedWeight
  ) -> CollectedChildren
}

extension PropertyListNodes {
  func lengthOfString(_ node: NodeID) throws(FerryError) -> Int? {
    try kind(of: node) == .string ? length(of: node) : nil
  }

  func lengthOfStringOrData(_ node: NodeID) throws(FerryError) -> Int? {
    switch try kind(of: node) {
    case .string, .data: try length(of: node)
    default: nil
    }
  }

  func entry(_ index: Int, of node: NodeID) throws(FerryError) -> (key: NodeID, value: NodeID) {
    (try key(index, of: node), try value(index, of: node))
  }

  func list(of node: NodeID) throws(FerryError) -> NodeList { NodeList(node: node) }

  func element(_ index: Int, in list: NodeList) throws(FerryError) -> NodeID {
    try element(index, of: list.node)
  }

  func appendReferences(of node: NodeID, to references: inout [NodeID]) throws(FerryError) {
    switch try kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { references.append(try element(index, of: node)) }
    case .dictionary(let count):
      for index in 0..<count { references.append(try key(index, of: node)) }
      for index in 0..<count { references.append(try value(index, of: node)) }
    default: break
    }
  }

  func withLocatedText<R>(
    of node: NodeID, _ body: (BorrowedText, Int?) throws(FerryError) -> R
  ) throws(FerryError) -> R {
    try withText(of: node) { text throws(FerryError) in try body(text, nil) }
  }

  func withBytes<R>(_ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try body(Span())
  }

  func collectScalars(
    of node: NodeID, in indices: Range<Int>, takesRecords: Bool, into sender: inout EventSender,
    keys: inout CollectedKeys, weight: inout CollectedWeight
  ) -> CollectedChildren { CollectedChildren(next: indices.lowerBound) }

  func isSameScalar(_ a: NodeID, _ b: NodeID) throws(FerryError) -> Bool {
    guard a != b else { return true }
    return try isSameScalar(a, as: b, of: self)
  }

  /// Returns true if a scalar and one of another list have the same kind, and the same bits or bytes.
  func isSameScalar(_ a: NodeID, as b: NodeID, of other: some PropertyListNodes) throws(FerryError) -> Bool {
    let kind = try kind(of: a)
    guard try kind.isSameScalar(as: other.kind(of: b)) else { return false }
    switch kind {
    case .string, .number:
      return try withText(of: a) { first throws(FerryError) in
        try other.withText(of: b) { second throws(FerryError) in first.utf8.equals(second.utf8) }
      }
    case .data:
      return try withData(of: a) { first throws(FerryError) in
        try other.withData(of: b) { second throws(FerryError) in first.equals(second) }
      }
    default: return true
    }
  }

  func hashOfScalar(_ node: NodeID) throws(FerryError) -> UInt64 {
    switch try kind(of: node) {
    case .string, .number: try withText(of: node) { text throws(FerryError) in text.utf8.hashOfBytes }
    case .data: try withData(of: node) { bytes throws(FerryError) in bytes.hashOfBytes }
    case let kind: kind.hashOfNumber
    }
  }
}

extension PropertyListNodes {
  func appendHashes(ofShortScalarsFrom node: NodeID, count: Int, to hashes: inout [UInt64]) {}

  var hasCollectionsAsKeys: Bool { false }

  /// The number of references and bytes that a walk over the nodes may visit. Overlapping objects may each have
  /// those of all others; a valid file has no more than it has bytes.
  var visitLimit: Int { 4 * byteCount + 2 * nodeCount + 64 }

  /// Returns true if a node is a string or data long enough to be sent once and then referred to.
  func isLongScalar(_ node: NodeID) throws(FerryError) -> Bool {
    switch try kind(of: node) {
    case .string, .data: try length(of: node) >= RepeatedScalars.shortestLength
    default: false
    }
  }

  /// Sends a node and its contents to a sink. Does not call `finish`.
  ///
  /// A shared node is sent once for each reference, so that a small file may expand to a large value. The
  /// budget limits the expansion. A collection that contains itself throws an error.
  ///
  /// - Parameters:
  ///   - node: The node to send.
  ///   - sink: Receives the events.
  ///   - budget: The limits on depth and expansion.
  ///   - marksShared: Pass true to send a shared collection once as an object without a class, whose identity
  ///     is its node number, and after that as a reference.
  ///   - shared: The style of marked collections. With `inFull`, references are sent only inside the
  ///     collection itself.
  ///   - refersToScalars: Pass true to send long strings and data in the same way if their copies would
  ///     exceed the budget.
  ///   - locator: Receives the source location of each node before it is sent; nil if no sink needs it.
  @specialized(where Self == BinaryPropertyList)
  @specialized(where Self == PropertyListTree)
  func replay(
    _ node: NodeID, into sink: any ValueSink, budget: Budget, marksShared: Bool = false,
    shared: SharedObjectStyle = .reference, refersToScalars: Bool = false, locator: SourceLocator? = nil
  ) throws(FerryError) {
    var replay = NodeReplay(
      self, root: node, into: sink, budget: budget, shared: shared, refersToScalars: refersToScalars,
      locator: locator)
    if marksShared { try replay.findShared(from: node) }
    do throws(FerryError) {
      try replay.send(node)
      while try replay.step() {}
    } catch {
      // The events before the error determine its path.
      try replay.flush()
      throw error
    }
    try replay.flush()
  }

  /// Returns the value of a node.
  func builtValue(of node: NodeID) throws(FerryError) -> Value {
    let builder = ValueBuilder()
    try replay(node, into: builder, budget: budget)
    return try builder.result()
  }

  /// Sends some entries of a dictionary as a dictionary. The budget limits the expansion of all of them. Does not call `finish`.
  func replay(
    entries indices: [Int], of dictionary: NodeID, into sink: any ValueSink, budget: Budget
  ) throws(FerryError) {
    var replay = NodeReplay(
      self, root: dictionary, into: sink, budget: budget, shared: .reference, refersToScalars: false,
      locator: nil)
    try sink.beginDictionary(count: indices.count)
    for index in indices {
      try replay.send(entry: index, of: dictionary)
      while try replay.step() {}
    }
    try replay.flush()
    try sink.endDictionary()
  }
}
