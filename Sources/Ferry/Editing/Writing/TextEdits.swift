/// A writer of an edited text file. It keeps the original text except for the changed values.
///
///     [1, 2,  3]      the second element becomes 5          [1, 5,  3]
///                     a new element follows it              [1, 2, 5,  3]
///                     the second element is removed         [1,  3]
///
/// New text is laid out like the text next to it.
struct TextEdits {
  let list: EditedPropertyList
  let tree: PropertyListTree
  /// The original text in UTF-8, with line feeds in place of carriage returns if its lines end in these alone.
  let source: [UInt8]
  /// True if the lines of the original text end in carriage returns alone, which those of the edited text get again.
  private let hasReturnsAlone: Bool
  let lineEnd: [UInt8]
  private let encoding: XMLTextEncoding
  let format: Format
  let layout: TextLayout
  /// The byte range of each node in the text.
  var ranges: [Range<Int>] { layout.ranges }
  var syntax: any TextSyntax { layout.syntax }
  private var edits: [ByteEdit] = []
  /// The offsets of the insertions so far.
  private(set) var insertions: Set<Int> = []
  /// For the offset of each insertion inside lines that are removed, the offset after these lines.
  private var endsOfRemovedLines: [Int: Int] = [:]
  /// The first change inside a copy of other text, where no text can be changed.
  private var changeOfCopy: ChangedCopy?
  /// The values as the syntax sees them in a text whose values take their texts along; nil in other texts.
  var carried: CarriedNodes?
  /// The ranges that are put at other places, in order.
  var carriedRanges: [Range<Int>] = []
  /// The blocks on one line whose text is at other places, with the comment after them.
  var carriedBlocks: Set<NodeID> = []
  /// The comments after values on their lines that go to other places with these, by the nodes of the values.
  var takenComments: [NodeID: Range<Int>] = [:]
  /// The comments after removed values on their lines, by the nodes of the values, if values take their texts along.
  var commentsOfRemoved: [NodeID: Range<Int>] = [:]
  /// The treatment of the comments after values that others replace, if values take their texts along.
  var replacedComments = ReplacedComments()
  /// Receives the comments, processing instructions and attributes inside replaced values.
  var losses: LossReport

  /// A child of a collection, with its key if the collection is a dictionary.
  struct Child: Hashable {
    var key: NodeID?
    var value: NodeID
    /// True for an element that has moved in its list, or is copied there.
    var isMoved = false

    /// The child as one that has not moved.
    fileprivate var original: Child { Child(key: key, value: value) }
  }

  /// A collection of the original text.
  struct OriginalCollection {
    var node: NodeID
    var container: NodeID?
    /// The number of collections around it.
    var depth: Int
    /// The keys that add the entries of others to the collection, with their values.
    var merges: [ChildText] = []
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - list: The values with their changes.
  ///   - tree: The values of the original text.
  ///   - text: The bytes of the original text.
  ///   - layout: The layout of the original text; nil to find it.
  ///   - format: The format of the text.
  ///   - losses: Receives the comments, processing instructions and attributes inside replaced values.
  init(
    of list: EditedPropertyList, over tree: PropertyListTree, source text: [UInt8],
    _ layout: TextLayout? = nil, format: Format, losses: LossReport
  ) throws(FerryError) {
    let encoding = format.encoding(of: text)
    try self.init(of: list, over: tree, utf8: encoding.utf8(text), layout, encoding, format, losses)
  }

  private init(
    of list: EditedPropertyList, over tree: PropertyListTree, utf8 source: [UInt8], _ layout: TextLayout?,
    _ encoding: XMLTextEncoding, _ format: Format, _ losses: LossReport
  ) throws(FerryError) {
    // In lists of records, such as JSON Lines, a carriage return alone does not end a line.
    let endsInReturns = !format.isListOfRecords && source.hasReturnsAlone
    // In property lists of XML, line feeds of strings are escaped if lines end in returns.
    hasReturnsAlone = endsInReturns && !format.isXML
    let source = hasReturnsAlone ? source.replacing(UInt8(ascii: "\r"), by: UInt8(ascii: "\n")) : source
    (self.list, self.tree, self.source) = (list, tree, source)
    (self.encoding, self.format, self.losses) = (encoding, format, losses)
    lineEnd = endsInReturns && format.isXML ? [UInt8(ascii: "\r")] : source.lineEnd
    guard let find = format.description.textLayout else {
      throw FerryError(.path(.notEditable(format, isInData: false)))
    }
    if let layout { self.layout = layout } else { self.layout = try find(source, tree) }
  }

  /// Returns the edited text, in its original encoding.
  func bytes() throws(FerryError) -> [UInt8] {
    guard ranges.count == tree.nodeCount, syntax.records != nil || ranges.allSatisfy({ $0.upperBound > 0 })
    else {
      return try rewritten(insteadOf: [])
    }
    if let edited = try bytesWithCarriedTexts() { return edited }
    var copy = self
    copy.losses = LossReport()
    try copy.collectEdits()
    let edited = encoded(copy.appliedEdits)
    // A change of copies is in the text if their original has the same change.
    let isSafe =
      copy.changeOfCopy == nil && syntax.terminator(inDictionary: true).isEmpty && syntax.records == nil
      && !syntax.isChecked
    guard isSafe || hasChangedValues(edited) else {
      // A last line without a line end may have another value if another line follows it.
      guard let ended = syntax.textWithLastLineEnd else {
        return try rewritten(insteadOf: copy.edits.map(\.range), copy: copy.changeOfCopy)
      }
      return try TextEdits(
        of: list, over: tree, utf8: withOwnLineEnds(ended), nil, encoding, format, losses
      ).bytes()
    }
    losses.add(copy.losses.all)
    return edited
  }

  /// The text with the edits.
  var appliedEdits: [UInt8] {
    guard !endsOfRemovedLines.isEmpty else { return edits.applied(to: source, separating: syntax.joins) }
    return edits.map(afterRemovedLines).applied(to: source, separating: syntax.joins)
  }
  /// The ranges of the original text that the edits remove or replace, without those inside others, in order.
  var editedRanges: [Range<Int>] { edits.map(\.range).filter { !$0.isEmpty }.outermost }
  /// Returns a text in the encoding and with the line ends of the original.
  func encoded(_ text: [UInt8]) -> [UInt8] { encoding.encoded(withOwnLineEnds(text)) }
  /// Returns a text with the line ends of the original, for one with those of `source`.
  func withOwnLineEnds(_ text: [UInt8]) -> [UInt8] {
    hasReturnsAlone ? text.replacing(UInt8(ascii: "\n"), by: UInt8(ascii: "\r")) : text
  }
  /// The values as the syntax sees them.
  var shown: any PropertyListNodes { carried ?? list }

  /// Shows the syntax a value as a mark if it takes its text along. Returns true if it does.
  @discardableResult
  func show(_ value: NodeID) throws(FerryError) -> Bool { try carried?.show(value) ?? false }

  // MARK: Finding changes

  mutating func collectEdits() throws(FerryError) {
    guard list.root == tree.root else {
      if let records = syntax.records { return try replaceAll(records) }
      var root = try text(of: list.root, at: tree.root, depth: 0, like: tree.root)
      // The first value of a text with only comments ends its line, as they do.
      if syntax.isUnwritten(tree.root), ranges[tree.root.index].lowerBound == source.count,
        source.last?.isLineEnd == true
      {
        root += lineEnd
      }
      return try replaceValue(tree.root, by: root, of: list.root)
    }
    var waiting = [OriginalCollection(node: tree.root, container: nil, depth: 0)]
    while let collection = waiting.popLast() {
      if list.isChanged(collection.node) { try collectEdits(in: collection) }
      try list.forEachChild(of: collection.node) { child throws(FerryError) in
        guard child < list.firstNewNode else { return }
        waiting.append(
          OriginalCollection(node: child, container: collection.node, depth: collection.depth + 1))
      }
    }
  }

  func children(of node: NodeID, in nodes: any PropertyListNodes) throws(FerryError) -> [Child] {
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

  private mutating func collectEdits(in collection: OriginalCollection) throws(FerryError) {
    guard !syntax.isCopy(collection.node) else { return noteChange(ofCopy: collection.node) }
    var collection = collection
    collection.merges = syntax.merges(of: collection.node)
    let old = try children(of: collection.node, in: tree)
    var new = try children(of: collection.node, in: list)
    for index in new.indices where !list.copies.originals.isEmpty {
      // The text of an alias stays.
      guard let copy = list.copies.originals[new[index].value], copy < list.firstNewNode else { continue }
      noteChange(ofCopy: copy)
      new[index].value = copy
    }
    try findMoved(among: &new, from: old)
    if !collection.merges.isEmpty { new = try keepingMerged(old, besides: new, in: collection) }
    if collection.node == tree.root, let records = syntax.records {
      return try collect(records, from: old, to: new, in: collection)
    }
    guard !old.isEmpty, !new.isEmpty else {
      return old.isEmpty ? try fill(collection, with: new) : try empty(collection, of: old)
    }
    // Children that only have new names or values need no alignment.
    guard old.count == new.count, zip(old, new).allSatisfy({ $0 == $1 || isNew($1) }) else {
      return try collectEdits(from: old, to: new, in: collection)
    }
    for index in old.indices where old[index] != new[index] {
      try freeLine(after: old[index], for: new[index], in: collection)
      try replaceChild(index, of: old, by: new[index], in: collection)
    }
  }

  /// Gives elements that move in their list, or are copied there, the nodes of the original text.
  private func findMoved(among new: inout [Child], from old: [Child]) throws(FerryError) {
    guard carried != nil, new.contains(where: { $0.key == nil && isNew($0) }) else { return }
    let known = Set(old.map(\.value))
    for index in new.indices where new[index].key == nil && isNew(new[index]) {
      guard let origin = try list.textOrigin(of: new[index].value), known.contains(origin),
        syntax.hasOwnText(origin)
      else { continue }
      new[index] = Child(key: nil, value: origin, isMoved: true)
    }
  }

  /// Returns the new children of a collection that merges others, with the merged children as the text has them. A new child with the same
  /// key takes precedence over a merged one. Any other change to merged children belongs to the collection that contains them in the text.
  private mutating func keepingMerged(
    _ old: [Child], besides new: [Child], in collection: OriginalCollection
  ) throws(FerryError) -> [Child] {
    var children = new.filter { $0.key.map { !list.copies.mergedKeys.contains($0) } ?? true }
    if children.count < new.count { noteChange(ofCopy: collection.node) }
    let oldKeys = Dictionary(old.map { ($0.value, $0.key) }) { first, _ in first }
    var (added, indices): (Set<Value>, [NodeID: Int]) = ([], [:])
    for (index, child) in children.enumerated() {
      guard let key = child.key else { continue }
      guard key >= list.firstNewNode else {
        indices[key] = index
        continue
      }
      added.insert(try list.builtValue(of: key))
      // An entry with another key keeps its place among the merged ones.
      if let oldKey = oldKeys[child.value] ?? nil { indices[oldKey] = index }
    }
    let present = Set(children)
    /// The merged children after each of `children`, and those before all under -1.
    var merged: [Int: [Child]] = [:]
    var last = -1
    for child in old {
      guard let key = child.key else { continue }
      if let index = indices[key] {
        last = index
        guard !present.contains(child), syntax.isMerged(key) else { continue }
        children[index] = child
        noteChange(ofCopy: child.value, in: extent(of: child))
      } else if syntax.isMerged(key) {
        if try !added.contains(list.builtValue(of: key)) {
          noteChange(ofCopy: child.value, in: extent(of: child))
        }
        merged[last, default: []].append(child)
      }
    }
    return (merged[-1] ?? []) + children.enumerated().flatMap { [$1] + (merged[$0] ?? []) }
  }

  /// Returns true if a child has a new key or value.
  private func isNew(_ child: Child) -> Bool {
    max(child.value, child.key ?? child.value) >= list.firstNewNode
  }

  /// Collects the edits of a collection whose children have moved, or that has more or fewer of them.
  private mutating func collectEdits(
    from old: [Child], to new: [Child], in collection: OriginalCollection
  ) throws(FerryError) {
    let steps = steps(from: old, to: new)
    guard let brackets = syntax.missingBrackets(of: collection.node), steps.contains(where: \.isInsertion)
    else {
      return try makeSteps(steps, from: old, to: new, in: collection)
    }
    // A mark may stand before the first key: `? a : 1`.
    let start = ranges[collection.node.index].lowerBound
    let end = old.last.map { text(of: $0, in: collection).end } ?? ranges[collection.node.index].upperBound
    let count = edits.count
    addInsertion(ByteEdit(range: start..<start, text: brackets.opening))
    try makeSteps(steps, from: old, to: new, in: collection)
    // New entries may follow a comment after the last one.
    let afterLine = endOfLineMarkup(after: end).end
    let last = insertions.contains(afterLine) ? afterLine : end
    addInsertion(ByteEdit(range: last..<last, text: brackets.closing))
    // New elements after the dictionary follow its closing bracket.
    for index in edits.indices.dropFirst(count)
    where edits[index].range.isEmpty && edits[index].range.lowerBound > start {
      edits[index].depth = collection.depth
    }
  }

  /// Returns the steps from the old children of a collection to the new ones, with those that have not moved at their places.
  func steps(from old: [Child], to new: [Child]) -> [ListStep] {
    guard new.contains(where: \.isMoved) else { return ListStep.steps(from: old, to: new) }
    return ListStep.steps(from: old, to: new, old, new.map(\.original))
  }

  private mutating func makeSteps(
    _ steps: [ListStep], from old: [Child], to new: [Child], in collection: OriginalCollection
  ) throws(FerryError) {
    let removed = steps.flatMap { step -> [Child] in
      if case .remove(let range) = step { Array(old[range]) } else { [] }
    }
    let inMerged = removeMerged(removed, of: old, in: collection)
    /// The index of the last old child that is still in the text.
    var anchor: Int?
    for (index, step) in steps.enumerated() {
      switch step {
      case .keep(let from, _): anchor = from
      case .replace(let from, let to):
        try freeLine(after: old[from], for: new[to], in: collection)
        try replaceChild(from, of: old, by: new[to], in: collection)
        anchor = from
      case .remove(let range):
        try noteComments(of: old[range], in: collection)
        for run in range.runs(where: { !inMerged.contains(old[$0].value) }) {
          remove(run, of: old, after: anchor, in: collection)
        }
      case .insert(let range):
        // The comments of a removed child stay above the new ones.
        let line = index == 0 ? lineOfComments(above: old.first, in: collection) : nil
        for index in range {
          try insert(new[index], into: old, after: anchor, onLineAt: line, in: collection)
        }
      }
    }
  }

  private mutating func noteChange(ofCopy value: NodeID, in range: Range<Int>? = nil) {
    if changeOfCopy == nil { changeOfCopy = ChangedCopy(value: value, range: range ?? ranges[value.index]) }
  }

  /// Collects the edits of a collection that had no children.
  private mutating func fill(_ collection: OriginalCollection, with new: [Child]) throws(FerryError) {
    guard !new.isEmpty else { return }
    // The keys that merge empty dictionaries stay.
    guard collection.merges.isEmpty else { return try collectEdits(from: [], to: new, in: collection) }
    let range = ranges[collection.node.index]
    guard let last = syntax.markup(in: source[range]).last else {
      let isAfterComment = collection.container == nil && range.isEmpty && !isAtBeginning(range.lowerBound)
      let lineStart = isAfterComment && source[range.lowerBound - 1] != UInt8(ascii: "\n") ? lineEnd : []
      return try rewrite(collection, after: lineStart)
    }
    let gap = gap(source[gap(before: last.startIndex)], afterLineMarkup: syntax.endsWithLine(last))[...]
    let between = gap.contains(UInt8(ascii: "\n")) ? gap : []
    for (index, child) in new.enumerated() {
      let slot = TextSlot(depth: collection.depth + 1, gap: Array(gap), model: nil, near: collection.node)
      let entry = try entry(child, at: slot, between: syntax.assignment.isEmpty ? between : [])
      let isTerminated = syntax.requiresLastTerminator || index + 1 < new.count
      let terminator = isTerminated ? syntax.terminator(inDictionary: child.key != nil) : []
      addInsertion(ByteEdit(range: last.endIndex..<last.endIndex, text: gap + entry + terminator))
    }
  }

  /// Collects the edits of a collection whose children are all removed. Only a collection without comments and
  /// processing instructions gets the short form for an empty one.
  private mutating func empty(_ collection: OriginalCollection, of old: [Child]) throws(FerryError) {
    try noteComments(of: old[...], in: collection)
    // The collection keeps what merges others, and may still have their entries.
    guard collection.merges.isEmpty else {
      let inMerged = removeMerged(old, of: old, in: collection)
      return removeAll(old.filter { !inMerged.contains($0.value) }, in: collection)
    }
    let removed = old.map { child in
      let end = endOfRemoved(child, endingAt: ranges[child.value.index].upperBound)
      return ranges[(child.key ?? child.value).index].lowerBound..<end
    }
    let starts = [ranges[collection.node.index].lowerBound] + removed.map(\.upperBound)
    // The comment after the last line of a block is not in its range.
    let end = max(ranges[collection.node.index].upperBound, starts[old.count])
    let ends = removed.map(\.lowerBound) + [end]
    guard zip(starts, ends).allSatisfy({ syntax.markup(in: source[$0..<$1]).isEmpty }) else {
      guard let block = syntax.block(collection.node) else {
        return remove(0...(old.count - 1), of: old, after: nil, in: collection)
      }
      return try empty(collection, of: old, in: block)
    }
    let replacedEnd = endWithComment(of: collection.node)
    for child in old {
      guard let comment = takenComments[child.value], comment.lowerBound >= replacedEnd else { continue }
      add(ByteEdit(range: comment, text: []))
    }
    try rewrite(collection)
  }

  /// Replaces the text of a collection, and puts a text before the new one.
  private mutating func rewrite(
    _ collection: OriginalCollection, after lineStart: [UInt8] = []
  ) throws(FerryError) {
    let node = collection.node
    let text = try text(
      of: node, at: node, depth: collection.depth, like: collection.container)
    try replaceValue(node, by: lineStart + text, of: node)
  }

  // MARK: Edits

  /// Returns the byte range of a child: its key, if it has one, with the mark before it, its value, and the semicolon or comma that ends it.
  func extent(of child: Child) -> Range<Int> {
    let first = child.key ?? child.value
    return (layout.marks[first] ?? ranges[first.index].lowerBound)..<end(of: child)
  }

  /// Returns the text of a child, or that of the key with the dictionary in its value, for a child that is merged from it.
  func text(of child: Child, in collection: OriginalCollection) -> ChildText {
    let extent = extent(of: child)
    let count = collection.merges.partitioningIndex { $0.range.lowerBound > extent.lowerBound }
    if count > 0, extent.lowerBound < collection.merges[count - 1].range.upperBound {
      return collection.merges[count - 1]
    }
    return ChildText(
      range: extent.lowerBound..<ranges[child.value.index].upperBound, end: extent.upperBound)
  }

  /// Returns the offset after a child and the semicolon or comma that ends it.
  func end(of child: Child) -> Int {
    layout.ends?[child.value.index] ?? ranges[child.value.index].upperBound
  }

  /// Returns true if a semicolon or comma ends a child.
  func isTerminated(_ child: Child) -> Bool {
    end(of: child) > ranges[child.value.index].upperBound
  }

  /// Returns the offset after the comments that follow an offset on its line, and true if the last of them ends with the
  /// line.
  func endOfLineMarkup(after offset: Int) -> (end: Int, endsWithLine: Bool) {
    var end = offset
    while true {
      let next = source[end...].drop { $0 == 0x20 || $0 == 0x09 }
      guard syntax.beginsMarkup(next) else { return (end, false) }
      // The line has its line end, so that a comment that continues on the next line contains it.
      let line = next[..<(next.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? next.endIndex)]
      guard let comment = syntax.markup(in: line).first,
        comment.startIndex == next.startIndex, !comment.contains(UInt8(ascii: "\n"))
      else { return (end, false) }
      end = comment.endIndex
      if syntax.endsWithLine(comment) { return (end, true) }
    }
  }

  /// Returns the white space for a child after a comment. Adds a line end if the comment needs one.
  func gap(_ gap: ArraySlice<UInt8>, afterLineMarkup isAfterLineMarkup: Bool) -> [UInt8] {
    isAfterLineMarkup && !gap.contains(UInt8(ascii: "\n")) ? lineEnd + gap : Array(gap)
  }

  /// Returns the byte range of the white space before an offset.
  func gap(before end: Int) -> Range<Int> {
    var start = end
    while start > 0, source[start - 1].isSpace { start -= 1 }
    return start..<end
  }

  private func text(
    of node: NodeID, at oldNode: NodeID, depth: Int, like model: NodeID?
  ) throws(FerryError) -> [UInt8] {
    let gap = Array(source[gap(before: ranges[oldNode.index].lowerBound)])
    var slot = TextSlot(depth: depth, gap: gap, model: model, old: oldNode, replaced: oldNode)
    // A value that takes its text along is not written like the one that it replaces.
    if try show(node) { slot.old = nil }
    return try syntax.text(of: node, in: shown, at: slot)
  }

  mutating func replaceChild(
    _ index: Int, of children: [Child], by new: Child, in collection: OriginalCollection
  ) throws(FerryError) {
    let old = children[index]
    var isRenamed = false
    if let key = new.key, key != old.key, let oldKey = old.key {
      let range = ranges[oldKey.index]
      let slot = KeySlot(
        following: source[range.upperBound...], old: oldKey, near: oldKey)
      replaceText(in: range, by: try syntax.key(key, in: list, at: slot))
      isRenamed = true
    }
    if new.value == old.value {
      guard isRenamed, try isKeyAlone(old) else { return }
    }
    let model = try model(for: new.value, near: index, of: children, in: collection)
    let text = try text(
      of: new.value, at: old.value, depth: collection.depth + 1, like: model)
    let range = ranges[old.value.index]
    guard range.isEmpty else {
      return try replaceValue(old.value, by: text, of: new.value)
    }
    let keyEnd = old.key.map { ranges[$0.index].upperBound }
    let prefix = syntax.prefix(
      ofValueAt: range.lowerBound, afterKeyEndingAt: keyEnd, in: syntax.block(around: old.value))
    replaceText(in: range, by: prefix + text)
  }

  /// Returns true if an entry has only its key, which is also its value, as in a strings file. Another key would give it another value.
  private func isKeyAlone(_ child: Child) throws(FerryError) -> Bool {
    guard ranges[child.value.index].isEmpty, try tree.kind(of: child.value) == .string else { return false }
    return try tree.length(of: child.value) > 0
  }

  /// Returns the end of a value's text. The comment after the last line of a block is that of its last child, so it is a part of the block.
  ///
  /// - Parameter isRemoved: True if the entry of the value is removed, with the line on which a block of one line is.
  func endWithComment(of node: NodeID, isRemoved: Bool = false) -> Int {
    let (range, newLine) = (ranges[node.index], UInt8(ascii: "\n"))
    let isOnOwnLine = isRemoved && CommentsAbove.startOfLine(before: range.lowerBound, in: source) != nil
    // A comment after the line end of the block is on a line of its own.
    guard syntax.block(node) != nil, let last = source[range].last, last != newLine,
      isOnOwnLine || source[range].contains(newLine)
    else { return range.upperBound }
    return endOfLineMarkup(after: range.upperBound).end
  }

  /// Replaces the text of a value.
  private mutating func replaceValue(
    _ node: NodeID, by new: [UInt8], of value: NodeID
  ) throws(FerryError) {
    let range = ranges[node.index]
    let end = endWithComment(of: node, isRemoved: carriedBlocks.contains(node))
    let comment = source[range.upperBound..<end]
    if !comment.isEmpty {
      reportMarkup(in: range.upperBound..<end, missingIn: [])
      add(ByteEdit(range: range.upperBound..<end, text: []))
    }
    try freeLine(afterBlock: node, for: value)
    let isBlock = try !children(of: value, in: list).isEmpty && !"[{!".utf8.contains(new.first ?? 0)
    guard let block = syntax.block(node), !isBlock else { return replaceText(in: range, by: new) }
    // A value on one line in place of a block goes to the line of its key or dash. With a comment between them, it stays on a line of its
    // own, and must be indented further than the key. The dashes of a list may have been in the column of the key.
    let gap = gap(before: range.lowerBound)
    if source[gap].contains(UInt8(ascii: "\n")), endsInIndicator(gap.lowerBound) {
      add(ByteEdit(range: gap, text: [UInt8(ascii: " ")]))
      replaceText(in: range, by: new)
    } else {
      let isBelowKey = syntax.block(around: node)?.column == block.column
      replaceText(in: range, by: isBelowKey ? [0x20, 0x20] + new : new)
    }
  }

  /// Returns true if the text before an offset ends with a colon, a dash or a question mark, and not with a comment.
  func endsInIndicator(_ end: Int) -> Bool {
    guard end > 0, ":-?".utf8.contains(source[end - 1]) else { return false }
    let line = source[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // The mark of a document is not a dash of a list.
    return syntax.markup(in: source[line..<end]).isEmpty && !source[line..<end].elementsEqual("---".utf8)
  }

  /// Replaces the text of a value or a key. Keeps its attributes, and reports what else is lost.
  private mutating func replaceText(in range: Range<Int>, by new: [UInt8]) {
    // A value that takes its text along has its own attributes.
    let isCarried = carried?.isMark(new) ?? false
    let new = isCarried ? new : syntax.text(new, withAttributesOf: source[range])
    reportMarkup(in: range, missingIn: new)
    add(ByteEdit(range: range, text: new))
  }

  /// Returns true if only white space, or a byte order mark, is before an offset.
  func isAtBeginning(_ offset: Int) -> Bool {
    let start = source.utf8MarkCount
    return source[min(start, offset)..<offset].allSatisfy(\.isSpace)
  }

  /// Appends an insertion. Insertions at the same offset are joined in order.
  mutating func addInsertion(_ edit: ByteEdit) {
    if let last = edits.indices.last, edits[last].range == edit.range, edits[last].depth == edit.depth {
      edits[last].text += edit.text
    } else {
      add(edit)
    }
  }

  /// Removes whole lines. Insertions at the end of their text, which are into the collections around it, become lines after them.
  ///
  /// - Parameter end: The end of the text on the lines.
  mutating func removeLines(_ lines: Range<Int>, withTextEndingAt end: Int) {
    add(ByteEdit(range: lines, text: []))
    for offset in end..<max(end, lines.upperBound) where insertions.contains(offset) {
      endsOfRemovedLines[offset] = lines.upperBound
    }
  }

  /// Returns an insertion inside removed lines as one of lines after them, and other edits as they are.
  private func afterRemovedLines(_ edit: ByteEdit) -> ByteEdit {
    guard edit.range.isEmpty, let end = endsOfRemovedLines[edit.range.lowerBound] else { return edit }
    var edit = edit
    edit.range = end..<end
    // The line end before the new lines was removed, and another line may follow them.
    if edit.text.starts(with: lineEnd) { edit.text = edit.text.dropFirst(lineEnd.count) + lineEnd }
    return edit
  }

  /// Adds an edit, and remembers the offset of an insertion.
  mutating func add(_ edit: ByteEdit) {
    if edit.range.isEmpty { insertions.insert(edit.range.lowerBound) }
    edits.append(edit)
  }
}
