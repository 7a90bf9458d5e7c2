/// The entries of a text, each with the comments that belong to it: those on the lines above it, beside it, and at its end.
///
///     a: 1          a
///     # the rest    b, with the comments "# the rest" and "# two"
///     b: 2  # two
struct CommentedEntries {
  typealias Piece = TextPieces.Piece

  /// An entry of a dictionary, an element of a list or an element of XML.
  struct Entry {
    /// The text of the key, or the beginning of the start tag; nil for an element of a list.
    let label: Piece?
    /// The part of the text with the key and the value.
    var range: Range<Int>
    /// The ends of the key and of the opening bracket, after which comments are beside the entry.
    var beginnings: [Int] = []
    let parent: Int?
    var children: [Int] = []
    /// A hash of the text without comments and white space.
    var symbol = 0
    var comments: [Piece] = []
  }

  /// The entries in the order of the text, after the outermost value.
  private(set) var entries: [Entry] = []
  /// The number of occurrences of each comment.
  private(set) var counts: [Piece: Int] = [:]

  /// Finds the entries. Returns nil for a text that is not valid.
  init?(_ text: CommentedText, budget: Budget) {
    if text.isXML {
      guard let content = ElementContent(text.bytes[...]) else { return nil }
      _ = append(nil, text.bytes.indices, [], in: nil)
      add(content, of: text.bytes, to: 0)
    } else {
      guard addValues(of: text, budget) else { return nil }
      for comment in text.comments { add(text.bytes[comment], to: owner(of: comment, in: text.bytes)) }
    }
    hashContents(of: text.bytes)
  }

  private mutating func append(
    _ label: Piece?, _ range: Range<Int>, _ beginnings: [Int], in parent: Int?
  ) -> Int {
    if let parent { entries[parent].children.append(entries.count) }
    entries.append(Entry(label: label, range: range, beginnings: beginnings, parent: parent))
    return entries.count - 1
  }

  private mutating func add(_ comment: Piece, to entry: Int) {
    entries[entry].comments.append(comment)
    counts[comment, default: 0] += 1
  }

  private mutating func hashContents(of text: [UInt8]) {
    for index in entries.indices.reversed() {
      var hasher = Hasher()
      hasher.combine(entries[index].label)
      if entries[index].children.isEmpty {
        let value = max(entries[index].range.lowerBound, entries[index].beginnings.first ?? 0)
        for byte in text[value..<max(value, entries[index].range.upperBound)] where !byte.isSpace {
          hasher.combine(byte)
        }
      }
      for child in entries[index].children { hasher.combine(entries[child].symbol) }
      entries[index].symbol = hasher.finalize()
    }
  }

  // MARK: Text with ranges of values

  private mutating func addValues(of text: CommentedText, _ budget: Budget) -> Bool {
    let mark = text.bytes.starts(with: "\u{feff}".utf8) ? 3 : 0
    let bytes = Array(text.bytes[mark...])
    guard let finder = text.format.description.textLayout,
      let tree = try? text.format.nodes(of: MemoryInput(bytes), budget: budget) as? PropertyListTree,
      let layout = try? finder(bytes, tree), layout.ranges.count == tree.nodeCount
    else { return false }
    return (try? add(tree.root, nil, in: nil, of: tree, layout, text.bytes, mark)) != nil
  }

  private mutating func add(
    _ node: NodeID, _ key: NodeID?, in parent: Int?, of tree: PropertyListTree, _ layout: TextLayout,
    _ text: [UInt8], _ mark: Int
  ) throws(FerryError) {
    func range(of node: NodeID) -> Range<Int> {
      let range = layout.ranges[node.index]
      return (range.lowerBound + mark)..<(range.upperBound + mark)
    }
    let value = range(of: node)
    var (start, end) = (value.lowerBound, value.upperBound)
    var beginnings: [Int] = []
    if let key {
      let key = range(of: key)
      (start, end) = (min(start, key.lowerBound), max(end, key.upperBound))
      beginnings.append(key.upperBound)
    }
    while end > start, text[end - 1].isSpace { end -= 1 }
    if value.lowerBound < end, "{[(<".utf8.contains(text[value.lowerBound]) {
      beginnings.append(value.lowerBound + 1)
    }
    let index = append(key.map { text[range(of: $0)] }, start..<end, beginnings, in: parent)
    guard !layout.syntax.isCopy(node) else { return }
    switch try tree.kind(of: node) {
    case .dictionary(let count):
      for child in 0..<count {
        let key = try tree.key(child, of: node)
        guard !layout.syntax.isMerged(key), !layout.syntax.isCopy(key) else { continue }
        try add(tree.value(child, of: node), key, in: index, of: tree, layout, text, mark)
      }
    case .array(let count), .set(let count):
      for child in 0..<count {
        try add(tree.element(child, of: node), nil, in: index, of: tree, layout, text, mark)
      }
    default: break
    }
  }

  /// The offsets after which comments on the same line are beside an entry, in ascending order.
  private lazy var marks: [(offset: Int, entry: Int)] = entries.indices.flatMap { index in
    (entries[index].beginnings + [entries[index].range.upperBound]).map { (offset: $0, entry: index) }
  }
  .sorted { ($0.offset, $0.entry) < ($1.offset, $1.entry) }

  /// Returns the entry to which a comment belongs.
  private mutating func owner(of comment: Range<Int>, in text: [UInt8]) -> Int {
    let after = marks.partitioningIndex { $0.offset > comment.lowerBound }
    if after > 0, !text[marks[after - 1].offset..<comment.lowerBound].contains(where: \.isLineEnd) {
      return marks[after - 1].entry
    }
    var next = entries.partitioningIndex { $0.range.lowerBound >= comment.upperBound }
    // The outermost value of a text without brackets begins with its first entry.
    if next == 0, let child = entries[0].children.first,
      entries[child].range.lowerBound == entries[0].range.lowerBound
    {
      next = child
    }
    var container: Int? = max(next - 1, 0)
    while let index = container, entries[index].range.upperBound < comment.upperBound {
      container = entries[index].parent
    }
    guard next < entries.count else { return container ?? 0 }
    if let container, entries[container].range.upperBound <= entries[next].range.lowerBound {
      return container
    }
    return next
  }

  // MARK: XML

  /// Adds the elements and comments in the content of an element.
  private mutating func add(_ content: ElementContent, of text: [UInt8], to parent: Int) {
    var last: Int?
    var waiting: [Piece] = []
    for item in content.items {
      guard !TextPieces.isMarkupWithoutValue(item.first) || item.key != nil else {
        guard !item.first.starts(with: "<!".utf8) || item.first.starts(with: "<!--".utf8),
          !item.first.starts(with: "<?xml ".utf8)
        else { continue }
        let isBeside = waiting.isEmpty && !item.gap.contains(where: \.isLineEnd)
        if isBeside, last != nil || parent > 0 {
          add(item.text, to: last ?? parent)
        } else {
          waiting.append(item.text)
        }
        continue
      }
      let index = append(item.label, item.text.startIndex..<item.text.endIndex, [], in: parent)
      for comment in waiting { add(comment, to: index) }
      waiting = []
      last = index
      let own = item.element?.startTag ?? item.text
      for token in TextPieces.tokens(of: own, isXML: true) where TextPieces.isMarkupWithoutValue(token) {
        add(token, to: index)
      }
      if let element = item.element { add(element.content, of: text, to: index) }
    }
    for comment in waiting { add(comment, to: parent) }
  }
}

extension ElementContent.Item {
  /// The key of a value in a property list, or the beginning of the start tag.
  fileprivate var label: TextPieces.Piece { key ?? first.prefix { !$0.isSpace && $0 != UInt8(ascii: ">") } }
}

// MARK: - Merging

/// A check that the comments of a merged text belong to the entries to which they belong in a version.
struct CommentCheck {
  typealias Piece = TextPieces.Piece

  /// The comments of a merged text that belong to other entries.
  struct Faults {
    /// The comments at entries that have them in no version.
    var misplaced: [Piece] = []
    /// The comments that a side has removed, and that the text has.
    var restored: [Piece] = []

    var isEmpty: Bool { misplaced.isEmpty && restored.isEmpty }
  }

  private let base, ours, theirs: CommentedEntries
  private let budget: Budget

  /// Creates a check. Returns nil if the versions have no comments, or one of them is not valid.
  init?(base: CommentedText, ours: CommentedText, theirs: CommentedText, budget: Budget) {
    guard [base, ours, theirs].contains(where: { !$0.markup.isEmpty }),
      let base = CommentedEntries(base, budget: budget), let ours = CommentedEntries(ours, budget: budget),
      let theirs = CommentedEntries(theirs, budget: budget)
    else { return nil }
    (self.base, self.ours, self.theirs, self.budget) = (base, ours, theirs, budget)
  }

  /// An entry of the merged text, with the same entry of each version that has it.
  private struct Match {
    let merged: Int
    let base, ours, theirs: Int?
    /// The comments that the entry may have because a version lacks it: those of the entry around it, and of entries that may be
    /// the same.
    var possible: Set<Piece> = []
  }

  /// Returns the faults of a merged text. A text that is not valid has none.
  func faults(in text: CommentedText) -> Faults {
    var faults = Faults()
    guard let merged = CommentedEntries(text, budget: budget) else { return faults }
    var waiting = [Match(merged: 0, base: 0, ours: 0, theirs: 0)]
    while let match = waiting.popLast() {
      check(match, in: merged, &faults)
      let children = merged.entries[match.merged].children
      let inBase = merged.partners(of: children, in: base, at: match.base)
      let inOurs = merged.partners(of: children, in: ours, at: match.ours)
      let inTheirs = merged.partners(of: children, in: theirs, at: match.theirs)
      let oursAlike = ours.possibleComments(at: match.ours, besides: inOurs)
      let theirsAlike = theirs.possibleComments(at: match.theirs, besides: inTheirs)
      for child in children {
        let label = merged.entries[child].label
        var possible: Set<Piece> = []
        if inOurs[child] == nil { possible.formUnion(oursAlike(label)) }
        if inTheirs[child] == nil { possible.formUnion(theirsAlike(label)) }
        waiting.append(
          Match(
            merged: child, base: inBase[child], ours: inOurs[child], theirs: inTheirs[child],
            possible: possible))
      }
    }
    return faults
  }

  private func check(_ match: Match, in merged: CommentedEntries, _ faults: inout Faults) {
    let comments = merged.entries[match.merged].comments
    guard !comments.isEmpty, match.ours != nil || match.theirs != nil else { return }
    let old = match.base.map { Set(base.entries[$0].comments) } ?? []
    let mine = match.ours.map { Set(ours.entries[$0].comments) }
    let others = match.theirs.map { Set(theirs.entries[$0].comments) }
    for comment in comments {
      let isInOurs = mine?.contains(comment) ?? false
      let isInTheirs = others?.contains(comment) ?? false
      guard isInOurs || isInTheirs else {
        if !match.possible.contains(comment) { faults.misplaced.append(comment) }
        continue
      }
      guard old.contains(comment), mine != nil, others != nil, !isInOurs || !isInTheirs else { continue }
      let side = isInOurs ? theirs : ours
      if side.counts[comment, default: 0] < base.counts[comment, default: 0] {
        faults.restored.append(comment)
      }
    }
  }
}

extension CommentedEntries {
  /// Returns the entries of another text that are the same as entries in this one.
  ///
  /// - Parameter parent: The entry of the other text with its entries; nil if it has none.
  fileprivate func partners(
    of children: [Int], in other: CommentedEntries, at parent: Int?
  ) -> [Int: Int] {
    guard let parent, !children.isEmpty else { return [:] }
    let others = other.entries[parent].children
    let known = other.labels(of: others)
    var found: [Int: Int] = [:]
    for (label, index) in labels(of: children) {
      if let index, let partner = known[label] ?? nil { found[index] = partner }
    }
    let taken = Set(found.values)
    let rest = children.filter { found[$0] == nil }
    let otherRest = others.filter { !taken.contains($0) }
    guard !rest.isEmpty, !otherRest.isEmpty else { return found }
    let alignment = SequenceAlignment(
      otherRest.map { other.entries[$0].symbol }, rest.map { entries[$0].symbol }
    ) { old, new in
      other.isAlike(otherRest[old], rest[new], of: self)
    }
    for (index, match) in alignment.matches.enumerated()
    where match >= 0 && other.entries[otherRest[index]].label == entries[rest[match]].label {
      found[rest[match]] = otherRest[index]
    }
    return found
  }

  /// Returns the comments that an entry with a label may have, although this text lacks the entry: those of the entry around it, and
  /// those of entries in that with the same label that have no partner.
  fileprivate func possibleComments(at parent: Int?, besides partners: [Int: Int]) -> (Piece?) -> [Piece] {
    guard let parent else { return { _ in [] } }
    let taken = Set(partners.values)
    var comments: [Piece?: [Piece]] = [:]
    for child in entries[parent].children where !taken.contains(child) {
      comments[entries[child].label, default: []] += entries[child].comments
    }
    let outer = entries[parent].comments
    return { outer + (comments[$0] ?? []) }
  }

  /// Returns the entries with each label; nil for a label of several.
  private func labels(of children: [Int]) -> [Piece: Int?] {
    children.reduce(into: [:]) { found, index in
      guard let label = entries[index].label else { return }
      found[label] = found.keys.contains(label) ? .some(nil) : index
    }
  }

  /// Returns true if an entry of this text shares half of its parts with an entry of another text.
  private func isAlike(_ index: Int, _ otherIndex: Int, of other: CommentedEntries) -> Bool {
    let (entry, otherEntry) = (entries[index], other.entries[otherIndex])
    guard entry.label == otherEntry.label else { return false }
    let parts = Set(entry.children.map { entries[$0].symbol })
    let otherParts = Set(otherEntry.children.map { other.entries[$0].symbol })
    return 2 * parts.intersection(otherParts).count >= max(parts.count, otherParts.count)
  }
}
