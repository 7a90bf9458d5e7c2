/// The values of a changed text for a writer of new text. A value with a text in the original is a mark, which this text replaces later.
///
///     a: 0x10      `move a l.b`      l:                l:
///     l: {}                            b: carried1z      b: 0x10
final class CarriedNodes: PropertyListNodes {
  private let list: EditedPropertyList
  /// The beginning of each mark, which the original text does not contain.
  private let word: [UInt8]
  /// Returns the node of the original text that has the text of a node, which can be put at another place. Nil if there is none.
  private let nodeWithText: (NodeID) -> NodeID?
  /// The nodes that are values. A key keeps its text.
  private var values: Set<NodeID> = []
  /// The mark of each value with a text of its own; nil for other values.
  private var marks: [NodeID: [UInt8]?] = [:]
  /// The nodes of the original text that the marks name. A new text may look like a mark.
  private var origins: Set<NodeID> = []

  init(_ list: EditedPropertyList, in source: [UInt8], nodeWithText: @escaping (NodeID) -> NodeID?) {
    (self.list, self.nodeWithText) = (list, nodeWithText)
    let most = Self.beginnings(in: source).map(\.count).max()
    word = Array("carried".utf8) + [UInt8](repeating: Self.filler, count: most.map { $0 + 1 } ?? 0)
  }

  private static let filler = UInt8(ascii: "x")

  /// Returns the ranges of the letters x, perhaps of none, that follow the first word of a mark in a text.
  private static func beginnings(in text: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var next = 0
    while let start = text.span.end(ofFirst: "carried", from: next) {
      next = start + text[start...].prefix { $0 == filler }.count
      found.append(start..<next)
    }
    return found
  }

  /// Shows a value as a mark if it has a text in the original. Returns true if it has one.
  func show(_ node: NodeID) throws(FerryError) -> Bool {
    values.insert(node)
    return try mark(of: node) != nil
  }

  /// Returns the mark of a value; nil for a value without a text in the original, and for one that is not shown.
  private func mark(of node: NodeID) throws(FerryError) -> [UInt8]? {
    guard values.contains(node) else { return nil }
    if let known = marks[node] { return known }
    var mark: [UInt8]?
    if let origin = try list.textOrigin(of: node).flatMap(nodeWithText) {
      mark = word + Array("\(origin.index)z".utf8)
      origins.insert(origin)
    }
    marks[node] = .some(mark)
    return mark
  }

  /// Returns true if a text is a mark, perhaps in quotation marks.
  func isMark(_ text: [UInt8]) -> Bool {
    text.drop { "\"'".utf8.contains($0) }.starts(with: word)
  }

  /// A mark in a text.
  struct Mark {
    /// The range of the mark as a string of the format.
    var range: Range<Int>
    var node: NodeID
  }

  /// Returns the marks in a text, in order.
  func marks(in text: [UInt8]) -> [Mark] {
    var found: [Mark] = []
    for beginning in Self.beginnings(in: text) {
      let number = text[beginning.upperBound...].prefix(while: \.isDigit)
      var (start, end) = (beginning.upperBound - word.count, number.endIndex + 1)
      guard start >= 0, text[start..<beginning.upperBound].elementsEqual(word), end <= text.count,
        let index = Int(String(decoding: number, as: UTF8.self)), origins.contains(NodeID(index))
      else { continue }
      for (opening, closing) in [("\"", "\""), ("'", "'"), ("<string>", "</string>")]
      where text[..<start].reversed().starts(with: opening.utf8.reversed())
        && text[end...].starts(with: closing.utf8)
      {
        (start, end) = (start - opening.utf8.count, end + closing.utf8.count)
      }
      found.append(Mark(range: start..<end, node: NodeID(index)))
    }
    return found
  }

  // MARK: Nodes

  var root: NodeID { list.root }
  var nodeCount: Int { list.nodeCount }
  var byteCount: Int { list.byteCount }
  var budget: Budget { list.budget }
  var hasCollectionsAsKeys: Bool { list.hasCollectionsAsKeys }
  func location(of node: NodeID) -> InputLocation { list.location(of: node) }

  func kind(of node: NodeID) throws(FerryError) -> NodeKind {
    try mark(of: node) == nil ? list.kind(of: node) : .string
  }

  func element(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let element = try list.element(index, of: node)
    values.insert(element)
    return element
  }

  func key(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID { try list.key(index, of: node) }

  func value(_ index: Int, of node: NodeID) throws(FerryError) -> NodeID {
    let value = try list.value(index, of: node)
    values.insert(value)
    return value
  }

  func keyTable(of node: NodeID, count: Int) throws(FerryError) -> KeyTable? {
    try list.keyTable(of: node, count: count)
  }

  func search(
    _ key: String, in keys: KeyList, following target: (NodeID) throws(FerryError) -> NodeID
  ) throws(FerryError) -> KeySearch {
    try list.search(key, in: keys, following: target)
  }

  func withText<R>(of node: NodeID, _ body: (BorrowedText) throws(FerryError) -> R) throws(FerryError) -> R {
    guard let mark = try mark(of: node) else { return try list.withText(of: node, body) }
    return try body(BorrowedText(checked: mark.span, isASCII: true))
  }

  func withData<R>(of node: NodeID, _ body: (Span<UInt8>) throws(FerryError) -> R) throws(FerryError) -> R {
    try list.withData(of: node, body)
  }

  func length(of node: NodeID) throws(FerryError) -> Int {
    if let mark = try mark(of: node) { return mark.count }
    return try list.length(of: node)
  }
}
