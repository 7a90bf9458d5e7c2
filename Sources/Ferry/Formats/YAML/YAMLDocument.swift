/// The nodes of a YAML document, in the order of the text.
///
/// Merge keys need all keys of a mapping, and an alias needs its anchor's value, so a document is read before it is
/// sent. Documents of a stream are read one by one.
///
///     a: &x [1, 2]      0 mapping → 5    1 scalar a   2 sequence x → 5   3 scalar 1   4 scalar 2
///     b: *x                              5 …
struct YAMLDocument {
  enum Kind: UInt8 { case scalar, sequence, mapping, alias }

  /// A node of 32 bytes. A document has a node for every few bytes of its text, so offsets and indices take four bytes each.
  struct Node {
    let kind: Kind
    var isPlain = false
    var isFlow = false
    /// True if an anchor marks the node.
    var hasAnchor = false
    private var (textStart, textEnd): (UInt32, UInt32) = (0, 0)
    private var (start, end): (UInt32, UInt32) = (0, 0)
    private var (nextNode, targetNode): (UInt32, UInt32) = (0, 0)
    /// The index of the tag in `tags`, or -1.
    var tag: Int32 = -1

    init(kind: Kind, range: Range<Int>) {
      self.kind = kind
      self.range = range
    }

    /// The text of a scalar or the name of an alias, in `bytes`.
    var text: Range<Int> {
      get { Int(textStart)..<Int(textEnd) }
      set {
        textStart = UInt32(clamping: newValue.lowerBound)
        textEnd = UInt32(clamping: newValue.upperBound)
      }
    }
    /// The byte range in the document's text, with the anchor and the tag.
    var range: Range<Int> {
      get { Int(start)..<Int(end) }
      set {
        start = UInt32(clamping: newValue.lowerBound)
        end = UInt32(clamping: newValue.upperBound)
      }
    }
    /// The index after the node and all nodes inside it.
    var next: Int {
      get { Int(nextNode) }
      set { nextNode = UInt32(clamping: newValue) }
    }
    /// The node that an alias refers to.
    var target: Int {
      get { Int(targetNode) }
      set { targetNode = UInt32(clamping: newValue) }
    }

    /// True for a collection without brackets.
    var isBlock: Bool { !isFlow && (kind == .sequence || kind == .mapping) }

    /// True if the text of the node begins with an anchor or a tag of its own.
    var hasProperties: Bool { hasAnchor || tag >= 0 }
  }

  private(set) var nodes: [Node] = []
  private(set) var bytes: [UInt8] = []
  private(set) var tags: [String] = []
  /// The text of the document.
  let text: [UInt8]
  /// The ranges of the documents in the text if it has several, which are the elements of the first node; otherwise empty.
  let documents: [Range<Int>]
  /// The values of the documents whose directive names a version of YAML before 1.2.
  private(set) var olderRoots: Set<Int> = []
  /// True if a node has an anchor, a tag, or is an alias.
  private(set) var hasProperties = false
  private let lines: LineCounter
  private var tagIndices: [ExactString: Int] = [:]
  /// The size of the tags of all nodes in bytes. A directive gives a short tag a prefix of any length.
  private var tagBytes = 0
  private var anchors: [[UInt8]: Int] = [:]

  /// Reads a document.
  ///
  /// - Parameter lines: A counter that has counted the text before the document.
  /// - Throws: A `FerryError` with its location in the whole text.
  init(_ text: [UInt8], after lines: LineCounter, budget: Budget) throws(FerryError) {
    (self.text, self.lines, documents) = (text, lines, [])
    try checkText()
    try read(0..<text.count, budget)
  }

  /// Reads the document of a text or, if it has several, the documents as the elements of a list.
  init(stream text: [UInt8], budget: Budget) throws(FerryError) {
    // The parser takes a byte order mark only at the beginning of a text.
    let start = text.utf8MarkCount
    let documents = YAMLDocumentScan.documents(in: text, from: start)
    guard documents.count > 1 else {
      try self.init(text, after: LineCounter(), budget: budget)
      if nodes.isEmpty { addMissingRoot() }
      return
    }
    try self.init(text, documents, budget)
  }

  private init(_ text: [UInt8], _ documents: [Range<Int>], _ budget: Budget) throws(FerryError) {
    (self.text, self.documents, lines) = (text, documents, LineCounter())
    try checkText()
    nodes = [Node(kind: .sequence, range: 0..<text.count)]
    for document in documents {
      let root = nodes.count
      // An alias refers to an anchor of its own document.
      anchors.removeAll()
      try read(document, budget)
      guard root < nodes.count, nodes[root].range.isEmpty else { continue }
      // The parser places the value of an empty document at the next one.
      let end = min(endOfMark(in: document), document.upperBound)
      nodes[root].range = end..<end
    }
    nodes[0].next = nodes.count
  }

  /// Adds the null of a text that has only comments, after them.
  private mutating func addMissingRoot() {
    var root = Node(kind: .scalar, range: text.count..<text.count)
    (root.isPlain, root.next) = (true, 1)
    nodes = [root]
  }

  /// Returns the offset after the mark of a document without a value.
  private func endOfMark(in document: Range<Int>) -> Int {
    var line = document.lowerBound
    while line < document.upperBound {
      let (content, next) = YAMLDocumentScan.lineRange(in: text, from: line)
      if YAMLDocumentScan.isMark(text[content], "---") { return line + 3 }
      line = next
    }
    return document.upperBound
  }

  /// True if the text has several documents, which are the elements of the first node.
  var isStream: Bool { !documents.isEmpty }

  /// The values of the documents.
  var roots: [Int] {
    guard isStream else { return [0] }
    var (roots, node) = ([Int](), 1)
    while node < nodes.count {
      roots.append(node)
      node = nodes[node].next
    }
    return roots
  }

  /// The largest size of a text. Up to this size, the texts of its scalars have less than 2³² bytes, and it has fewer nodes.
  private static let maximumSize = 1 << 31

  private func checkText() throws(FerryError) {
    guard text.count < Self.maximumSize else { throw FerryError(.overBudget(.textBytes(Self.maximumSize))) }
    if case .invalid(let flaw) = text.span.checkUTF8() {
      throw FerryError(.yaml(.notUTF8), at: lines.location(of: flaw, in: text.span))
    }
  }

  /// The state of reading.
  private struct Reading {
    var cursor: CharacterOffsets
    /// The value of the document.
    let root: Int
    /// The open collections.
    var open: [Int] = []
    /// The end of the last complete node, with which a block ends.
    var end: Int
  }

  private mutating func read(_ range: Range<Int>, _ budget: Budget) throws(FerryError) {
    var parser = YAMLParser(text.span.extracting(range))
    var reading = Reading(
      cursor: CharacterOffsets(from: range.lowerBound), root: nodes.count, end: range.lowerBound)
    var event = YAMLEvent()
    while true {
      do throws(YAMLFlaw) { try parser.next(&event) } catch {
        let offset =
          switch error.offset {
          case .bytes(let offset): min(range.lowerBound + offset, text.count)
          case .characters(let character): reading.cursor.offset(of: character, in: text)
          }
        throw FerryError(.yaml(.syntax(error.message)), at: location(of: offset))
      }
      guard event.kind != .streamEnd else { return }
      try take(event, budget, &reading)
    }
  }

  private mutating func take(
    _ event: YAMLEvent, _ budget: Budget, _ reading: inout Reading
  ) throws(FerryError) {
    let start = reading.cursor.offset(of: event.start, in: text)
    tagBytes += event.tag.count
    guard tagBytes <= budget.allowance(forInputBytes: text.count) else {
      throw budget.overAmplification.placed(at: location(of: start))
    }
    switch event.kind {
    case .other, .streamEnd: break
    case .documentStart:
      guard nodes.count == reading.root else {
        throw FerryError(.yaml(.severalDocuments), at: location(of: start))
      }
      if event.isOfOlderVersion { olderRoots.insert(reading.root) }
    case .alias: try addAlias(event, from: start, &reading)
    case .scalar:
      guard event.text.count <= budget.tokenBytes else {
        throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)), at: location(of: start))
      }
      addScalar(event, from: start, &reading)
    case .sequenceStart, .mappingStart:
      guard reading.open.count < budget.depth else {
        throw FerryError(.overBudget(.depth(budget.depth)), at: location(of: start))
      }
      reading.open.append(nodes.count)
      var node = Node(kind: event.kind == .sequenceStart ? .sequence : .mapping, range: start..<start)
      node.isFlow = event.isFlow
      add(node, event)
    case .sequenceEnd, .mappingEnd: endCollection(event, &reading)
    }
  }

  private mutating func addAlias(
    _ event: YAMLEvent, from start: Int, _ reading: inout Reading
  ) throws(FerryError) {
    guard let target = anchors[event.anchor] else {
      throw FerryError(.yaml(.unknownAlias(event.anchor.span.decodedString)), at: location(of: start))
    }
    hasProperties = true
    var node = Node(kind: .alias, range: start..<reading.cursor.offset(of: event.end, in: text))
    (node.target, node.text) = (target, add(event.anchor))
    reading.end = node.range.upperBound
    add(node, event)
  }

  private mutating func addScalar(_ event: YAMLEvent, from start: Int, _ reading: inout Reading) {
    let end = reading.end
    let stop = endOfScalar(from: start, to: reading.cursor.offset(of: event.end, in: text))
    // The parser places the missing value of a key without a colon (`? a`, `{a}`) at the next token.
    let isMissing =
      stop == start && event.isPlain && nodes.count > reading.root && end < start
      && endOfSpace(from: end) >= start
      && (start == text.count || text[start] != UInt8(ascii: ":"))
    var node = Node(kind: .scalar, range: isMissing ? end..<end : start..<stop)
    (node.isPlain, node.text) = (event.isPlain, add(event.text))
    add(node, event)
    if !event.isPlain {
      includeBlanks(inBlock: nodes.count - 1, before: reading.cursor.offset(of: event.end, in: text))
    }
    reading.end = nodes[nodes.count - 1].range.upperBound
  }

  /// Extends the range of a block, such as `| ⏎ text`, by the white space that is content: the blanks after its last line, and lines of
  /// more spaces than the others begin with. Does nothing for a text in quotation marks.
  private mutating func includeBlanks(inBlock node: Int, before limit: Int) {
    let (start, end) = (contentStart(of: node), nodes[node].range.upperBound)
    guard start < end, "|>".utf8.contains(text[start]) else { return }
    var (content, line) = YAMLDocumentScan.lineRange(in: text, from: start)
    var indentation = Int.max
    while line < end {
      (content, line) = YAMLDocumentScan.lineRange(in: text, from: line)
      guard let first = text[content].firstIndex(where: { !$0.isSpace }) else { continue }
      indentation = min(indentation, first - content.lowerBound)
    }
    var last = content.upperBound
    while line < limit {
      (content, line) = YAMLDocumentScan.lineRange(in: text, from: line)
      guard content.upperBound <= limit, text[content].allSatisfy(\.isSpace) else { break }
      if content.count > indentation { last = content.upperBound }
    }
    nodes[node].range = nodes[node].range.lowerBound..<max(end, last)
  }

  private mutating func endCollection(_ event: YAMLEvent, _ reading: inout Reading) {
    guard let begun = reading.open.popLast() else { return }
    nodes[begun].next = nodes.count
    // A pair without brackets ends with its value; the parser places its end at the next token.
    if isInBrackets(begun) {
      reading.end = reading.cursor.offset(of: event.end, in: text)
    }
    reading.end = max(reading.end, nodes[begun].range.lowerBound)
    nodes[begun].range = nodes[begun].range.lowerBound..<reading.end
  }

  /// Returns true if a node is a collection in brackets or braces. A pair in a list is in flow style without them: `[a: 1, ? b : 2]`.
  func isInBrackets(_ node: Int) -> Bool {
    guard nodes[node].isFlow else { return false }
    // A pair without braces has neither a tag nor an anchor.
    guard nodes[node].kind == .mapping, !nodes[node].hasProperties else { return true }
    let start = nodes[node].range.lowerBound
    // The first brace of `[{a: 1}: 2]` and of its pair is that of the key.
    let beginsWithKey = node + 1 < nodes[node].next && nodes[node + 1].range.lowerBound == start
    return !beginsWithKey && start < text.count && text[start] == UInt8(ascii: "{")
  }

  /// Returns the end of a scalar without the line ends after a block.
  private func endOfScalar(from start: Int, to end: Int) -> Int {
    var end = max(start, end)
    while end > start, text[end - 1].isSpace { end -= 1 }
    return end
  }

  private mutating func add(_ text: [UInt8]) -> Range<Int> {
    bytes += text
    return bytes.count - text.count..<bytes.count
  }

  private mutating func add(_ node: Node, _ event: YAMLEvent) {
    var node = node
    node.next = nodes.count + 1
    if !event.tag.isEmpty {
      let tag = event.tag.span.decodedString
      let index = tagIndices[ExactString(tag)] ?? tags.count
      if index == tags.count {
        tags.append(tag)
        tagIndices[ExactString(tag)] = index
      }
      node.tag = Int32(clamping: index)
      hasProperties = true
    }
    if event.kind != .alias, !event.anchor.isEmpty {
      anchors[event.anchor] = nodes.count
      node.hasAnchor = true
      hasProperties = true
    }
    nodes.append(node)
  }

  /// Returns the first key of the mapping that a text begins with, or nil.
  static func firstKey(of head: Span<UInt8>) -> [UInt8]? {
    var parser = YAMLParser(head)
    var event = YAMLEvent()
    var isInMapping = false
    while (try? parser.next(&event)) != nil {
      switch event.kind {
      case .other, .documentStart: continue
      case .mappingStart where !isInMapping: isInMapping = true
      case .scalar where isInMapping: return event.text
      default: return nil
      }
    }
    return nil
  }

  /// Returns the location of an offset of the document in the whole text.
  func location(of offset: Int) -> InputLocation { lines.location(of: offset, in: text.span) }

  /// Returns the location of an offset of the document in the whole text. If offsets increase, each byte is counted once.
  func location(of offset: Int, _ locations: inout ChunkLocations) -> InputLocation {
    locations.location(of: offset, in: text.span, after: lines)
  }

  /// Sets the location of the next events to that of a node. If nodes follow each other, each byte is counted once.
  func move(_ locator: SourceLocator, to index: Int) {
    locator.move(to: nodes[index].range.lowerBound, in: text.span, after: lines)
  }

  /// Returns the tag of a node, or nil.
  func tag(of node: Int) -> String? { nodes[node].tag < 0 ? nil : tags[Int(nodes[node].tag)] }

  /// Returns the text of a scalar.
  func string(of node: Int) -> String { bytes[nodes[node].text].span.decodedString }

  /// Returns the index of the first node that begins at or after an offset.
  func firstNode(from offset: Int) -> Int {
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle].range.lowerBound < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the comments in a part of the text.
  func comments(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var index = text.startIndex
    while let mark = text[index...].firstIndex(of: UInt8(ascii: "#")) {
      index = mark + 1
      // YAML demands white space before a comment, but libyaml does not after a bracket, a comma or a quotation mark.
      guard mark == text.startIndex || text[mark - 1].isSpace || "[]{},\"'".utf8.contains(text[mark - 1]),
        !isInScalar(mark)
      else { continue }
      index =
        text[mark...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? text.endIndex
      found.append(text[mark..<index])
    }
    return found
  }

  /// Returns true if an offset is inside a scalar, where `#` begins no comment.
  private func isInScalar(_ offset: Int) -> Bool {
    let next = firstNode(from: offset)
    guard next > 0, nodes[next - 1].kind == .scalar else { return false }
    let start = contentStart(of: next - 1)
    guard start <= offset, offset < nodes[next - 1].range.upperBound else { return false }
    // The content of a block begins on the line after its header: `| # a comment`.
    let isBlock = "|>".utf8.contains(text[start])
    return !isBlock || text[start..<offset].contains(UInt8(ascii: "\n"))
  }

  /// Returns the key of a mapping that merges other mappings into it, or nil.
  func mergeKey(of mapping: Int) -> Int? {
    guard nodes[mapping].kind == .mapping else { return nil }
    var key = mapping + 1
    while key < nodes[mapping].next {
      if isMergeKey(key) { return key }
      key = nodes[nodes[key].next].next
    }
    return nil
  }

  /// Returns the keys of a mapping that merge other mappings into it. A list has none.
  func mergeKeys(of mapping: Int) -> [Int] {
    guard nodes[mapping].kind == .mapping else { return [] }
    var (keys, key) = ([Int](), mapping + 1)
    while key < nodes[mapping].next {
      if isMergeKey(key) { keys.append(key) }
      key = nodes[nodes[key].next].next
    }
    return keys
  }

  /// Returns the keys of a mapping without merge keys.
  func ownKeys(of mapping: Int) -> [Int] {
    var (keys, key) = ([Int](), mapping + 1)
    while key < nodes[mapping].next {
      if !isMergeKey(key) { keys.append(key) }
      key = nodes[nodes[key].next].next
    }
    return keys
  }

  /// Returns the text of a scalar, or of the one to which an alias refers. Nil for a collection.
  func scalarText(of node: Int) -> [UInt8]? {
    var node = node
    while nodes[node].kind == .alias { node = nodes[node].target }
    return nodes[node].kind == .scalar ? Array(bytes[nodes[node].text]) : nil
  }

  /// Returns true if a node is the key that merges other mappings into its own.
  func isMergeKey(_ node: Int) -> Bool {
    nodes[node].kind == .scalar && nodes[node].isPlain && nodes[node].tag < 0
      && bytes[nodes[node].text].elementsEqual("<<".utf8)
  }
}

/// The byte offsets of characters in a text. They are asked for in nearly increasing order.
private struct CharacterOffsets {
  private var character = 0
  private var byte: Int
  private let start: Int

  /// Creates offsets of the characters after a byte.
  init(from start: Int) { (byte, self.start) = (start, start) }

  mutating func offset(of wanted: Int, in text: [UInt8]) -> Int {
    while character < wanted, byte < text.count {
      byte += 1
      while byte < text.count, text[byte] & 0xc0 == 0x80 { byte += 1 }
      character += 1
    }
    while character > wanted, byte > start {
      byte -= 1
      while byte > start, text[byte] & 0xc0 == 0x80 { byte -= 1 }
      character -= 1
    }
    return byte
  }
}
