/// The ranges of the values and keys in a JSON text, in the order of a reader's events.
enum JSONRanges {
  /// Returns the ranges in a text, which must be valid JSON.
  static func ranges(in text: Span<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var open: [Int] = []
    var index = text.starts(with: "\u{feff}") ? 3 : 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(ranges.count)
        ranges.append(index..<index)
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        if let begun = open.popLast() { ranges[begun] = ranges[begun].lowerBound..<index }
      case UInt8(ascii: "\""):
        let start = index
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, text.count)
        ranges.append(start..<index)
      case let byte where JSONBytes.isBare(byte):
        let end = text.endOfJSONWord(from: index)
        ranges.append(index..<end)
        index = end
      default: index += 1
      }
    }
    return ranges
  }
}

/// A writer of new values in the layout of an existing JSON text: with its indentation, its spaces around
/// colons, commas and brackets, and on one line where the collections next to them are.
///
///     [                          a new element        [
///       {"id": 1, "at": [0]}                            {"id": 1, "at": [0]},
///     ]                                                 {"id": 2, "at": [7, 8]}
///                                                     ]
struct JSONTextSyntax: TextSyntax {
  let separator = [UInt8(ascii: ",")]
  let hasLines: Bool
  private let source: [UInt8]
  private let ranges: [Range<Int>]
  private let tree: PropertyListTree
  /// One level of indentation, or nil if the text has no line breaks between values.
  private var indentation: [UInt8]?
  private var lineEnd = Array("\n".utf8)
  private var colon = Array(":".utf8)
  private var space: [UInt8] = []

  /// Creates a writer for JSON or, with `hasLines`, JSON Lines.
  init(
    _ source: [UInt8], ranges: [Range<Int>], _ tree: PropertyListTree, hasLines: Bool = false
  ) throws(FerryError) {
    (self.source, self.ranges, self.tree, self.hasLines) = (source, ranges, tree, hasLines)
    guard ranges.count == tree.nodeCount else { return }
    func between(_ first: NodeID, _ second: NodeID) -> ArraySlice<UInt8> {
      let start = ranges[first.index].upperBound
      return source[start..<max(start, ranges[second.index].lowerBound)]
    }
    // The layout is learned from the first collections that show it.
    var (knowsColon, knowsGap) = (false, false)
    for index in 0..<tree.nodeCount where !knowsColon || !knowsGap {
      let node = NodeID(index)
      switch try tree.kind(of: node) {
      case .dictionary(let count) where count > 0:
        let (key, value) = (try tree.key(0, of: node), try tree.value(0, of: node))
        if !knowsColon { (colon, knowsColon) = (Array(between(key, value)), true) }
        guard count > 1, !knowsGap else { continue }
        knowsGap = learn(
          between(value, try tree.key(1, of: node)), depth: Self.depth(of: ranges[index], in: ranges))
      case .array(let count) where count > 1 && !knowsGap:
        let (first, second) = (try tree.element(0, of: node), try tree.element(1, of: node))
        knowsGap = learn(between(first, second), depth: Self.depth(of: ranges[index], in: ranges))
      default: break
      }
    }
    guard !knowsGap, !hasLines, let first = try child(0, of: tree.root) else { return }
    // A list of one element shows a line break only after its bracket.
    learn(
      gap: source[(ranges[tree.root.index].lowerBound + 1)..<ranges[first.start.index].lowerBound], depth: 0)
  }

  /// Returns the number of collections around a value. Called only for the first few values, because it is
  /// slow.
  private static func depth(of value: Range<Int>, in ranges: [Range<Int>]) -> Int {
    ranges.count { $0.lowerBound < value.lowerBound && value.upperBound < $0.upperBound }
  }

  /// Learns the layout from the text between two children. Returns false if the text does not show it.
  private mutating func learn(_ between: ArraySlice<UInt8>, depth: Int) -> Bool {
    guard let comma = between.firstIndex(of: UInt8(ascii: ",")) else { return false }
    let gap = between[(comma + 1)...]
    if !gap.contains(UInt8(ascii: "\n")) { space = Array(gap) }
    learn(gap: gap, depth: depth)
    return true
  }

  /// Learns the line end and the indentation from the white space before a child, if it has a line break.
  private mutating func learn(gap: ArraySlice<UInt8>, depth: Int) {
    guard let line = gap.lastIndex(of: UInt8(ascii: "\n")) else { return }
    if gap[..<line].last == UInt8(ascii: "\r") { lineEnd = Array("\r\n".utf8) }
    let indent = gap[(line + 1)...]
    indentation = Array(indent.prefix(indent.count / (depth + 1)))
  }

  func key(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    try scalar(node, list)
  }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at place: TextPlace
  ) throws(FerryError) -> [UInt8] {
    var text: [UInt8] = []
    try append(node, list, depth: place.depth, like: place.model, to: &text)
    return text
  }

  /// Appends a new value in the layout of a collection of the original text. The recursion is bounded by the
  /// origin of the value.
  private func append(
    _ node: NodeID, _ list: some PropertyListNodes, depth: Int, like model: NodeID?, to text: inout [UInt8]
  ) throws(FerryError) {
    switch try list.kind(of: node) {
    case .array(let count):
      let line = try line(like: model)
      text.append(UInt8(ascii: "["))
      for index in 0..<count {
        separate(index, depth + 1, line, &text)
        let inner = line == nil ? try part(of: model, at: index) : model
        try append(list.element(index, of: node), list, depth: depth + 1, like: inner, to: &text)
      }
      close(count, depth, line, UInt8(ascii: "]"), &text)
    case .dictionary(let count):
      let line = try line(like: model)
      text.append(UInt8(ascii: "{"))
      for index in 0..<count {
        separate(index, depth + 1, line, &text)
        let key = try list.key(index, of: node)
        text += try self.key(key, in: list) + (line?.colon ?? colon)
        let inner = line == nil ? try part(of: model, under: key, in: list, at: index) : model
        try append(list.value(index, of: node), list, depth: depth + 1, like: inner, to: &text)
      }
      close(count, depth, line, UInt8(ascii: "}"), &text)
    default: text += try scalar(node, list)
    }
  }

  private func separate(_ index: Int, _ depth: Int, _ line: Line?, _ text: inout [UInt8]) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    if let line {
      text += index > 0 ? line.space : line.padding
    } else if indentation != nil {
      newLine(depth, &text)
    } else if index > 0 {
      text += space
    }
  }

  private func close(_ count: Int, _ depth: Int, _ line: Line?, _ bracket: UInt8, _ text: inout [UInt8]) {
    if count > 0 {
      if let line { text += line.padding } else if indentation != nil { newLine(depth, &text) }
    }
    text.append(bracket)
  }

  private func newLine(_ depth: Int, _ text: inout [UInt8]) {
    text += lineEnd
    for _ in 0..<depth { text += indentation ?? [] }
  }

  private func scalar(_ node: NodeID, _ list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output)
    try list.replay(node, into: writer, budget: Budget())
    try writer.finish()
    return output.bytes.dropLast()
  }

  // MARK: Models

  /// The spaces in a collection that is on one line.
  private struct Line {
    /// The space inside the brackets.
    var padding: [UInt8]
    /// The space after a comma.
    var space: [UInt8]
    var colon: [UInt8]
  }

  /// The number of bytes and of children of a model that are looked at, because a model may be looked at for
  /// each of thousands of new values.
  private static let extent = 1024

  /// Returns the layout of a collection that is on one line; nil if it has several.
  private func line(like model: NodeID?) throws(FerryError) -> Line? {
    guard let model, isOnOneLine(model) else { return nil }
    var line = Line(padding: [], space: [], colon: colon)
    guard let first = try child(0, of: model) else { return nil }
    line.padding = Array(source[(ranges[model.index].lowerBound + 1)..<ranges[first.start.index].lowerBound])
    if first.start != first.value { line.colon = text(between: first.start, first.value) }
    let second = try child(1, of: model)
    line.space =
      second.map { Array(text(between: first.value, $0.start).drop { $0 != UInt8(ascii: ",") }.dropFirst()) }
      ?? line.colon.filter(\.isSpace)
    return line
  }

  /// Returns true if a collection has children, and no line break at its beginning.
  private func isOnOneLine(_ node: NodeID) -> Bool {
    let range = ranges[node.index]
    return range.count > 2 && !source[range].prefix(Self.extent).contains(UInt8(ascii: "\n"))
  }

  private func text(between first: NodeID, _ second: NodeID) -> [UInt8] {
    Array(source[ranges[first.index].upperBound..<ranges[second.index].lowerBound])
  }

  /// Returns a child of a collection, which starts with its key if it has one; nil if there is none.
  private func child(_ index: Int, of node: NodeID) throws(FerryError) -> (start: NodeID, value: NodeID)? {
    switch try tree.kind(of: node) {
    case .array(let count) where index < count:
      let value = try tree.element(index, of: node)
      return (value, value)
    case .dictionary(let count) where index < count:
      return (try tree.key(index, of: node), try tree.value(index, of: node))
    default: return nil
    }
  }

  /// Returns the element of a model array for a new element; nil if the model is no array.
  private func part(of model: NodeID?, at index: Int) throws(FerryError) -> NodeID? {
    guard let model, case .array(let count) = try tree.kind(of: model), count > 0 else { return nil }
    return try tree.element(min(index, count - 1), of: model)
  }

  /// Returns the value of a model dictionary under the key of a new value; nil if there is none.
  private func part(
    of model: NodeID?, under key: NodeID, in list: some PropertyListNodes, at index: Int
  ) throws(FerryError) -> NodeID? {
    guard let model, case .dictionary(let count) = try tree.kind(of: model), count > 0 else { return nil }
    let name = try list.string(key)
    // New records mostly have the keys of their neighbors in the same order.
    for index in [min(index, count - 1)] + Array(0..<min(count, Self.extent)) {
      if try tree.string(tree.key(index, of: model)) == name { return try tree.value(index, of: model) }
    }
    return nil
  }
}
