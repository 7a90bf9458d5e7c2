/// The entries of a text, each with the comments that belong to it: those on the lines above it, beside it, and at its end.
///
///     a: 1          a
///     # the rest    b, with the comments "# the rest" and "# two"
///     b: 2  # two
///
/// A large text has millions of entries, so an entry has no memory of its own.
struct CommentedEntries {
  typealias Piece = TextPieces.Piece

  /// An entry of a dictionary, an element of a list or an element of XML.
  struct Entry {
    /// A hash of the key or of the beginning of the start tag; 0 for an element of a list.
    let label: Int
    /// A hash of the text without comments and white space.
    fileprivate(set) var symbol = 0
    /// The part of the text with the key and the value.
    fileprivate var start, textEnd: UInt32
    /// The index after the last entry inside this one.
    fileprivate(set) var end: UInt32
    /// The index of the entry around this one.
    fileprivate let parent: UInt32

    /// The part of the text with the key and the value.
    fileprivate var range: Range<Int> { Int(start)..<Int(textEnd) }
  }

  /// The entries in the order of the text, after the outermost value.
  private(set) var entries: [Entry] = []
  /// The comments of each entry that has some.
  private(set) var comments: [Int: [Piece]] = [:]
  /// The entries that have comments, in ascending order.
  private(set) var commented: [Int] = []
  /// The number of occurrences of each comment.
  private(set) var counts: [Piece: Int] = [:]

  /// Finds the entries. Returns nil for a text that is not valid.
  init?(_ text: CommentedText, budget: Budget) {
    guard text.bytes.count < UInt32.max else { return nil }
    if text.isXML {
      var elements = CommentedElements(text.bytes)
      guard elements.addAll(to: &self) else { return nil }
      hashContents { _, range in text.bytes[range] }
    } else {
      guard let starts = addValues(of: text, budget) else { return nil }
      hashContents { index, range in text.bytes[starts[index]..<max(starts[index], range.upperBound)] }
    }
    commented = comments.keys.sorted()
  }

  /// Returns the hash by which entries with a key or a start tag are compared. It is not 0.
  static func label(_ text: Piece) -> Int { text.hashValue | 1 }

  /// Returns the indices of the entries directly inside an entry.
  func children(of index: Int) -> [Int] {
    var (children, child) = ([Int](), index + 1)
    while child < entries[index].end {
      children.append(child)
      child = Int(entries[child].end)
    }
    return children
  }

  /// Returns true if an entry or one inside it has comments.
  func hasComments(in index: Int) -> Bool {
    let next = commented.partitioningIndex { $0 >= index }
    return next < commented.count && commented[next] < entries[index].end
  }

  /// Appends an entry, which ends with the text so far, and returns its index.
  mutating func append(label: Int, _ range: Range<Int>, in parent: Int) -> Int {
    entries.append(
      Entry(
        label: label, start: UInt32(range.lowerBound), textEnd: UInt32(range.upperBound),
        end: UInt32(entries.count + 1), parent: UInt32(parent)))
    return entries.count - 1
  }

  /// Ends an entry after those that were appended since.
  mutating func close(_ entry: Int, at textEnd: Int? = nil) {
    entries[entry].end = UInt32(entries.count)
    if let textEnd { entries[entry].textEnd = UInt32(textEnd) }
  }

  /// Adds a comment to an entry.
  mutating func add(_ comment: Piece, to entry: Int) {
    comments[entry, default: []].append(comment)
    counts[comment, default: 0] += 1
  }

  /// Hashes the entries, those inside others first.
  ///
  /// - Parameter text: Returns the text of the value of an entry without others inside.
  private mutating func hashContents(_ text: (_ index: Int, _ range: Range<Int>) -> Piece) {
    for index in entries.indices.reversed() {
      var hasher = Hasher()
      hasher.combine(entries[index].label)
      var child = index + 1
      if child == entries[index].end {
        for byte in text(index, entries[index].range) where !byte.isSpace { hasher.combine(byte) }
      }
      while child < entries[index].end {
        hasher.combine(entries[child].symbol)
        child = Int(entries[child].end)
      }
      entries[index].symbol = hasher.finalize()
    }
  }

  // MARK: Text with ranges of values

  /// Adds the values of a text and its comments. Returns, for each entry, the offset of its value; nil for a text that is not valid.
  private mutating func addValues(of text: CommentedText, _ budget: Budget) -> [Int]? {
    let mark = text.bytes.utf8MarkCount
    let bytes = Array(text.bytes[mark...])
    guard let finder = text.format.description.textLayout,
      let tree = try? text.format.nodes(of: MemoryInput(bytes), budget: budget) as? PropertyListTree,
      let layout = try? finder(bytes, tree), layout.ranges.count == tree.nodeCount
    else { return nil }
    var values = ValueEntries(tree: tree, layout: layout, text: text.bytes, mark: mark)
    guard (try? values.addAll(to: &self)) != nil else { return nil }
    guard !text.comments.isEmpty else { return values.starts }
    values.marks.sort { ($0.offset, $0.entry) < ($1.offset, $1.entry) }
    let owners = CommentOwners(
      entries: entries, marks: values.marks, openDocuments: values.openDocuments, text: text)
    for comment in text.comments { add(text.bytes[comment], to: owners.owner(of: comment)) }
    return values.starts
  }
}

/// A reader of the entries of a text whose values have ranges.
private struct ValueEntries {
  /// A collection whose children are added.
  private struct Frame {
    let node: NodeID
    let entry, count: Int
    let isDictionary: Bool
    var next = 0
  }

  let tree: PropertyListTree
  let layout: TextLayout
  let text: [UInt8]
  /// The size of the byte order mark.
  let mark: Int
  /// For each entry, the offset of its value.
  var starts: [Int] = []
  /// The offsets after which comments on the same line are beside an entry: the ends of its key, of its opening bracket and of the entry.
  var marks: [(offset: Int, entry: Int)] = []
  /// The documents without brackets, which begin with their first entry.
  private(set) var openDocuments: [Int] = []

  init(tree: PropertyListTree, layout: TextLayout, text: [UInt8], mark: Int) {
    (self.tree, self.layout, self.text, self.mark) = (tree, layout, text, mark)
  }

  mutating func addAll(to entries: inout CommentedEntries) throws(FerryError) {
    var open: [Frame] = []
    if let root = try add(tree.root, nil, in: 0, to: &entries) { open.append(root) }
    while var frame = open.popLast() {
      guard frame.next < frame.count else {
        entries.close(frame.entry)
        continue
      }
      let index = frame.next
      frame.next += 1
      open.append(frame)
      var key: NodeID?
      if frame.isDictionary {
        let node = try tree.key(index, of: frame.node)
        if layout.syntax.isMerged(node) || layout.syntax.isCopy(node) { continue }
        key = node
      }
      let value =
        try frame.isDictionary ? tree.value(index, of: frame.node) : tree.element(index, of: frame.node)
      if let inner = try add(value, key, in: frame.entry, to: &entries) { open.append(inner) }
    }
  }

  private func range(of node: NodeID) -> Range<Int> {
    let range = layout.ranges[node.index]
    return (range.lowerBound + mark)..<(range.upperBound + mark)
  }

  /// Adds a value, and returns the collection with its children, if it has any of its own.
  private mutating func add(
    _ node: NodeID, _ key: NodeID?, in parent: Int, to entries: inout CommentedEntries
  ) throws(FerryError) -> Frame? {
    let value = range(of: node)
    var (start, end) = (value.lowerBound, value.upperBound)
    let keyRange = key.map(range)
    if let keyRange { (start, end) = (min(start, keyRange.lowerBound), max(end, keyRange.upperBound)) }
    while end > start, text[end - 1].isSpace { end -= 1 }
    let label = keyRange.map { CommentedEntries.label(text[$0]) } ?? 0
    let entry = entries.append(label: label, start..<end, in: parent)
    if let keyRange { marks.append((keyRange.upperBound, entry)) }
    let hasBracket = value.lowerBound < end && "{[(<".utf8.contains(text[value.lowerBound])
    if hasBracket {
      marks.append((value.lowerBound + 1, entry))
    } else if entry == 0 ? layout.syntax.records == nil : parent == 0 && layout.syntax.records != nil {
      openDocuments.append(entry)
    }
    marks.append((end, entry))
    starts.append(keyRange?.upperBound ?? (hasBracket ? value.lowerBound + 1 : start))
    guard !layout.syntax.isCopy(node) else { return nil }
    switch try tree.kind(of: node) {
    case .dictionary(let count):
      return Frame(node: node, entry: entry, count: count, isDictionary: true)
    case .array(let count), .set(let count):
      return Frame(node: node, entry: entry, count: count, isDictionary: false)
    default: return nil
    }
  }
}

/// The rules by which a comment belongs to an entry.
private struct CommentOwners {
  let entries: [CommentedEntries.Entry]
  /// The offsets after which comments on the same line are beside an entry, in ascending order.
  let marks: [(offset: Int, entry: Int)]
  private let lineEnds, separators: [Int]
  /// For each document that begins with its first entry, the beginning of the comments above this entry. Those before are the document's.
  private let startsOfComments: [Int: Int]
  private let isListOfDocuments: Bool

  init(
    entries: [CommentedEntries.Entry], marks: [(offset: Int, entry: Int)], openDocuments: [Int],
    text: CommentedText
  ) {
    (self.entries, self.marks) = (entries, marks)
    let bytes = text.bytes
    isListOfDocuments = !openDocuments.contains(0)
    startsOfComments = openDocuments.reduce(into: [:]) { starts, document in
      guard entries[document].end > document + 1, case let start = entries[document].range.lowerBound,
        entries[document + 1].range.lowerBound == start || Self.isIndicator(at: start, in: bytes)
      else { return }
      starts[document] = CommentsAbove(start, in: bytes, text.comments)?.startOfLine
    }
    lineEnds = bytes.indices.filter { bytes[$0].isLineEnd }
    separators = bytes.indices.filter { index in
      guard ",;".utf8.contains(bytes[index]) else { return false }
      // A comma in a comment separates no entries.
      let next = text.comments.partitioningIndex { $0.upperBound > index }
      return next == text.comments.count || index < text.comments[next].lowerBound
    }
  }

  /// Returns true if the dash of an element or the question mark before a key is at an offset.
  private static func isIndicator(at offset: Int, in text: [UInt8]) -> Bool {
    offset + 1 < text.count && "-?".utf8.contains(text[offset]) && text[offset + 1].isSpace
  }

  /// Returns the entry to which a comment belongs.
  func owner(of comment: Range<Int>) -> Int {
    var next = entries.partitioningIndex { $0.range.lowerBound >= comment.upperBound }
    // The list of documents begins with the first one.
    if next == 0, isListOfDocuments, entries[0].end > 1,
      entries[1].range.lowerBound == entries[0].range.lowerBound
    {
      next = 1
    }
    if let start = startsOfComments[next], start <= comment.lowerBound { next += 1 }
    if let entry = entryBeside(comment, before: next) { return entry }
    var container = max(next - 1, 0)
    while container > 0, entries[container].range.upperBound < comment.upperBound {
      container = Int(entries[container].parent)
    }
    guard next < entries.count else { return container }
    let isAtEnd =
      entries[container].range.upperBound >= comment.upperBound
      && entries[container].range.upperBound <= entries[next].range.lowerBound
    return isAtEnd ? container : next
  }

  /// Returns the entry that ends, or whose key or bracket is, before a comment on its line. Nil if there is none, or if the comment is between a
  /// comma and the next entry on the line: `[1 /* the one */, /* the two */ 2]`.
  private func entryBeside(_ comment: Range<Int>, before next: Int) -> Int? {
    let after = marks.partitioningIndex { $0.offset > comment.lowerBound }
    guard after > 0, case let mark = marks[after - 1],
      !Self.has(lineEnds, in: mark.offset..<comment.lowerBound)
    else { return nil }
    guard next < entries.count, case let start = entries[next].range.lowerBound, start >= comment.upperBound,
      !Self.has(lineEnds, in: comment.upperBound..<start)
    else { return mark.entry }
    return Self.has(separators, in: mark.offset..<comment.lowerBound) ? nil : mark.entry
  }

  /// Returns true if one of the offsets, which are in ascending order, is in a range.
  private static func has(_ offsets: [Int], in range: Range<Int>) -> Bool {
    let next = offsets.partitioningIndex { $0 >= range.lowerBound }
    return next < offsets.count && offsets[next] < range.upperBound
  }
}
