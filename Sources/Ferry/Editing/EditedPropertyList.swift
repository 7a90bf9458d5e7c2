/// A property list with changes on top of a base list, which stays unchanged.
///
/// Nodes of the base keep their numbers, but changed collections have other children. New nodes have the
/// numbers after those of the base:
///
///     base    0 [1, 2]   1 "a"   2 "b"
///     edited  0 [3, 2]   1 "a"   2 "b"   3 "c"
///
/// A writer can therefore tell which nodes come from the base, and can copy unchanged ones.
final class EditedPropertyList: PropertyListNodes {
  let base: any PropertyListNodes
  /// The kinds of scalars that the file can represent.
  let capabilities: FormatCapabilities
  /// True if the values are those of a typedstream, which become objects.
  let isTypedstream: Bool
  private let baseCount: Int
  /// The new scalars that use the node of an equal scalar, by node.
  var sharedScalars: [NodeID: NodeID] = [:] {
    didSet { filters.removeAll() }
  }
  private var changes: State
  private let lookups = KeyLookups()
  /// The indexes by which filters find elements.
  let filters = FilterLookups()
  /// The existing node that a change adds, the value that represents it, and the value of its copy; `copy` is nil to add the node itself.
  private var carried: (standIn: Value, node: NodeID, copy: Value?)?
  /// True if a value with a text in the file may be at another place.
  var carriesTexts = false
  /// The number of changes so far, with those that were undone.
  private(set) var changeCount = 0

  /// Creates a list without changes over the nodes of a file whose format has these capabilities.
  init(
    _ base: any PropertyListNodes, capabilities: FormatCapabilities = [], isTypedstream: Bool = false
  ) {
    self.base = base
    self.isTypedstream = isTypedstream
    self.capabilities = capabilities
    changes = State(root: base.root)
    baseCount = base.nodeCount
  }

  /// The changes so far.
  struct State {
    fileprivate var root: NodeID
    fileprivate var replaced: [NodeID: Content] = [:]
    /// For each node of the base, true if it was replaced. Empty before the first replacement, because every
    /// access to a node checks it.
    fileprivate var isReplaced: [Bool] = []
    fileprivate var added: [Content] = []
    /// The number of bytes of all scalars that changes have put into the list.
    fileprivate var scalarBytes = 0
    /// The collections with more than one reference. A change through one reference must not affect the others.
    fileprivate var sharedCollections: Set<NodeID>?
    /// The nodes that have been moved to another path.
    fileprivate var movedNodes: Set<NodeID> = []
    /// The nodes that have been copied, by their copies, with those in them.
    fileprivate var origins: [NodeID: NodeID] = [:]
    /// The values that changes have put in the place of copies and of what these copy.
    fileprivate var copies = CopiedValues()

    fileprivate init(root: NodeID) { self.root = root }
  }

  /// The current changes. Setting an earlier state undoes the changes after it.
  var state: State {
    get { changes }
    set {
      changes = newValue
      changeCount += 1
      lookups.removeAll()
      filters.removeAll()
    }
  }

  var root: NodeID { changes.root }
  /// The nodes that have been moved to another path.
  var movedNodes: Set<NodeID> { changes.movedNodes }
  /// The values that changes have put in the place of copies and of what these copy.
  var copies: CopiedValues {
    _read { yield changes.copies }
    _modify { yield &changes.copies }
  }

  /// True if there are no changes.
  var isUnchanged: Bool { changes.replaced.isEmpty && root == base.root }
  /// The number of the first new node.
  var firstNewNode: NodeID { NodeID(baseCount) }
  /// Returns true if the content of a base node was changed.
  func isChanged(_ node: NodeID) -> Bool {
    changes.isReplaced.indices.contains(node.index) && changes.isReplaced[node.index]
  }

  /// The changed nodes in order, followed by the new ones.
  var changedNodes: [NodeID] { changes.replaced.keys.sorted() + (baseCount..<nodeCount).map(NodeID.init) }

  // MARK: Nodes

  var nodeCount: Int { baseCount + changes.added.count }
  var byteCount: Int { base.byteCount + changes.added.count * 16 + changes.scalarBytes }
  var budget: Budget { base.budget }
  var hasCollectionsAsKeys: Bool { base.hasCollectionsAsKeys }

  private func content(of node: NodeID) -> Content? {
    guard node.index >= baseCount else { return isChanged(node) ? changes.replaced[node] : nil }
    return changes.added.indices.contains(node.index - baseCount)
      ? changes.added[node.index - baseCount] : nil
  }

  func location(of node: NodeID) -> InputLocation {
    node.index < baseCount ? base.location(of: node) : InputLocation()
  }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    switch content(of: node) {
    case nil: try base.kind(of: node)
    case .scalar(let kind): kind
    case .text: .string
    case .number: .number
    case .data: .data
    case .array(let elements): .array(count: elements.count)
    case .set(let elements): .set(count: elements.count)
    case .dictionary(let keys, _): .dictionary(count: keys.count)
    }
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    switch content(of: node) {
    case nil: return try base.element(index, of: node)
    case .array(let elements), .set(let elements): return try child(elements, index, node)
    default: throw try noChild(of: node)
    }
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    switch content(of: node) {
    case nil: return try base.key(index, of: node)
    case .dictionary(let keys, _): return try child(keys, index, node)
    default: throw try noChild(of: node)
    }
  }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    switch content(of: node) {
    case nil: return try base.value(index, of: node)
    case .dictionary(_, let values): return try child(values, index, node)
    default: throw try noChild(of: node)
    }
  }

  private func child(_ children: [NodeID], _ index: Int, _ node: NodeID) throws(FerryError) -> NodeID {
    guard children.indices.contains(index) else { throw try noChild(of: node) }
    return sharedScalars.isEmpty ? children[index] : sharedScalars[children[index]] ?? children[index]
  }

  private func noChild(of node: NodeID) throws(FerryError) -> FerryError {
    FerryError(.propertyList(.wrongKind(expected: "a child", found: try kind(of: node).name)))
  }

  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable? {
    try lookups.table(of: node, count: count, in: self)
  }

  /// Returns the names of the files in a dictionary, and of folders.
  func fileNames(in node: NodeID, count: Int, _ folders: [String]) throws(FerryError) -> FileNameTable {
    try lookups.fileNames(in: node, count: count, folders, of: self)
  }

  /// Returns the name of a file, which is a key.
  func name(ofFile key: NodeID) throws(FerryError) -> String {
    try withText(of: key) { text throws(FerryError) in text.utf8.decodedString }
  }

  func numberedEntries(
    of node: NodeID, count: Int, isDictionary: Bool
  ) throws(FerryError) -> NumberedEntries? {
    try lookups.numberedEntries(of: node, count: count, isDictionary: isDictionary, in: self)
  }

  func search(
    _ key: String, in keys: KeyList, following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch {
    try lookups.search(key, in: keys, of: self, following: target)
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    switch content(of: node) {
    case .text(let bytes, let isASCII, let hasSurrogates):
      return try body(BorrowedText(checked: bytes.span, isASCII: isASCII, hasSurrogates: hasSurrogates))
    case .number(let bytes): return try body(BorrowedText(checked: bytes.span, isASCII: true))
    default: return try base.withText(of: node, body)
    }
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    guard case .data(let bytes) = content(of: node) else { return try base.withData(of: node, body) }
    return try body(bytes.span)
  }

  func length(of node: NodeID) throws(FerryError) -> Int {
    switch content(of: node) {
    case .text(let bytes, _, _), .number(let bytes), .data(let bytes): bytes.count
    default: try base.length(of: node)
    }
  }

  // MARK: Changes

  /// Adds a node that nothing refers to yet.
  func add(_ content: Content) -> NodeID {
    changes.scalarBytes += content.scalarBytes
    changes.added.append(content)
    return NodeID(baseCount + changes.added.count - 1)
  }

  /// Replaces the node at the end of a trail.
  func put(_ node: NodeID, at trail: NodeTrail) throws(FerryError) {
    guard let child = trail.children.last else {
      changeCount += 1
      changes.root = node
      return
    }
    try put([child.index: node], in: trail.parent)
  }

  /// Replaces the elements or values with some indices in the collection at the end of a trail, as seen along this trail only.
  func put(_ children: [Int: NodeID], in trail: NodeTrail) throws(FerryError) {
    try replaceChildren(of: ownCollection(trail), by: children)
  }

  /// Inserts a node into the array or set at the end of a trail, as seen along this trail only.
  func insert(_ node: NodeID, at index: Int, of trail: NodeTrail) throws(FerryError) {
    let collection = try ownCollection(trail)
    let isAtEnd = if case .array(let count) = try kind(of: collection) { index >= count } else { false }
    try change(collection, isAtEnd ? .addition : .others) { content in
      content.changeElements { elements in
        if index < elements.count { lookups.noteMove(in: collection) }
        elements.insert(node, at: min(max(index, 0), elements.count))
      }
    }
  }

  /// Removes an element of the array or set at the end of a trail, as seen along this trail only. Does nothing if it has no such element.
  func remove(at index: Int, of trail: NodeTrail) throws(FerryError) {
    let collection = try ownCollection(trail)
    try change(collection) { content in
      content.changeElements { elements in
        guard elements.indices.contains(index) else { return }
        lookups.noteRemoval(at: index, of: collection, elements[index])
        elements.remove(at: index)
      }
    }
  }

  /// Moves the elements of an array or set: the element at each index comes from an index.
  func order(_ order: [Int], of trail: NodeTrail) throws(FerryError) {
    carriesTexts = true
    let collection = try ownCollection(trail)
    // The list may be that of the objects, which then have other numbers.
    lookups.removeLists()
    try change(collection) { content in
      content.changeElements { elements in
        if elements.count == order.count { elements = order.map { elements[$0] } }
      }
    }
  }

  /// Replaces the elements of the array or set at the end of a trail, as seen along this trail only.
  func replaceElements(of trail: NodeTrail, by new: [NodeID]) throws(FerryError) {
    let collection = try ownCollection(trail)
    lookups.removeLists()
    try change(collection) { content in content.changeElements { $0 = new } }
  }

  /// Replaces entries of the dictionary at the end of a trail, as seen along this trail only. Does nothing if it has no such entries.
  func replaceEntries(
    _ range: Range<Int>, of trail: NodeTrail, by newKeys: [NodeID], _ newValues: [NodeID]
  ) throws(FerryError) {
    let node = try ownCollection(trail)
    let isAtEnd = if case .dictionary(range.lowerBound) = try kind(of: node) { true } else { false }
    try change(node, isAtEnd ? .addition : .others) { content in
      content.changeEntries { keys, values in
        guard range.upperBound <= keys.count else { return }
        if !range.isEmpty { lookups.noteMove(in: node) }
        lookups.update(node, range, of: keys, by: newKeys, in: self)
        keys.replaceSubrange(range, with: newKeys)
        values.replaceSubrange(range, with: newValues)
      }
    }
  }

  /// Inserts an element stored in numbered entries of the dictionary at the end of a trail, as seen along this trail only. The elements
  /// after it move to the next entries, and the last one to a new entry. Does nothing if the node is not a dictionary.
  ///
  /// - Parameter key: The key of the element in a dictionary that an archive has.
  func insertNumbered(
    _ element: NodeID, key: NodeID?, at index: Int, into parts: NumberedEntries, of trail: NodeTrail
  ) throws(FerryError) {
    let node = try ownCollection(trail)
    guard let end = try endOfEntries(of: node) else { return }
    let number = parts.elements.count
    var columns = [(name: "NS.object.", entries: parts.elements, new: element)]
    if let key { columns.insert(("NS.key.", parts.keys, key), at: 0) }
    var newKeys: [NodeID] = []
    for column in columns { newKeys.append(try add(contents: .string("\(column.name)\(number)"))) }
    try change(node) { content in
      content.changeEntries { keys, values in
        guard index >= 0, index <= number,
          columns.allSatisfy({
            $0.entries.count == number && $0.entries.allSatisfy(values.indices.contains)
          })
        else {
          return
        }
        lookups.noteInsertion(at: index, ofNumbered: node, adding: newKeys, at: end, to: keys, in: self)
        for column in columns.indices {
          for entry in columns[column].entries[index...] { swap(&columns[column].new, &values[entry]) }
        }
        keys.insert(contentsOf: newKeys, at: end)
        values.insert(contentsOf: columns.map(\.new), at: end)
      }
    }
  }

  /// Removes an element stored in numbered entries of the dictionary at the end of a trail, as seen along this trail only: the elements
  /// after it move one entry down, and the last entry is removed. Does nothing if it has no such entries.
  ///
  /// - Returns: The removed values: of each column, the one at the index.
  func removeNumbered(
    _ index: Int, from parts: NumberedEntries, of trail: NodeTrail
  ) throws(FerryError) -> [NodeID] {
    let node = try ownCollection(trail)
    let columns = parts.keys.isEmpty ? [parts.elements] : [parts.elements, parts.keys]
    var removed: [NodeID] = []
    try change(node) { content in
      content.changeEntries { keys, values in
        guard columns.allSatisfy({ $0.indices.contains(index) && $0.allSatisfy(values.indices.contains) })
        else {
          return
        }
        for entries in columns {
          removed.append(values[entries[index]])
          for number in index..<entries.count - 1 { values[entries[number]] = values[entries[number + 1]] }
        }
        let last = columns.compactMap(\.last).sorted(by: >)
        lookups.noteRemoval(
          at: index, ofNumbered: node, removing: last, of: keys, columns.count > 1 ? removed[1] : nil,
          in: self)
        for entry in last {
          keys.remove(at: entry)
          values.remove(at: entry)
        }
      }
    }
    return removed
  }

  /// Replaces the key of an entry in the dictionary at the end of a trail, as seen along this trail only. The value keeps its node.
  func rename(_ index: Int, of trail: NodeTrail, to key: NodeID) throws(FerryError) {
    let value = try value(index, of: node(at: trail))
    try replaceEntries(index..<index + 1, of: trail, by: [key], [value])
    // In a typedstream, the value at the new key is the object at the old one, and no copy of it.
    if isTypedstream { changes.movedNodes.insert(value) }
  }

  /// Replaces children of a collection for all its references.
  ///
  /// - Parameters:
  ///   - node: The collection.
  ///   - children: The new elements or values, by index.
  ///   - keys: The new keys of a dictionary, by index.
  func replaceChildren(of node: NodeID, by children: [Int: NodeID], keys: [Int: NodeID] = [:])
    throws(FerryError)
  {
    guard !children.isEmpty || !keys.isEmpty else { return }
    if !keys.isEmpty { lookups.removeTable(of: node) }
    if node == root { lookups.removeLists() }
    try change(node, keys.isEmpty ? .children(Array(children.keys)) : .others) { content in
      content.changeElements { elements in
        if lookups.hasLists {
          let old = children.keys.filter(elements.indices.contains).map { ($0, elements[$0]) }
          lookups.noteReplacement(in: node, Dictionary(old) { first, _ in first })
        }
        elements.replace(children)
      }
      content.changeEntries {
        lookups.noteReplacement(ofValues: children.keys, in: node)
        $0.replace(keys)
        $1.replace(children)
      }
    }
  }

  /// Changes the content of a collection in place: copying it would take time in proportion to all its children.
  private func change(
    _ node: NodeID, _ kind: FilterLookups.Change = .others, _ body: (inout Content) -> Void
  ) throws(FerryError) {
    changeCount += 1
    filters.note(kind, of: node)
    var content = try take(node)
    body(&content)
    guard node.index < baseCount else { return changes.added[node.index - baseCount] = content }
    if changes.isReplaced.isEmpty { changes.isReplaced = [Bool](repeating: false, count: baseCount) }
    changes.isReplaced[node.index] = true
    changes.replaced[node] = content
  }

  /// Returns the content of a collection to change and put back. Nothing else refers to it then.
  private func take(_ node: NodeID) throws(FerryError) -> Content {
    if node.index >= baseCount, changes.added.indices.contains(node.index - baseCount) {
      return changes.added[node.index - baseCount].take()
    }
    if isChanged(node), let content = changes.replaced[node]?.take() { return content }
    return try copy(of: node)
  }

  /// Returns the collection at the end of a trail. Copies the collections on the trail from the first shared
  /// one on.
  private func ownCollection(_ trail: NodeTrail) throws(FerryError) -> NodeID {
    var node = root
    for child in trail.children {
      let inner = try self.node(child, of: node)
      guard try isShared(inner) else {
        node = inner
        continue
      }
      let own = add(try copy(of: inner))
      try markChildrenShared(of: inner)
      try replaceChildren(of: node, by: [child.index: own])
      node = own
    }
    return node
  }

  /// Returns the content of a collection as a copy to change.
  private func copy(of node: NodeID) throws(FerryError) -> Content {
    if let content = content(of: node) { return content }
    switch try base.kind(of: node) {
    case .array(let count): return .array(try elements(of: node, count))
    case .set(let count): return .set(try elements(of: node, count))
    case .dictionary(let count):
      var (keys, values): ([NodeID], [NodeID]) = ([], [])
      for index in 0..<count {
        keys.append(try base.key(index, of: node))
        values.append(try base.value(index, of: node))
      }
      return .dictionary(keys: keys, values: values)
    case let kind:
      throw FerryError(.propertyList(.wrongKind(expected: "a collection", found: kind.name)))
    }
  }

  /// Adds a dictionary with the entries of another and with collections of its own, and returns its node.
  func addCopy(ofDictionary node: NodeID) throws(FerryError) -> NodeID {
    guard case .dictionary = try kind(of: node), case .dictionary(let keys, var values) = try copy(of: node)
    else { return add(.scalar(.null)) }
    for (index, value) in values.enumerated() where try kind(of: value).isCollection {
      values[index] = add(try copy(of: value))
      try markChildrenShared(of: value)
    }
    return add(.dictionary(keys: keys, values: values))
  }

  private func elements(of node: NodeID, _ count: Int) throws(FerryError) -> [NodeID] {
    var elements: [NodeID] = []
    elements.reserveCapacity(count)
    for index in 0..<count { elements.append(try base.element(index, of: node)) }
    return elements
  }

  // MARK: Moved and copied nodes

  /// Makes a change that adds an existing node of the list, or a copy of it. The copy keeps the text that the node has in the file.
  ///
  /// - Parameters:
  ///   - node: The node, which must have been removed unless it is copied.
  ///   - standIn: The value that represents the node in the change.
  ///   - copy: The value of a copy, or nil for the node itself.
  func carrying(
    _ node: NodeID, as standIn: Value, copy: Value?, _ change: () throws(FerryError) -> Void
  ) throws(FerryError) {
    carried = (standIn, node, copy)
    defer { carried = nil }
    try change()
  }

  /// Returns true if a value represents the node of the current change.
  func carries(_ value: Value) -> Bool { carried?.standIn == value }

  /// Adds a value with its contents, and returns its node.
  func add(value: Value) throws(FerryError) -> NodeID {
    guard let known = carried, value == known.standIn else { return try add(contents: value) }
    guard let copy = known.copy else {
      changes.movedNodes.insert(known.node)
      return known.node
    }
    // A value inside the copy may equal `standIn`, but does not represent the node.
    carried = nil
    defer { carried = known }
    let new = try add(contents: copy)
    try setOrigins(of: new, copying: known.node)
    carriesTexts = true
    return new
  }

  /// Sets the origins of a copy and of the values in it.
  func setOrigins(of copy: NodeID, copying node: NodeID) throws(FerryError) {
    var pairs = [(copy: copy, node: node)]
    while let (copy, node) = pairs.popLast() {
      changes.origins[copy] = changes.origins[node] ?? node
      let kind = try kind(of: node)
      guard kind.isCollection, try self.kind(of: copy) == kind else { continue }
      switch kind {
      case .array(let count), .set(let count):
        for index in 0..<count { pairs.append((try element(index, of: copy), try element(index, of: node))) }
      case .dictionary(let count):
        for index in 0..<count { pairs.append((try value(index, of: copy), try value(index, of: node))) }
      default: break
      }
    }
  }

  /// Returns the node of the original file whose text has the value of a node: the node itself, or the one that it comes from. Nil for a new
  /// value, and if a part of the value has been changed.
  func textOrigin(of node: NodeID) throws(FerryError) -> NodeID? {
    guard let origin = original(of: node) else { return nil }
    return try builtValue(of: node) == base.builtValue(of: origin) ? origin : nil
  }

  /// Returns the node of the original file that a node is, or that it comes from, also if parts of it have been changed. Nil for a new value.
  func original(of node: NodeID) -> NodeID? { node < firstNewNode ? node : origin(of: node) }

  /// Sets the origin of a node that replaces another one and has its contents, with others.
  func setOrigin(of new: NodeID, replacing node: NodeID) {
    changes.origins[new] = changes.origins[node] ?? node
  }

  /// Returns the node of the original file that a node is a copy of, or nil.
  func origin(of node: NodeID) -> NodeID? { changes.origins[node].flatMap { $0 < firstNewNode ? $0 : nil } }

  // MARK: Shared collections

  private func isShared(_ node: NodeID) throws(FerryError) -> Bool {
    if changes.sharedCollections == nil { changes.sharedCollections = try findSharedCollections() }
    return changes.sharedCollections?.contains(node) ?? false
  }

  private func markChildrenShared(of node: NodeID) throws(FerryError) {
    // A copy that is not part of the list yet would not be found later.
    if changes.sharedCollections == nil { changes.sharedCollections = try findSharedCollections() }
    try forEachChild(of: node) { child throws(FerryError) in
      if try kind(of: child).isCollection { changes.sharedCollections?.insert(child) }
    }
  }

  private func findSharedCollections() throws(FerryError) -> Set<NodeID> {
    let counts = try referenceCounts(from: root)
    var shared: Set<NodeID> = []
    for index in counts.indices where counts[index] > 1 {
      let node = NodeID(index)
      if try kind(of: node).isCollection { shared.insert(node) }
    }
    return shared
  }
}

extension [NodeID] {
  /// Replaces the nodes at some indices.
  fileprivate mutating func replace(_ new: [Int: NodeID]) {
    for (index, node) in new where indices.contains(index) { self[index] = node }
  }
}
