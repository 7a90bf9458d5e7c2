/// A writer of an edited typedstream. It changes the values that have changed, in the C types and classes of the old ones,
/// and copies all others.
///
///     {"name": "Ada", "size": 3}      name becomes "Grace"      the NSString of the name is replaced
///                                     "age" is added            the NSDictionary has one more key and value
///     MyClass with an int and a rect  the int becomes 7         the int is replaced
///                                     an element is added       refused: only MyClass knows what it archives
///
/// If the text of an attributed string becomes longer or shorter, its last run does too.
struct TypedstreamEdits {
  let list: EditedPropertyList
  let tree: TypedstreamTree
  private let tapeSink = TapeSink()
  var changes = TypedstreamChanges()
  var waiting: [NodeID] = []
  /// The collections of the original file from which a value has moved to another path, at any depth.
  private var movedFrom: Set<NodeID> = []
  /// The nodes of the new values, by the entries that they replace.
  private var replacingNodes: [TypedstreamEntryIndex: NodeID] = [:]
  /// The nodes with the new contents of objects, by the objects.
  private var changedNodes: [TypedstreamObjectNumber: NodeID] = [:]

  var shapes: TypedstreamShapes { tree.stream.shapes }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - list: The values with their changes.
  ///   - tree: The values of the original file.
  init(of list: EditedPropertyList, over tree: TypedstreamTree) { (self.list, self.tree) = (list, tree) }

  /// Returns the bytes of the edited file.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` or a `TypedstreamProblem` if the file cannot have the changed
  ///   values.
  func bytes() throws(FerryError) -> [UInt8] {
    var copy = self
    try copy.collect()
    copy.changes.tape = copy.tapeSink.tape
    var copier = TypedstreamCopier(copying: tree.stream, copy.changes)
    let bytes = try copier.copy()
    // The change may have made the file one that cannot be read, because it exceeds a limit.
    _ = try Typedstream(bytes, budget: tree.stream.budget)
    return bytes
  }

  private mutating func collect() throws(FerryError) {
    movedFrom = try collectionsWithMovedValues()
    waiting = [list.root]
    if list.root != tree.nodes.root {
      waiting = []
      if tree.stream.valueCount == 1 {
        try replace(Pair(entry: .first, old: tree.nodes.root, new: list.root), isElement: false)
      } else if try !replaceParts(of: tree.nodes.root, by: list.root) {
        throw Self.refused("the file has several values, which can only be changed one by one")
      }
    }
    while let node = waiting.popLast() { try visit(node) }
  }

  static func refused(_ why: String) -> FerryError {
    FerryError(.path(.cannotPut("this value", .other(why))))
  }

  /// Records a new value, and returns its tape index.
  func record(_ node: NodeID) throws(FerryError) -> TapeIndex {
    let index = tapeSink.tape.end
    try list.replay(node, into: tapeSink, budget: tree.stream.budget)
    return index
  }

  // MARK: Finding changes

  /// Returns true if a node is one of the original file.
  func isOriginal(_ node: NodeID) -> Bool { node < list.firstNewNode }

  /// Returns the children of a collection: elements, or the values of entries.
  func children(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
    var children: [NodeID] = []
    switch try nodes.kind(of: node) {
    case .array(let count), .set(let count):
      for index in 0..<count { children.append(try nodes.element(index, of: node)) }
    case .dictionary(let count):
      for index in 0..<count { children.append(try nodes.value(index, of: node)) }
    default: break
    }
    return children
  }

  /// Returns the keys of a dictionary, or nil for other values.
  func keys(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [ExactString]? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    var keys: [ExactString] = []
    for index in 0..<count { keys.append(ExactString(try nodes.string(nodes.key(index, of: node)) ?? "")) }
    return keys
  }

  /// Visits a collection of the original file.
  private mutating func visit(_ node: NodeID) throws(FerryError) {
    if try tree.pointer(at: node) != nil {
      if list.isChanged(node) {
        throw Self.refused("this is a reference to another object, which can be replaced as a whole")
      }
      return
    }
    let object = tree.entries[node].flatMap { shapes.object(at: $0) }
    if let object, case .attributedString(let string, let runs) = shapes.shape(of: object) {
      return try visit(attributedString: node, like: node, object, string, runs)
    }
    let new = try children(of: node, in: list)
    guard list.isChanged(node) else {
      waiting += new
      return
    }
    let old = try children(of: node, in: tree.nodes)
    let isCollection = object.map(isCollection) ?? false
    if try keys(of: node, in: list) == keys(of: node, in: tree.nodes), new.count == old.count,
      let pairs = replaced(old, new, in: isCollection)
    {
      for pair in pairs { try replace(pair, isElement: isCollection) }
      waiting += zip(old, new).filter { $0 == $1 }.map(\.0)
      return
    }
    guard let object, isCollection else {
      throw Self.refused("only its class knows how many values it archives")
    }
    try setContents(of: object, to: items(of: node, object, like: node), at: node)
  }

  /// Returns the children that have been replaced. Returns nil if a child has no entry, or if original nodes have been moved to
  /// a collection.
  private func replaced(_ old: [NodeID], _ new: [NodeID], in isCollection: Bool) -> [Pair]? {
    // A removal and an insertion move the values between them.
    let kept = isCollection ? [] : Set(new)
    var pairs: [Pair] = []
    for (old, new) in zip(old, new) where old != new {
      guard let entry = tree.entries[old] else { return nil }
      guard !isCollection || !isOriginal(new) && !list.movedNodes.contains(old) else { return nil }
      pairs.append(Pair(entry: entry, old: old, new: new, isCopy: kept.contains(old)))
    }
    return pairs
  }

  // MARK: Replaced values

  /// A value of the original file, with its entry, and the value that replaces it.
  private struct Pair {
    var entry: TypedstreamEntryIndex
    var old: NodeID
    var new: NodeID
    /// True if the new value is a copy, and the old one stays in the file.
    var isCopy = false
  }

  /// Replaces a value in its place.
  private mutating func replace(_ pair: Pair, isElement: Bool) throws(FerryError) {
    let item = try item(for: pair)
    if case .entry(pair.entry) = item { return }
    // Not in the call: a method holds the values of `self` while its arguments are evaluated, so this would copy all nodes.
    let other = replacingNodes.updateValue(pair.new, forKey: pair.entry)
    try checkSame(pair.new, as: other)
    if case .value(let new, let like) = item, like == pair.entry {
      changes.values[pair.entry] = new
      if isElement { changes.elements.insert(pair.entry) }
    } else {
      changes.replacements[pair.entry] = item
    }
  }

  /// Changes the content of an object.
  ///
  /// - Parameter node: The node with the new content.
  mutating func setContents(
    of object: TypedstreamObjectNumber, to items: [TypedstreamItem], at node: NodeID
  ) throws(FerryError) {
    let other = changedNodes.updateValue(node, forKey: object)
    try checkSame(node, as: other)
    changes.contents[object] = items
  }

  /// Throws if a part of an object has two paths and gets different values at them.
  private func checkSame(_ node: NodeID, as other: NodeID?) throws(FerryError) {
    guard let other, other != node, try list.builtValue(of: node) != list.builtValue(of: other) else {
      return
    }
    throw Self.refused("it is a part of an object with several references, which already has another change")
  }

  /// Returns the collections of the original file from which a value has moved to another path, at any depth.
  private func collectionsWithMovedValues() throws(FerryError) -> Set<NodeID> {
    guard !list.movedNodes.isEmpty else { return [] }
    var parents: [NodeID: NodeID] = [:]
    var nodes = [tree.nodes.root]
    while let node = nodes.popLast() {
      for child in try children(of: node, in: tree.nodes) {
        parents[child] = node
        nodes.append(child)
      }
    }
    var found: Set<NodeID> = []
    for node in list.movedNodes {
      var parent = parents[node]
      while let collection = parent, found.insert(collection).inserted { parent = parents[collection] }
    }
    return found
  }

  /// Returns the item for a value that replaces another one. A value inside it keeps its class and C type if it has not changed, or if
  /// the class can have the new value.
  private mutating func item(for pair: Pair) throws(FerryError) -> TypedstreamItem {
    if holdsObject(pair.entry), let moved = original(pair.new) {
      waiting.append(pair.new)
      return .original(moved)
    }
    let pair = basis(of: pair)
    let object = shapes.object(at: pair.entry)
    let (old, new) = (try tree.nodes.builtValue(of: pair.old), try list.builtValue(of: pair.new))
    // A value that has moved from inside the old one may change at its new place.
    if old == new, pair.isCopy || !movedFrom.contains(pair.old) {
      return pair.isCopy && object != nil ? .copy(pair.entry) : .entry(pair.entry)
    }
    if let object {
      if let item = try merged(pair, object) { return item }
    } else if [.array, .structure].contains(shapes.entries[pair.entry].kind),
      try replaceParts(of: pair.old, by: pair.new)
    {
      return .entry(pair.entry)
    }
    if let object, case .url = shapes.shape(of: object), let text = new.stringValue,
      let flaw = URLText.flaw(ofNew: text), URLText.flaw(ofNew: old.stringValue ?? "") == nil
    {
      throw Self.refused(flaw)
    }
    let index = try record(pair.new)
    if let object, case .number(let number) = shapes.shape(of: object),
      try list.kind(of: pair.new).hasKind(of: tree.nodes.kind(of: pair.old))
    {
      try TypedstreamEncoding.checkRange(of: index, on: tapeSink.tape, as: shapes.entries[number].code)
    }
    return .value(index, like: pair.entry)
  }

  /// Returns the pair of the new value and the object that it is a copy of. If it is not a copy, returns the pair itself, with the value
  /// that it replaces.
  private func basis(of pair: Pair) -> Pair {
    var basis = pair
    if holdsObject(pair.entry), let origin = origin(of: pair.new), let entry = tree.entries[origin] {
      basis = Pair(entry: entry, old: origin, new: pair.new, isCopy: true)
    }
    if list.movedNodes.contains(basis.old) { basis.isCopy = true }
    return basis
  }

  /// Returns true if the value at an entry is an object, or may be one in place of nil.
  private func holdsObject(_ entry: TypedstreamEntryIndex) -> Bool {
    shapes.object(at: entry) != nil || shapes.entries[entry].code == UInt8(ascii: "@")
  }

  /// Returns the object of the original file that a new value is a copy of. Returns nil if the value is not a copy.
  private func origin(of node: NodeID) -> NodeID? {
    guard let origin = list.origin(of: node), original(origin) != nil else { return nil }
    return origin
  }

  /// Returns the entry of a node if it is an object of the original file.
  private func original(_ node: NodeID) -> TypedstreamEntryIndex? {
    guard isOriginal(node), let entry = tree.entries[node], shapes.object(at: entry) != nil else {
      return nil
    }
    return entry
  }

  /// Changes the content of an object into that of a new value. Returns nil if the object cannot have it.
  private mutating func merged(_ pair: Pair, _ object: TypedstreamObjectNumber) throws(FerryError)
    -> TypedstreamItem?
  {
    guard try tree.pointer(at: pair.old) == nil else { return nil }
    // A shared object that contains no objects is a value at several paths, and only the value at one of these paths changes.
    let isOnlyHere = (shapes.objects[object].uses == 1 || !shapes.isLeaf(object)) && !pair.isCopy
    if isCollection(object) {
      guard try tree.nodes.kind(of: pair.old).isSameCollection(as: list.kind(of: pair.new)) else {
        return nil
      }
      let items = try items(of: pair.new, object, like: pair.old, isCopy: pair.isCopy)
      guard isOnlyHere else { return .object(like: object, items) }
      try setContents(of: object, to: items, at: pair.new)
      return .entry(pair.entry)
    }
    if isOnlyHere {
      if case .attributedString(let string, let runs) = shapes.shape(of: object),
        try keys(of: pair.new, in: list) == ["string", "runs"]
      {
        try visit(attributedString: pair.new, like: pair.old, object, string, runs)
        return .entry(pair.entry)
      }
      if try replaceParts(of: pair.old, by: pair.new) { return .entry(pair.entry) }
    } else if shapes.classes[shapes.objects[object].type].known == nil,
      try differingParts(of: pair.old, pair.new) != nil
    {
      throw Self.refused("only its class can archive another object, and another place keeps this one")
    }
    return nil
  }

  /// Replaces the parts of a value that differ. Returns false, without a change, if the new value has other parts.
  private mutating func replaceParts(of old: NodeID, by new: NodeID) throws(FerryError) -> Bool {
    guard let pairs = try differingParts(of: old, new) else { return false }
    for pair in pairs { try replace(pair, isElement: false) }
    return true
  }

  /// Returns the parts of two values that differ. Returns nil if one value has parts that the other one does not have, or if a part
  /// that differs has no entry.
  private func differingParts(of old: NodeID, _ new: NodeID) throws(FerryError) -> [Pair]? {
    let (oldParts, newParts) = (try children(of: old, in: tree.nodes), try children(of: new, in: list))
    guard try tree.nodes.kind(of: old).isSameCollection(as: list.kind(of: new)), !oldParts.isEmpty,
      oldParts.count == newParts.count, try keys(of: old, in: tree.nodes) == keys(of: new, in: list)
    else { return nil }
    var pairs: [Pair] = []
    for (old, new) in zip(oldParts, newParts) {
      if let entry = tree.entries[old] {
        pairs.append(Pair(entry: entry, old: old, new: new))
      } else if try tree.nodes.builtValue(of: old) != list.builtValue(of: new) {
        guard let inner = try differingParts(of: old, new) else { return nil }
        pairs += inner
      }
    }
    return pairs
  }

  /// Returns true if an object is a collection of Foundation, which can have any number of elements.
  private func isCollection(_ object: TypedstreamObjectNumber) -> Bool {
    switch (shapes.shape(of: object), shapes.classes[shapes.objects[object].type].known) {
    case (.array, .array), (.set, .set), (.dictionary, .dictionary): true
    default: false
    }
  }

  // MARK: Collections

  /// Returns the new content of a collection.
  ///
  /// - Parameters:
  ///   - node: The collection with its new content.
  ///   - object: The object with the old content.
  ///   - oldNode: The node of the object.
  ///   - isCopy: True if the object stays, and the collection is a copy of it.
  private mutating func items(
    of node: NodeID, _ object: TypedstreamObjectNumber, like oldNode: NodeID, isCopy: Bool = false
  ) throws(FerryError) -> [TypedstreamItem] {
    let new = try children(of: node, in: list)
    let first = shapes.entries[shapes.values(of: object).lowerBound]
    let types = first.group.map { String(decoding: tree.stream.types(of: $0), as: UTF8.self) }
    var items: [TypedstreamItem] = [
      .group(types ?? "i"), .integer(Int128(new.count), code: first.code),
    ]
    var keyEntries: [TypedstreamEntryIndex: TypedstreamEntryIndex] = [:]
    if case .dictionary(let start, let count) = shapes.shape(of: object) {
      var index = start
      for _ in 0..<count {
        let value = shapes.next(after: index)
        keyEntries[value] = index
        index = shapes.next(after: value)
      }
    }
    let keys = try keys(of: node, in: list)
    let old = try oldPartners(of: new, keys, in: oldNode)
    for (position, child) in new.enumerated() {
      if keys != nil {
        items.append(.group("@"))
        if let entry = old[position].flatMap({ tree.entries[$0] }).flatMap({ keyEntries[$0] }) {
          items.append(.entry(entry))
        } else {
          items.append(.value(try record(list.key(position, of: node))))
        }
      }
      items.append(.group("@"))
      items.append(try element(child, like: old[position], isCopy: isCopy))
    }
    return items
  }

  /// Returns the item for an element of a collection.
  ///
  /// - Parameter old: The element that it replaces, or nil.
  private mutating func element(
    _ node: NodeID, like old: NodeID?, isCopy: Bool
  ) throws(FerryError) -> TypedstreamItem {
    if let entry = original(node) {
      waiting.append(node)
      return .original(entry)
    }
    if try list.kind(of: node) == .null { return .null }
    if let like = origin(of: node) ?? old, let entry = tree.entries[like] {
      return try item(for: Pair(entry: entry, old: like, new: node, isCopy: isCopy))
    }
    return .value(try record(node))
  }

  /// Returns the old elements that new elements replace, or keep: those with the same key, or those of a list that stay or are most
  /// alike.
  private func oldPartners(
    of new: [NodeID], _ keys: [ExactString]?, in node: NodeID
  ) throws(FerryError) -> [NodeID?] {
    let old = try children(of: node, in: tree.nodes)
    if let keys, let oldKeys = try self.keys(of: node, in: tree.nodes) {
      var partners: [ExactString: NodeID] = [:]
      for (key, child) in zip(oldKeys, old) where !list.movedNodes.contains(child) { partners[key] = child }
      return keys.map { partners[$0] }
    }
    var partners: [NodeID?] = new.map { isOriginal($0) ? $0 : nil }
    let kept = Set(new)
    let (left, positions) = (
      old.filter { !kept.contains($0) && !list.movedNodes.contains($0) },
      new.indices.filter { partners[$0] == nil && origin(of: new[$0]) == nil }
    )
    guard !left.isEmpty, !positions.isEmpty else { return partners }
    var (oldValues, newValues): ([Value], [Value]) = ([], [])
    for node in left { oldValues.append(try tree.nodes.builtValue(of: node)) }
    for position in positions { newValues.append(try list.builtValue(of: new[position])) }
    let indices = ElementPartners(of: newValues, in: oldValues, oldValues).indices
    for (position, index) in zip(positions, indices) { partners[position] = index.map { left[$0] } }
    return partners
  }
}

extension NodeKind {
  /// Returns true for two arrays, two sets or two dictionaries.
  fileprivate func isSameCollection(as other: NodeKind) -> Bool {
    switch (self, other) {
    case (.array, .array), (.set, .set), (.dictionary, .dictionary): true
    default: false
    }
  }

  /// Returns true for two integers, two reals or two booleans.
  fileprivate func hasKind(of other: NodeKind) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.boolean, .boolean): true
    case (.real, .real), (.real, .single), (.single, .real), (.single, .single): true
    default: false
    }
  }
}
