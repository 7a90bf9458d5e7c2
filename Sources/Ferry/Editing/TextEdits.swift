/// A writer of an edited text file. It keeps the original text except for the changed values.
///
///     [1, 2,  3]      the second element becomes 5          [1, 5,  3]
///                     a new element follows it              [1, 2, 5,  3]
///                     the second element is removed         [1,  3]
///
/// New text is laid out like the text next to it.
struct TextEdits {
  private let list: EditedPropertyList
  private let tree: PropertyListTree
  /// The original text in UTF-8.
  private let source: [UInt8]
  private let encoding: XMLTextEncoding
  private let format: Format
  /// The byte range of each node in the text.
  private let ranges: [Range<Int>]
  private let syntax: any TextSyntax
  private var edits: [Edit] = []

  /// A replacement of bytes.
  private struct Edit {
    var range: Range<Int>
    var text: [UInt8]
  }

  /// A child of a collection, with its key if the collection is a dictionary.
  private struct Child: Hashable {
    var key: NodeID?
    var value: NodeID
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - list: The values with their changes.
  ///   - tree: The values of the original text.
  ///   - text: The bytes of the original text.
  ///   - format: The format of the text.
  init(of list: EditedPropertyList, over tree: PropertyListTree, source text: [UInt8], format: Format)
    throws(FerryError)
  {
    self.list = list
    self.tree = tree
    self.format = format
    encoding = format.description.textEncoding == .declared ? XMLTextEncoding(of: text) : .utf8
    source = encoding.utf8(text)
    guard let find = format.description.textLayout else {
      throw FerryError(.path(.notEditable(format, isInData: false)))
    }
    let layout = try find(source, tree)
    (ranges, syntax) = (layout.ranges, layout.syntax)
  }

  /// Returns the edited text, in its original encoding.
  func bytes() throws(FerryError) -> [UInt8] {
    guard ranges.count == tree.nodeCount, ranges.allSatisfy({ $0.upperBound > 0 }) else {
      return try rewritten()
    }
    var copy = self
    try copy.collect()
    return encoding.encoded(copy.applied())
  }

  private func rewritten() throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    guard case .values(let makeWriter) = format.asPropertyList.description.writer else { return source }
    let writer = try makeWriter(output, WriterContext())
    try list.replay(list.root, into: writer, budget: Budget())
    try writer.finish()
    return output.bytes
  }

  private func applied() -> [UInt8] {
    var text: [UInt8] = []
    var done = 0
    for edit in edits.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    })
    where edit.range.lowerBound >= done {
      text += source[done..<edit.range.lowerBound]
      text += edit.text
      done = edit.range.upperBound
    }
    return text + source[done...]
  }

  // MARK: Finding changes

  private mutating func collect() throws(FerryError) {
    guard list.root == tree.root else {
      edits.append(
        Edit(range: ranges[tree.root.index], text: try text(of: list.root, at: tree.root, depth: 0)))
      return
    }
    var waiting = [(node: tree.root, depth: 0)]
    while let (node, depth) = waiting.popLast() {
      if list.isChanged(node) { try collect(in: node, depth: depth) }
      try list.forEachChild(of: node) { child throws(FerryError) in
        if child < list.firstNewNode { waiting.append((child, depth + 1)) }
      }
    }
  }

  private func children(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [Child] {
    var children: [Child] = []
    switch try nodes.kind(of: node) {
    case .dictionary(let count):
      for index in 0..<count {
        children.append(Child(key: try nodes.key(index, of: node), value: try nodes.value(index, of: node)))
      }
    case .array(let count), .set(let count):
      for index in 0..<count { children.append(Child(key: nil, value: try nodes.element(index, of: node))) }
    default: break
    }
    return children
  }

  private mutating func collect(in node: NodeID, depth: Int) throws(FerryError) {
    let (old, new) = (try children(of: node, in: tree), try children(of: node, in: list))
    guard !old.isEmpty, !new.isEmpty else {
      edits.append(Edit(range: ranges[node.index], text: try text(of: node, at: node, depth: depth)))
      return
    }
    // Thousands of children may have new names. The general comparison takes quadratic time.
    guard old.count == new.count, zip(old, new).allSatisfy({ $0 == $1 || isNew($1) }) else {
      return try collect(from: old, to: new, depth: depth)
    }
    for (old, new) in zip(old, new) where old != new { try replace(old, by: new, depth: depth + 1) }
  }

  /// Returns true if a child has a new key or value.
  private func isNew(_ child: Child) -> Bool {
    max(child.value, child.key ?? child.value) >= list.firstNewNode
  }

  /// Collects the edits of a collection whose children have moved, or that has more or fewer of them.
  private mutating func collect(from old: [Child], to new: [Child], depth: Int) throws(FerryError) {
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (from, to) = (0, 0)
    /// The index of the last old child that is still in the text.
    var anchor: Int?
    while from < old.count || to < new.count {
      let (isRemoved, isInserted) = (removed.contains(from), inserted.contains(to))
      if isRemoved, isInserted {
        try replace(old[from], by: new[to], depth: depth + 1)
        anchor = from
        (from, to) = (from + 1, to + 1)
      } else if isRemoved {
        var end = from
        while end + 1 < old.count, removed.contains(end + 1) { end += 1 }
        remove(from...end, of: old, after: anchor)
        from = end + 1
      } else if isInserted {
        try insert(new[to], into: old, after: anchor, depth: depth + 1)
        to += 1
      } else {
        anchor = from
        (from, to) = (from + 1, to + 1)
      }
    }
  }

  // MARK: Edits

  /// Returns the byte range of a child: from its key, if it has one, to the end of its value.
  private func extent(of child: Child) -> Range<Int> {
    (child.key.map { ranges[$0.index].lowerBound } ?? ranges[child.value.index].lowerBound)..<ranges[
      child.value.index
    ]
    .upperBound
  }

  /// Returns the byte range of the white space before an offset.
  private func gap(before end: Int) -> Range<Int> {
    var start = end
    while start > 0, source[start - 1].isSpace { start -= 1 }
    return start..<end
  }

  private func text(of node: NodeID, at oldNode: NodeID, depth: Int) throws(FerryError) -> [UInt8] {
    let start = ranges[oldNode.index].lowerBound
    return try syntax.text(of: node, in: list, depth: depth, gap: Array(source[gap(before: start)]))
  }

  private mutating func replace(_ old: Child, by new: Child, depth: Int) throws(FerryError) {
    if let key = new.key, key != old.key, let oldKey = old.key {
      edits.append(Edit(range: ranges[oldKey.index], text: try syntax.key(key, in: list)))
    }
    guard new.value != old.value else { return }
    edits.append(
      Edit(range: ranges[old.value.index], text: try text(of: new.value, at: old.value, depth: depth)))
  }

  private mutating func remove(_ run: ClosedRange<Int>, of old: [Child], after anchor: Int?) {
    let (first, last) = (extent(of: old[run.lowerBound]), extent(of: old[run.upperBound]))
    if syntax.separator.isEmpty {
      edits.append(Edit(range: gap(before: first.lowerBound).lowerBound..<last.upperBound, text: []))
    } else if let anchor {
      edits.append(Edit(range: extent(of: old[anchor]).upperBound..<last.upperBound, text: []))
    } else if run.upperBound + 1 < old.count {
      let next = extent(of: old[run.upperBound + 1]).lowerBound
      edits.append(Edit(range: first.lowerBound..<next, text: []))
    } else {
      edits.append(Edit(range: first.lowerBound..<last.upperBound, text: []))
    }
  }

  private mutating func insert(_ child: Child, into old: [Child], after anchor: Int?, depth: Int)
    throws(FerryError)
  {
    // The white space before the second child is used if there is one. Before the first, it may differ.
    let model = old[min(max(anchor ?? 0, 1), old.count - 1)]
    let gap = Array(source[gap(before: extent(of: model).lowerBound)])
    var entry: [UInt8] = []
    if let key = child.key {
      let between =
        model.key.map { source[ranges[$0.index].upperBound..<ranges[model.value.index].lowerBound] } ?? []
      entry = try syntax.key(key, in: list) + between
    }
    entry += try syntax.text(of: child.value, in: list, depth: depth, gap: gap)
    if let anchor {
      let offset = extent(of: old[anchor]).upperBound
      append(Edit(range: offset..<offset, text: syntax.separator + gap + entry))
    } else {
      let offset = extent(of: old[0]).lowerBound
      append(Edit(range: offset..<offset, text: entry + syntax.separator + gap))
    }
  }

  /// Appends an insertion. Insertions at the same offset are joined in order.
  private mutating func append(_ edit: Edit) {
    if let last = edits.indices.last, edits[last].range == edit.range {
      edits[last].text += edit.text
    } else {
      edits.append(edit)
    }
  }
}
