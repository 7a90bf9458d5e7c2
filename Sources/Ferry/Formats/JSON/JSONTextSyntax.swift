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

/// A writer of new values in the layout of an existing JSON text: with its indentation, and its spaces after
/// colons and commas.
struct JSONTextSyntax: TextSyntax {
  let separator = [UInt8(ascii: ",")]
  /// One level of indentation, or nil if the text has no line breaks between values.
  private var indentation: [UInt8]?
  private var lineEnd = Array("\n".utf8)
  private var colon = Array(":".utf8)
  private var space: [UInt8] = []

  init(_ source: [UInt8], ranges: [Range<Int>], _ tree: PropertyListTree) throws(FerryError) {
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
    guard let line = gap.lastIndex(of: UInt8(ascii: "\n")) else {
      space = Array(gap)
      return true
    }
    if gap[..<line].last == UInt8(ascii: "\r") { lineEnd = Array("\r\n".utf8) }
    let indent = gap[(line + 1)...]
    indentation = Array(indent.prefix(indent.count / (depth + 1)))
    return true
  }

  func key(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    try scalar(node, list)
  }

  func text(of node: NodeID, in list: some PropertyListNodes, depth: Int, gap: [UInt8]) throws(FerryError)
    -> [UInt8]
  {
    var text: [UInt8] = []
    try append(node, list, depth: depth, to: &text)
    return text
  }

  /// Appends a new value. The recursion is bounded by the origin of the value.
  private func append(_ node: NodeID, _ list: some PropertyListNodes, depth: Int, to text: inout [UInt8])
    throws(FerryError)
  {
    switch try list.kind(of: node) {
    case .array(let count):
      text.append(UInt8(ascii: "["))
      for index in 0..<count {
        separate(index, depth + 1, &text)
        try append(list.element(index, of: node), list, depth: depth + 1, to: &text)
      }
      close(count, depth, UInt8(ascii: "]"), &text)
    case .dictionary(let count):
      text.append(UInt8(ascii: "{"))
      for index in 0..<count {
        separate(index, depth + 1, &text)
        text += try key(list.key(index, of: node), in: list) + colon
        try append(list.value(index, of: node), list, depth: depth + 1, to: &text)
      }
      close(count, depth, UInt8(ascii: "}"), &text)
    default: text += try scalar(node, list)
    }
  }

  private func separate(_ index: Int, _ depth: Int, _ text: inout [UInt8]) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    if indentation != nil { newLine(depth, &text) } else if index > 0 { text += space }
  }

  private func close(_ count: Int, _ depth: Int, _ bracket: UInt8, _ text: inout [UInt8]) {
    if count > 0, indentation != nil { newLine(depth, &text) }
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
}
