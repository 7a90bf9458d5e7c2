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
  private let list: EditedPropertyList
  private let tree: TypedstreamTree
  private let tapeSink = TapeSink()
  private var changes = TypedstreamChanges()
  private var waiting: [NodeID] = []

  private var shapes: TypedstreamShapes { tree.stream.shapes }

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
    var writer = TypedstreamWriter(copying: tree.stream, copy.changes)
    let bytes = try writer.copy()
    // The change may have made the file one that cannot be read, because it exceeds a limit.
    _ = try Typedstream(bytes, budget: tree.stream.budget)
    return bytes
  }

  private mutating func collect() throws(FerryError) {
    if list.root != tree.nodes.root {
      guard tree.stream.valueCount == 1 else {
        throw Self.refused("the file has several values, which can only be changed one by one")
      }
      changes.values[0] = try record(list.root)
      return
    }
    waiting = [list.root]
    while let node = waiting.popLast() { try visit(node) }
  }

  private static func refused(_ why: String) -> FerryError {
    FerryError(.path(.cannotPut("this value", .other(why))))
  }

  /// Records a new value, and returns its tape index.
  private func record(_ node: NodeID) throws(FerryError) -> TapeIndex {
    let index = tapeSink.tape.end
    try list.replay(node, into: tapeSink, budget: tree.stream.budget)
    return index
  }

  // MARK: Finding changes

  /// Returns true if a node is one of the original file.
  private func isOriginal(_ node: NodeID) -> Bool { node < list.firstNewNode }

  /// Returns the children of a collection: elements, or the values of entries.
  private func children(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [NodeID] {
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
  private func keys(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [ExactString]? {
    guard case .dictionary(let count) = try nodes.kind(of: node) else { return nil }
    var keys: [ExactString] = []
    for index in 0..<count { keys.append(ExactString(try nodes.string(nodes.key(index, of: node)) ?? "")) }
    return keys
  }

  /// Visits a collection of the original file.
  private mutating func visit(_ node: NodeID) throws(FerryError) {
    if try isReference(node) {
      if list.isChanged(node) {
        throw Self.refused("this is a reference to another object, which can be replaced as a whole")
      }
      return
    }
    let object = tree.entries[node].flatMap { shapes.object(at: $0) }
    if let object, case .attributedString(let string, let runs) = shapes.shape(of: object) {
      return try visit(attributedString: node, object, string, runs)
    }
    let new = try children(of: node, in: list)
    guard list.isChanged(node) else {
      waiting += new
      return
    }
    let old = try children(of: node, in: tree.nodes)
    if try keys(of: node, in: list) == keys(of: node, in: tree.nodes), new.count == old.count,
      let pairs = replaced(old, new)
    {
      for pair in pairs {
        let new = try record(pair.node)
        let entry = try replacedEntry(pair, by: new)
        changes.values[entry] = new
        if let object, isCollection(object) { changes.elements.insert(entry) }
      }
      waiting += new.filter { isOriginal($0) }
      return
    }
    guard let object, isCollection(object) else {
      throw Self.refused("only its class knows how many values it archives")
    }
    changes.contents[object] = try items(of: node, object, new)
    waiting += new.filter { isOriginal($0) }
  }

  /// Returns true if a node is shown as a reference by path, `{"$ref": "#/0"}`.
  private func isReference(_ node: NodeID) throws(FerryError) -> Bool {
    guard let entry = tree.entries[node], shapes.object(at: entry) != nil else { return false }
    return try keys(of: node, in: tree.nodes) == ["$ref"] && shapes.entries[entry].kind == .reference
  }

  /// Returns the entries of the children that have been replaced, with the new nodes. Returns nil if a child has no entry, or
  /// if original nodes have been moved.
  private func replaced(_ old: [NodeID], _ new: [NodeID]) -> [(entry: Int, old: NodeID, node: NodeID)]? {
    var pairs: [(entry: Int, old: NodeID, node: NodeID)] = []
    for (old, new) in zip(old, new) where old != new {
      guard let entry = tree.entries[old], !isOriginal(new) else { return nil }
      pairs.append((entry, old, new))
    }
    return pairs
  }

  /// Returns the entry that a new value replaces: that of the number in an NSNumber if it has another number of its kind,
  /// and otherwise that of the object. A shared NSNumber stays for its other references, so its number cannot change.
  private func replacedEntry(
    _ pair: (entry: Int, old: NodeID, node: NodeID), by new: TapeIndex
  ) throws(FerryError) -> Int {
    guard let object = shapes.object(at: pair.entry), case .number(let number) = shapes.shape(of: object),
      try list.kind(of: pair.node).hasKind(of: tree.nodes.kind(of: pair.old))
    else { return pair.entry }
    guard shapes.objects[object].uses > 1 else { return number }
    try TypedstreamEncoding.checkRange(of: new, on: tapeSink.tape, as: shapes.entries[number].code)
    return pair.entry
  }

  /// Returns true if an object is a collection of Foundation, which can have any number of elements.
  private func isCollection(_ object: Int) -> Bool {
    switch (shapes.shape(of: object), shapes.classes[shapes.objects[object].type].known) {
    case (.array, .array), (.set, .set), (.dictionary, .dictionary): true
    default: false
    }
  }

  // MARK: Collections

  /// Returns the new content of a collection.
  private func items(of node: NodeID, _ object: Int, _ new: [NodeID]) throws(FerryError) -> [TypedstreamItem]
  {
    let first = shapes.entries[shapes.values(of: object).lowerBound]
    let types = first.group.map {
      String(decoding: shapes.bytes[tree.stream.strings[Int($0)]], as: UTF8.self)
    }
    var items: [TypedstreamItem] = [
      .group(types ?? "i"), .integer(Int128(new.count), code: first.code),
    ]
    var keyEntries: [Int: Int] = [:]
    if case .dictionary(let start, let count) = shapes.shape(of: object) {
      var index = start
      for _ in 0..<count {
        let value = shapes.next(after: index)
        keyEntries[value] = index
        index = shapes.next(after: value)
      }
    }
    let keys = try keys(of: node, in: list)
    let old = try oldPartners(of: node, new, keys)
    for (position, child) in new.enumerated() {
      if keys != nil {
        items.append(.group("@"))
        if let entry = old[position].flatMap({ keyEntries[$0] }) {
          items.append(.entry(entry))
        } else {
          items.append(.value(try record(list.key(position, of: node))))
        }
      }
      items.append(.group("@"))
      if isOriginal(child), let entry = tree.entries[child] {
        items.append(.entry(entry))
      } else {
        let isNull = try list.kind(of: child) == .null
        items.append(isNull ? .null : .value(try record(child), like: old[position]))
      }
    }
    return items
  }

  /// Returns the entries of the old children that new children replace, or keep: those with the same key, or an element that
  /// stays.
  private func oldPartners(
    of node: NodeID, _ new: [NodeID], _ keys: [ExactString]?
  ) throws(FerryError) -> [Int?] {
    guard let keys, let oldKeys = try self.keys(of: node, in: tree.nodes) else {
      return new.map { isOriginal($0) ? tree.entries[$0] : nil }
    }
    let old = try children(of: node, in: tree.nodes)
    var partners: [ExactString: NodeID] = [:]
    for (key, child) in zip(oldKeys, old) { partners[key] = child }
    return keys.map { partners[$0].flatMap { tree.entries[$0] } }
  }

  // MARK: Attributed strings

  /// A run of the edited attributed string.
  private struct Run {
    var length: Int
    var attributes: TypedstreamItem
    /// The object of the attributes, or a number of its own for new attributes.
    var identity: Int
  }

  private mutating func visit(
    attributedString node: NodeID, _ object: Int, _ string: Int, _ runs: [TypedstreamRun]
  ) throws(FerryError) {
    guard try keys(of: node, in: list) == ["string", "runs"] else {
      throw Self.refused("an attributed string has a string and runs")
    }
    let (text, runsNode) = (try list.value(0, of: node), try list.value(1, of: node))
    let hasNewText = !isOriginal(text) || list.isChanged(text)
    let runNodes = try children(of: runsNode, in: list)
    let hasNewRuns =
      !isOriginal(runsNode) || list.isChanged(runsNode)
      || runNodes.contains { !isOriginal($0) || list.isChanged($0) }
    if hasNewText { changes.values[string] = try record(text) }
    for run in runNodes where isOriginal(run) {
      waiting += try children(of: run, in: list).filter { isOriginal($0) && tree.entries[$0] != nil }
    }
    guard hasNewText || hasNewRuns else { return }
    var new = try hasNewRuns ? edited(runNodes) : original(runs)
    guard try list.kind(of: text) == .string else { throw Self.refused("an attributed string has a string") }
    let length = try list.withText(of: text) { text throws(FerryError) in text.utf16.count }
    let sum = new.reduce(0) { $0 + $1.length }
    if hasNewText, !hasNewRuns {
      Self.fit(&new, to: length)
    } else if sum != length, sum > 0 || length > 0 {
      throw Self.refused("the runs have \(sum) UTF-16 code units, and the string has \(length)")
    }
    changes.contents[object] = Self.items(string, new)
  }

  private func original(_ runs: [TypedstreamRun]) -> [Run] {
    runs.map { run in
      Run(
        length: Int(clamping: run.length), attributes: .entry(run.attributes),
        identity: shapes.object(at: run.attributes) ?? -1)
    }
  }

  private func edited(_ nodes: [NodeID]) throws(FerryError) -> [Run] {
    var runs: [Run] = []
    var start = 0
    for node in nodes {
      let known: [ExactString] = ["location", "length", "attributes"]
      guard let names = try keys(of: node, in: list), names.allSatisfy(known.contains) else {
        throw Self.refused("a run has a location, a length and attributes")
      }
      guard let length = try list.value("length", of: node),
        let attributes = try list.value("attributes", of: node),
        case .integer(let number) = try list.kind(of: length), let count = Int(exactly: number), count >= 0
      else { throw Self.refused("a run has a length and attributes") }
      // Locations are not stored, so the location of a run after one with a new length may still be the old one.
      if let location = try list.value("location", of: node), !isOriginal(location),
        try list.kind(of: location) != .integer(Int128(start))
      {
        throw Self.refused("the location of a run is the sum of the lengths before it, \(start)")
      }
      start += count
      if isOriginal(attributes), let entry = tree.entries[attributes] {
        runs.append(Run(length: count, attributes: .entry(entry), identity: shapes.object(at: entry) ?? -1))
      } else {
        let index = try record(attributes)
        runs.append(Run(length: count, attributes: .value(index), identity: -2 - index.index))
      }
    }
    return runs
  }

  /// Changes the lengths of runs to those of a text with another length: the last run becomes longer, or the last runs
  /// become shorter or are removed.
  private static func fit(_ runs: inout [Run], to length: Int) {
    var sum = runs.reduce(0) { $0 + $1.length }
    while sum > length, let last = runs.last {
      let rest = max(0, last.length - (sum - length))
      sum -= last.length - rest
      if rest == 0, runs.count > 1 {
        runs.removeLast()
      } else {
        runs[runs.count - 1].length = rest
        break
      }
    }
    if sum < length, !runs.isEmpty { runs[runs.count - 1].length += length - sum }
  }

  private static func items(_ string: Int, _ runs: [Run]) -> [TypedstreamItem] {
    var items: [TypedstreamItem] = [.group("@"), .entry(string)]
    var numbers: [Int: Int] = [:]
    for run in runs {
      let known = numbers[run.identity]
      let number = known ?? numbers.count + 1
      items += TypedstreamEncoding.run(number, Int128(run.length))
      guard known == nil else { continue }
      numbers[run.identity] = number
      items += [.group("@"), run.attributes]
    }
    return items
  }
}

extension NodeKind {
  /// Returns true for two integers, two reals or two booleans.
  fileprivate func hasKind(of other: NodeKind) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.boolean, .boolean): true
    case (.real, .real), (.real, .single), (.single, .real), (.single, .single): true
    default: false
    }
  }
}
