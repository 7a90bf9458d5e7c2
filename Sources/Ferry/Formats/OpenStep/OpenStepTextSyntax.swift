/// A writer of new values in the layout of an existing OpenStep property list: with its indentation, and on one line where
/// the collections next to them are.
///
///     A1 /* a.swift */ = {isa = PBXBuildFile; fileRef = B1 /* a.swift */; };
struct OpenStepTextSyntax: TextSyntax {
  let separator: [UInt8] = []
  let assignment = Array(" = ".utf8)
  let readsLineEndsAlike = true
  private let dialect: OpenStepDialect
  private let source: [UInt8]
  private let nodes: [OpenStepParser.Node]
  private let tree: PropertyListTree
  /// One level of indentation.
  private var indentation: [UInt8]
  private let lineEnd: [UInt8]
  /// True if the last element of an array has a comma.
  private var endsArraysInComma: Bool
  /// A space, unless the first entry has none before its value.
  private(set) var usualGap = [UInt8(ascii: " ")]
  /// The notation of strings and of empty collections at the beginning of the text.
  private var usual: NearbyNotation.Usual?

  init(
    _ source: [UInt8], _ nodes: [OpenStepParser.Node], _ tree: PropertyListTree, _ dialect: OpenStepDialect
  ) throws(FerryError) {
    (self.source, self.nodes, self.tree, self.dialect) = (source, nodes, tree, dialect)
    indentation = Array(dialect.indentation.utf8)
    lineEnd = source.lineEnd
    endsArraysInComma = dialect.endsArraysInComma
    guard nodes.count == tree.nodeCount else { return }
    try learnIndentation()
    try learnLastComma()
    try learnSpace()
    usual = NearbyNotation.Usual(
      escapes: StringEscapes(atBeginningOf: source, strings: nodes.lazy.map(\.range), .openStep),
      empties: try EmptyCollections(atBeginningOf: tree) { node, _ in emptyNotation(of: node) })
  }

  /// Learns one level of indentation from the first collection whose children have lines of their own.
  private mutating func learnIndentation() throws(FerryError) {
    for index in 0..<tree.nodeCount {
      guard let first = try firstChild(of: NodeID(index)) else { continue }
      let gap = gap(before: nodes[first.index].range.lowerBound)
      guard let feed = gap.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      // The entries of a strings file are not inside braces.
      guard source[nodes[index].range.lowerBound..<nodes[index].range.upperBound].first == UInt8(ascii: "{")
      else { continue }
      let outer = indent(ofLineAt: nodes[index].range.lowerBound)
      let inner = gap[(feed + 1)...]
      if inner.starts(with: outer) { indentation = Array(inner.dropFirst(outer.count)) }
      return
    }
  }

  private mutating func learnLastComma() throws(FerryError) {
    for index in 0..<tree.nodeCount {
      guard case .array(let count) = try tree.kind(of: NodeID(index)), count > 0 else { continue }
      let last = nodes[try tree.element(count - 1, of: NodeID(index)).index]
      endsArraysInComma = last.end > last.range.upperBound
      return
    }
  }

  private mutating func learnSpace() throws(FerryError) {
    for index in 0..<tree.nodeCount {
      guard case .dictionary(let count) = try tree.kind(of: NodeID(index)), count > 0 else { continue }
      let value = nodes[try tree.value(0, of: NodeID(index)).index]
      if gap(before: value.range.lowerBound).isEmpty { usualGap = [] }
      return
    }
  }

  private func firstChild(of node: NodeID) throws(FerryError) -> NodeID? {
    switch try tree.kind(of: node) {
    case .dictionary(let count) where count > 0: try tree.key(0, of: node)
    case .array(let count) where count > 0: try tree.element(0, of: node)
    default: nil
    }
  }

  /// Returns the white space before an offset.
  private func gap(before end: Int) -> ArraySlice<UInt8> {
    var start = end
    while start > 0, source[start - 1].isSpace { start -= 1 }
    return source[start..<end]
  }

  /// Returns the white space at the beginning of the line of an offset.
  private func indent(ofLineAt offset: Int) -> ArraySlice<UInt8> {
    let start = source[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return source[start..<offset].prefix { $0.isSpace }
  }

  // MARK: Comments and separators

  func terminator(inDictionary: Bool) -> [UInt8] { [UInt8(ascii: inDictionary ? ";" : ",")] }

  func beginsMarkup(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: "//".utf8) || text.starts(with: "/*".utf8)
  }

  func endsWithLine(_ markup: ArraySlice<UInt8>) -> Bool { markup.starts(with: "//".utf8) }

  var hasGeneratedComments: Bool { dialect.hasGeneratedComments }

  func markup(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var index = text.startIndex
    while index < text.endIndex {
      let rest = text[index...]
      if beginsMarkup(rest), index + 1 < text.endIndex {
        let length = rest.span.endOfComment(at: 0, endsAtSeparators: dialect.endsCommentsAtSeparators)
        let end = length.map { index + $0 } ?? text.endIndex
        found.append(text[index..<end])
        index = end
      } else if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        index += 1
        while index < text.endIndex, text[index] != quote {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
      } else if let byte = rest.first, dialect.isInWord(byte) {
        // Slashes inside a word do not begin a comment.
        index += rest.prefix(while: dialect.isInWord).count
      } else {
        index += 1
      }
    }
    return found
  }

  /// Returns true if two texts are parts of one word: `a` and `/* b */`. The end of a comment is not part of a word.
  func joins(_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool {
    guard let last = end.last, let next = beginning.first, dialect.isInWord(last), dialect.isInWord(next)
    else { return false }
    return !end.suffix(2).elementsEqual("*/".utf8)
  }

  // MARK: Nearby notation

  private func escapes(in nearby: inout NearbyNotation) -> StringEscapes {
    nearby.escapes(in: source, count: nodes.count, .openStep) { node in nodes[node.index].range }
  }

  /// Returns the notation of an empty collection of the text. Nil if it has comments, or no brackets.
  private func emptyNotation(of node: NodeID) -> EmptyNotation? {
    let range = nodes[node.index].range
    guard range.count >= 2, let first = source[range].first, "{(".utf8.contains(first) else { return nil }
    return EmptyNotation(between: (range.lowerBound + 1)..<(range.upperBound - 1), in: source)
  }

  // MARK: New values

  func key(_ node: NodeID, in list: some PropertyListNodes, at slot: KeySlot) throws(FerryError) -> [UInt8] {
    var nearby = NearbyNotation(near: slot.near, usual: usual)
    return try string(node, list, like: slot.old, &nearby)
  }

  private func string(
    _ node: NodeID, _ list: some PropertyListNodes, like old: NodeID? = nil,
    _ nearby: inout NearbyNotation
  ) throws(FerryError) -> [UInt8] {
    let quote = old.flatMap(quote(ofValueAt:))
    let text = try list.withText(of: node) { text in
      OpenStepString.text(
        text, quotesAll: quote != nil || dialect.quotesAll, quote: quote ?? UInt8(ascii: "\""))
    }
    guard text.contains(where: { $0 >= 0x80 }) else { return text }
    return escapes(in: &nearby).escaped(text)
  }

  /// Returns the quotation mark that a string in place of a value keeps, or nil if it has none. Xcode writes a project with
  /// quotation marks only where they are needed.
  private func quote(ofValueAt node: NodeID) -> UInt8? {
    guard !dialect.hasGeneratedComments, node.index < nodes.count,
      let first = source[nodes[node.index].range].first
    else { return nil }
    return first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? first : nil
  }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot
  ) throws(FerryError) -> [UInt8] {
    let feed = slot.gap.lastIndex(of: UInt8(ascii: "\n"))
    // A value that follows its key is on the key's line.
    let depth = slot.depth - (try hasNoBraces(tree.root, in: tree) ? 1 : 0)
    let outer = feed.map { Array(slot.gap[($0 + 1)...]) } ?? (0..<max(depth, 0)).flatMap { _ in indentation }
    var nearby = NearbyNotation(near: slot.old ?? slot.near ?? slot.model, usual: usual)
    if slot.depth == 0, try hasNoBraces(node, in: list) {
      return try entries(of: node, in: list, &nearby)
    }
    switch try list.kind(of: node) {
    case .string: return try string(node, list, like: slot.old, &nearby)
    case .data: return try data(node, list, like: slot.old)
    default: break
    }
    let isOneLine = try slot.model.map { model throws(FerryError) in try isOnOneLine(model) } ?? false
    return try text(of: node, in: list, indent: isOneLine ? nil : outer, &nearby)
  }

  /// Returns true if a node is the outermost dictionary, which has no braces in the original text.
  private func hasNoBraces(_ node: NodeID, in list: some PropertyListNodes) throws(FerryError) -> Bool {
    guard node == list.root, case .dictionary = try list.kind(of: node), !nodes.isEmpty else { return false }
    return source[nodes[0].range].first != UInt8(ascii: "{")
  }

  /// Returns the text of the entries of a dictionary without braces.
  private func entries(
    of node: NodeID, in list: some PropertyListNodes, _ nearby: inout NearbyNotation
  ) throws(FerryError) -> [UInt8] {
    guard case .dictionary(let count) = try list.kind(of: node) else { return [] }
    var text: [UInt8] = []
    for index in 0..<count {
      text += try string(list.key(index, of: node), list, &nearby) + assignment
      text += try self.text(of: list.value(index, of: node), in: list, indent: [], &nearby)
      text += terminator(inDictionary: true) + lineEnd
    }
    return text
  }

  /// Returns true if a collection of the original text, which is not empty, has no line break.
  private func isOnOneLine(_ node: NodeID) throws(FerryError) -> Bool {
    guard node.index < nodes.count, try firstChild(of: node) != nil else { return false }
    return !source[nodes[node.index].range].contains(UInt8(ascii: "\n"))
  }

  /// Returns the text of a value.
  ///
  /// - Parameter indent: The indentation of the value's line, or nil to write the value on one line.
  private func text(
    of node: NodeID, in list: some PropertyListNodes, indent: [UInt8]?,
    _ nearby: inout NearbyNotation
  ) throws(FerryError) -> [UInt8] {
    switch try list.kind(of: node) {
    case .dictionary(count: 0):
      let space = try nearby.empties(of: tree, emptyNotation(of:))?.ofDictionaries?.space(indentation: indent)
      if let space { return [UInt8(ascii: "{")] + space + [UInt8(ascii: "}")] }
      return indent.map { lines([], $0, UInt8(ascii: "{"), UInt8(ascii: "}")) } ?? Array("{}".utf8)
    case .array(count: 0):
      let space = try nearby.empties(of: tree, emptyNotation(of:))?.ofArrays?.space(indentation: indent)
      if let space { return [UInt8(ascii: "(")] + space + [UInt8(ascii: ")")] }
      return indent.map { lines([], $0, UInt8(ascii: "("), UInt8(ascii: ")")) } ?? Array("()".utf8)
    case .dictionary(let count):
      var entries: [[UInt8]] = []
      for index in 0..<count {
        let key = try string(list.key(index, of: node), list, &nearby)
        let value = try text(
          of: list.value(index, of: node), in: list, indent: indent.map { $0 + indentation }, &nearby)
        entries.append(key + assignment + value + terminator(inDictionary: true))
      }
      guard let indent else { return Array("{".utf8) + entries.flatMap { $0 + [0x20] } + [UInt8(ascii: "}")] }
      return lines(entries, indent, UInt8(ascii: "{"), UInt8(ascii: "}"))
    case .array(let count):
      var elements: [[UInt8]] = []
      for index in 0..<count {
        let element = try text(
          of: list.element(index, of: node), in: list, indent: indent.map { $0 + indentation }, &nearby)
        let hasComma = endsArraysInComma && indent != nil || index + 1 < count
        elements.append(hasComma ? element + terminator(inDictionary: false) : element)
      }
      guard let indent else {
        return Array("(".utf8) + elements.joined(separator: [0x20]) + [UInt8(ascii: ")")]
      }
      return lines(elements, indent, UInt8(ascii: "("), UInt8(ascii: ")"))
    case .string: return try string(node, list, &nearby)
    default: return try scalar(node, list)
    }
  }

  /// Returns the text that the format's writer writes for a scalar.
  private func scalar(_ node: NodeID, _ list: some PropertyListNodes) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = OpenStepWriter(to: output, dialect)
    try list.replay(node, into: writer, budget: list.budget)
    try writer.finish()
    return output.bytes.last == UInt8(ascii: "\n") ? output.bytes.dropLast() : output.bytes
  }

  /// The longest text of data that shows no layout: one group of digits.
  private static let shortData = 8

  /// Returns data with the lines and groups of the data that it replaces, and in Base64 or with capital letters if that has them.
  private func data(
    _ node: NodeID, _ list: some PropertyListNodes, like old: NodeID?
  ) throws(FerryError) -> [UInt8] {
    let written = try scalar(node, list)
    guard let old, old.index < nodes.count, case .data = try tree.kind(of: old) else { return written }
    let content = source[nodes[old.index].range].dropFirst().dropLast()
    guard content.first != UInt8(ascii: "[") else { return try base64(node, list, like: content) ?? written }
    let hasCapitals = content.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F") }
    let text = hasCapitals ? written.map { $0 >= UInt8(ascii: "a") ? $0 - 0x20 : $0 } : written
    guard content.count > Self.shortData,
      let layout = DataLayout(of: content, isDigit: { $0.hexDigit != nil }, isSpace: \.isOpenStepSpace)
    else { return text }
    let digits = text.filter { $0.hexDigit != nil }
    guard !layout.isTooNarrow(for: digits.count) else { return text }
    return [UInt8(ascii: "<")] + layout.text(of: digits, usualWidth: digits.count) + [UInt8(ascii: ">")]
  }

  /// Returns data in Base64 with the lines of other data in brackets, or nil if that is empty.
  private func base64(
    _ node: NodeID, _ list: some PropertyListNodes, like old: ArraySlice<UInt8>
  ) throws(FerryError) -> [UInt8]? {
    let content = old.dropFirst().dropLast()
    guard let layout = DataLayout(of: content, isDigit: Base64.isDigit, isSpace: \.isOpenStepSpace) else {
      return nil
    }
    let digits = try list.withData(of: node) { bytes throws(FerryError) in Base64.encode(bytes) }
    return Array("<[".utf8) + layout.text(of: digits, usualWidth: digits.count) + Array("]>".utf8)
  }

  private func lines(_ parts: [[UInt8]], _ indent: [UInt8], _ open: UInt8, _ close: UInt8) -> [UInt8] {
    let lineStart: [UInt8] = lineEnd + indent
    var text = [open]
    for part in parts {
      text += lineStart
      text += indentation
      text += part
    }
    text += lineStart
    text.append(close)
    return text
  }
}
