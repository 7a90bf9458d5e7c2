/// A writer of new values in the layout of an existing JSON text: with its indentation, its spaces around
/// colons, commas and brackets, and on one line where the collections next to them are.
///
///     [                          a new element        [
///       {"id": 1, "at": [0]}                            {"id": 1, "at": [0]},
///     ]                                                 {"id": 2, "at": [7, 8]}
///                                                     ]
struct JSONTextSyntax: TextSyntax {
  let separator: [UInt8]
  private(set) var records: (any RecordRanges)?
  let readsLineEndsAlike = true
  let dialect: JSONDialect
  private let layout: JSONLayout
  private let source: [UInt8]
  private let ranges: [Range<Int>]
  private let tree: PropertyListTree
  /// One level of indentation, or nil if the text has no line breaks between values.
  private var indentation: [UInt8]?
  private let lineEnd: [UInt8]
  private(set) var colon = Array(":".utf8)
  /// The space after a comma whose next child is on the same line.
  private var space: [UInt8] = []
  var usualGap: [UInt8] { space }
  private var quote = UInt8(ascii: "\"")
  /// True if keys that are identifiers are in quotation marks.
  private var quotesKeys = true
  /// The notation of strings and of empty collections at the beginning of the text.
  private var usual: NearbyNotation.Usual?

  /// Creates a writer for a text with one value, or with several in another layout.
  init(
    _ source: [UInt8], ranges: [Range<Int>], _ tree: PropertyListTree, _ dialect: JSONDialect = .strict,
    layout: JSONLayout = .document
  ) throws(FerryError) {
    (self.source, self.ranges, self.tree) = (source, ranges, tree)
    (self.dialect, self.layout) = (dialect, layout)
    lineEnd = source.lineEnd
    separator = dialect.permits(.comments) ? [] : [UInt8(ascii: ",")]
    let isKnown = ranges.count == tree.nodeCount
    if layout != .document {
      let values = try isKnown ? Self.records(of: tree).map { ranges[$0.index] } : []
      records = JSONRecordRanges(layout, in: source, values: values)
    }
    guard isKnown else { return }
    try learnQuotes()
    usual = NearbyNotation.Usual(
      escapes: StringEscapes(
        atBeginningOf: source, strings: ranges.dropFirst(layout == .document ? 0 : 1), .json),
      empties: try EmptyCollections(atBeginningOf: tree) { node, _ in emptyNotation(of: node) })
    func between(_ first: NodeID, _ second: NodeID) -> ArraySlice<UInt8> {
      let start = ranges[first.index].upperBound
      return source[start..<max(start, ranges[second.index].lowerBound)]
    }
    // The layout is learned from the first collections that show it.
    var (knowsColon, knowsGap, foundSpace) = (false, false, [UInt8]?.none)
    for index in 0..<tree.nodeCount
    where !knowsColon || !knowsGap || foundSpace == nil && index < Self.extent {
      let node = NodeID(index)
      let children: (first: NodeID, second: NodeID)
      switch try tree.kind(of: node) {
      case .dictionary(let count) where count > 0:
        let (key, value) = (try tree.key(0, of: node), try tree.value(0, of: node))
        if !knowsColon { (colon, knowsColon) = (Array(withoutMarkup(between(key, value))), true) }
        guard count > 1 else { continue }
        children = (value, try tree.key(1, of: node))
      case .array(let count) where count > 1:
        children = (try tree.element(0, of: node), try tree.element(1, of: node))
      default: continue
      }
      let between = between(children.first, children.second)
      let text = withoutMarkup(between)
      if !knowsGap { knowsGap = learn(text, depth: depth(of: ranges[index])) }
      // A comment has spaces on both sides.
      if foundSpace == nil, text.count == between.count { foundSpace = Self.space(afterCommaIn: text) }
    }
    space = foundSpace ?? Self.space(after: colon)
    guard !knowsGap, let top = try outermostCollection(), let first = try child(0, of: top) else { return }
    // A list of one element shows a line break only after its bracket.
    let gap = source[(ranges[top.index].lowerBound + 1)..<ranges[first.start.index].lowerBound]
    learn(gap: withoutMarkup(gap), depth: 0)
  }

  /// Returns the values of a text with several, which are the elements of its list.
  private static func records(of tree: PropertyListTree) throws(FerryError) -> [NodeID] {
    guard case .array(let count) = try tree.kind(of: tree.root) else { return [] }
    var records: [NodeID] = []
    for index in 0..<count { records.append(try tree.element(index, of: tree.root)) }
    return records
  }

  /// Returns the value of the text or, of several values, the first collection that is not empty.
  private func outermostCollection() throws(FerryError) -> NodeID? {
    guard layout != .document else { return tree.root }
    for record in try Self.records(of: tree) where try child(0, of: record) != nil { return record }
    return nil
  }

  /// Learns how the text writes keys and strings.
  private mutating func learnQuotes() throws(FerryError) {
    guard dialect.permits(.names) else { return }
    let first = ranges.first { [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(source[$0.lowerBound]) }
    if let first { quote = source[first.lowerBound] }
    for index in 0..<tree.nodeCount {
      guard case .dictionary(let count) = try tree.kind(of: NodeID(index)), count > 0 else { continue }
      let key = source[ranges[try tree.key(0, of: NodeID(index)).index]]
      quotesKeys = key.first == UInt8(ascii: "'") || key.first == UInt8(ascii: "\"")
      return
    }
  }

  /// Returns the number of collections with brackets around a value. Called only for the first few values, because it is
  /// slow.
  private func depth(of value: Range<Int>) -> Int {
    ranges.dropFirst(layout == .document ? 0 : 1)
      .count { $0.lowerBound < value.lowerBound && value.upperBound < $0.upperBound }
  }

  /// Learns the layout from the text between two children. Returns false if the text does not show it.
  private mutating func learn(_ between: ArraySlice<UInt8>, depth: Int) -> Bool {
    guard let comma = between.firstIndex(of: UInt8(ascii: ",")) else { return false }
    learn(gap: between[(comma + 1)...], depth: depth)
    return true
  }

  /// Returns the space after the comma between two children; nil if there is no comma, or a line break.
  private static func space(afterCommaIn between: ArraySlice<UInt8>) -> [UInt8]? {
    guard let comma = between.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let gap = between[(comma + 1)...]
    return gap.contains(UInt8(ascii: "\n")) ? nil : Array(gap)
  }

  /// Returns the space after a colon, which is also the usual one after a comma; none if there is a line break.
  private static func space(after colon: [UInt8]) -> [UInt8] {
    let gap = colon.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    return gap.contains(UInt8(ascii: "\n")) ? [] : Array(gap)
  }

  /// Learns the indentation from the white space before a child, if it has a line break.
  private mutating func learn(gap: ArraySlice<UInt8>, depth: Int) {
    guard let line = gap.lastIndex(of: UInt8(ascii: "\n")) else { return }
    let indent = gap[(line + 1)...]
    indentation = Array(indent.prefix(indent.count / (depth + 1)))
  }

  func key(_ node: NodeID, in list: some PropertyListNodes, at slot: KeySlot) throws(FerryError) -> [UInt8] {
    var nearby = NearbyNotation(near: slot.near, usual: usual)
    if let old = slot.old, let quote = quote(of: old) {
      return try scalar(node, list, in: quote, &nearby)
    }
    return try key(node, in: list, &nearby)
  }

  private func key(
    _ node: NodeID, in list: some PropertyListNodes, _ nearby: inout NearbyNotation
  ) throws(FerryError) -> [UInt8] {
    guard !quotesKeys else { return try scalar(node, list, in: quote, &nearby) }
    let plain: [UInt8]? = try list.withText(of: node) { text in
      JSONName.isPlain(text.utf8) ? Array(text.utf8.decodedString.utf8) : nil
    }
    if let plain { return plain }
    return try scalar(node, list, in: quote, &nearby)
  }

  func text(
    of node: NodeID, in list: some PropertyListNodes, at slot: TextSlot
  ) throws(FerryError) -> [UInt8] {
    var nearby = NearbyNotation(near: slot.old ?? slot.near ?? slot.model, usual: usual)
    if case .string = try list.kind(of: node), let old = slot.old {
      return try scalar(node, list, in: quote(of: old) ?? quote, &nearby)
    }
    var text: [UInt8] = []
    let depth = layout == .document ? slot.depth : max(slot.depth - 1, 0)
    try append(node, list, depth: depth, like: slot.model, &nearby, to: &text)
    if let old = slot.old, slot.depth == 1, isCutOff(text, at: old) { text += lineEnd }
    return text
  }

  /// Returns true if a text in place of a record of a text sequence is a number or a word without white space after it, which readers take
  /// for one that was cut off.
  private func isCutOff(_ text: [UInt8], at old: NodeID) -> Bool {
    guard layout == .textSequence, let last = text.last, JSONBytes.isBare(last) else { return false }
    let end = ranges[old.index].upperBound
    return end == source.count || !source[end].isSpace
  }

  /// Returns true for the ends of two concatenated values that would be read as one number or word.
  func joins(_ end: ArraySlice<UInt8>, _ beginning: ArraySlice<UInt8>) -> Bool {
    guard layout == .concatenated, let last = end.last, let first = beginning.first else { return false }
    return JSONBytes.isBare(last) && JSONBytes.isBare(first)
  }

  /// Returns the quotation mark of a string of the original text; nil for other values.
  private func quote(of node: NodeID) -> UInt8? {
    guard ranges.indices.contains(node.index), let first = source[ranges[node.index]].first else {
      return nil
    }
    return first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? first : nil
  }

  /// Appends a new value in the layout of a collection of the original text. The recursion is bounded by the
  /// origin of the value.
  private func append(
    _ node: NodeID, _ list: some PropertyListNodes, depth: Int, like model: NodeID?,
    _ nearby: inout NearbyNotation, to text: inout [UInt8]
  ) throws(FerryError) {
    switch try list.kind(of: node) {
    case .array(let count):
      let line = try line(like: model)
      text.append(UInt8(ascii: "["))
      for index in 0..<count {
        separate(index, depth + 1, line, &text)
        let inner = line == nil ? try part(of: model, at: index) : model
        try append(
          list.element(index, of: node), list, depth: depth + 1, like: inner, &nearby, to: &text)
      }
      if count == 0 { text += try space(depth, line, &nearby, \.ofArrays) }
      close(count, depth, line, UInt8(ascii: "]"), &text)
    case .dictionary(let count):
      let line = try line(like: model)
      text.append(UInt8(ascii: "{"))
      for index in 0..<count {
        separate(index, depth + 1, line, &text)
        let key = try list.key(index, of: node)
        text += try self.key(key, in: list, &nearby) + (line?.colon ?? colon)
        let inner = line == nil ? try part(of: model, under: key, in: list, at: index) : model
        try append(list.value(index, of: node), list, depth: depth + 1, like: inner, &nearby, to: &text)
      }
      if count == 0 { text += try space(depth, line, &nearby, \.ofDictionaries) }
      close(count, depth, line, UInt8(ascii: "}"), &text)
    default: text += try scalar(node, list, in: quote, &nearby)
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

  /// Returns the text of a scalar, in these quotation marks if it is a string.
  private func scalar(
    _ node: NodeID, _ list: some PropertyListNodes, in quote: UInt8, _ nearby: inout NearbyNotation
  ) throws(FerryError) -> [UInt8] {
    let output = MemoryOutput()
    let writer = JSONWriter(to: output, style: .compact, .document, dialect)
    try list.replay(node, into: writer, budget: list.budget)
    try writer.finish()
    var text = Array(output.bytes.dropLast())
    guard text.first == UInt8(ascii: "\"") else { return text }
    if StringEscapes.concern(text) { text = escapes(in: &nearby).escaped(text) }
    return quote == UInt8(ascii: "'") ? singleQuoted(text) : text
  }

  /// Returns a string with single quotation marks, for one with double ones.
  private func singleQuoted(_ string: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    var text = [quote]
    var index = 1
    while index + 1 < string.count {
      switch (string[index], string[index + 1]) {
      case (UInt8(ascii: "\\"), UInt8(ascii: "\"")):
        text.append(UInt8(ascii: "\""))
        index += 1
      case (UInt8(ascii: "\\"), let escaped):
        text += [UInt8(ascii: "\\"), escaped]
        index += 1
      case (quote, _): text += [UInt8(ascii: "\\"), quote]
      case (let byte, _): text.append(byte)
      }
      index += 1
    }
    return text + [quote]
  }

  // MARK: Nearby notation

  private func escapes(in nearby: inout NearbyNotation) -> StringEscapes {
    nearby.escapes(in: source, count: ranges.count, .json) { node in ranges[node.index] }
  }

  /// Returns the white space in a new empty collection.
  ///
  /// - Parameter notation: Returns the notation of collections of its kind.
  private func space(
    _ depth: Int, _ line: Line?, _ nearby: inout NearbyNotation,
    _ notation: (EmptyCollections<EmptyNotation>) -> EmptyNotation?
  ) throws(FerryError) -> [UInt8] {
    guard let empties = try nearby.empties(of: tree, emptyNotation(of:)) else { return [] }
    let isInLines = line == nil && indentation != nil
    let indentation = isInLines ? repeatElement(indentation ?? [], count: depth).flatMap(\.self) : nil
    return notation(empties)?.space(indentation: indentation) ?? []
  }

  /// Returns the notation of an empty collection of the text. Nil if it has comments, or no brackets.
  private func emptyNotation(of node: NodeID) -> EmptyNotation? {
    let range = ranges[node.index]
    guard range.count >= 2, let first = source[range].first, "{[".utf8.contains(first) else { return nil }
    return EmptyNotation(between: (range.lowerBound + 1)..<(range.upperBound - 1), in: source)
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
    // A list of several values has no brackets.
    guard let model, layout == .document || model != tree.root, isOnOneLine(model) else { return nil }
    var line = Line(padding: [], space: [], colon: colon)
    guard let first = try child(0, of: model) else { return nil }
    let start = ranges[model.index].lowerBound + 1
    line.padding = Array(withoutMarkup(source[start..<ranges[first.start.index].lowerBound]))
    if first.start != first.value { line.colon = text(between: first.start, first.value) }
    let second = try child(1, of: model)
    line.space =
      second.map { Array(text(between: first.value, $0.start).drop { $0 != UInt8(ascii: ",") }.dropFirst()) }
      ?? Self.space(after: line.colon)
    return line
  }

  /// Returns true if a collection has children, and no line break at its beginning.
  private func isOnOneLine(_ node: NodeID) -> Bool {
    let range = ranges[node.index]
    return range.count > 2 && !source[range].prefix(Self.extent).contains(UInt8(ascii: "\n"))
  }

  private func text(between first: NodeID, _ second: NodeID) -> [UInt8] {
    Array(withoutMarkup(source[ranges[first.index].upperBound..<ranges[second.index].lowerBound]))
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

  /// Returns the element of a model array for a new element; nil if the model is not an array.
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
