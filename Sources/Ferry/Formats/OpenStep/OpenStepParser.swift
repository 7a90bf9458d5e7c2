/// A parser of OpenStep property lists, strings files and GNUstep's property lists. It sends the values to a sink, and finds
/// their ranges in the text.
///
///     // a comment
///     { name = Ada; tags = (x, "y z"); icon = <0fbd77>; }
///
/// It uses no recursion. The grammar is that of CoreFoundation; a dialect has further permissions.
struct OpenStepParser {
  /// A value or a key in the text.
  struct Node {
    /// The range of the text, without a separator.
    var range: Range<Int>
    /// The offset after the semicolon or comma that follows a value, or else the end of the range.
    var end: Int
  }

  /// An open collection.
  private struct Frame {
    let node: Int
    let isDictionary: Bool
    /// False for the outermost dictionary of a strings file.
    var hasBrackets = true
    /// The number of elements so far.
    var count = 0
  }

  private let text: [UInt8]
  private let dialect: OpenStepDialect
  private let budget: Budget
  private let losses: LossReport?
  private var lossLocations = ChunkLocations()
  private var offset = 0
  /// The end of the last comment that has been reported. A comment after the first key is read twice.
  private var reported = 0
  private var frames: [Frame] = []
  private var keys = OpenKeys()
  private var scratch: [UInt8] = []
  /// The number of `\u` with four hexadecimal digits in strings, which other programs write for a character, and the offset of the
  /// first.
  private var (lowercaseEscapes, firstLowercaseEscape) = (0, 0)
  /// The values and keys, in the order of the events.
  private(set) var nodes: [Node] = []

  /// Creates a parser of a text in UTF-8, which may begin with a byte order mark.
  init(_ text: [UInt8], _ dialect: OpenStepDialect, budget: Budget, losses: LossReport? = nil) {
    (self.text, self.dialect, self.budget, self.losses) = (text, dialect, budget, losses)
    offset = text.utf8MarkCount
  }

  /// Sends the whole value to a sink. Does not call `finish`.
  ///
  /// - Throws: A `FerryError` with a `PropertyListProblem` as its reason and the source location, or an error of the sink.
  mutating func send(to sink: any ValueSink) throws(FerryError) {
    do throws(FerryError) {
      try sendAll(to: sink)
    } catch {
      throw error.placed(at: LineCounter().location(of: offset, in: text.span))
    }
  }

  private mutating func sendAll(to sink: any ValueSink) throws(FerryError) {
    if case .invalid(let flaw) = text.span.checkUTF8() {
      offset = flaw
      throw FerryError(.content(.notInEncoding("UTF-8")))
    }
    try skipSpace()
    if try beginsEntries() {
      try begin(isDictionary: true, hasBrackets: false, sink)
    } else {
      try sendValue(to: sink)
    }
    while let frame = frames.last {
      if frame.isDictionary {
        try sendEntry(in: frame, to: sink)
      } else {
        try sendElement(in: frame, to: sink)
      }
    }
    try skipSpace()
    guard offset == text.count else { throw unexpected("the end of the property list") }
  }

  // MARK: Space

  private func byte(at index: Int) -> UInt8? { index < text.count ? text[index] : nil }

  /// The next byte, or nil at the end.
  private var next: UInt8? { byte(at: offset) }

  /// Skips white space and comments.
  private mutating func skipSpace() throws(FerryError) {
    while let byte = next {
      if byte.isOpenStepSpace {
        offset += 1
      } else if byte == UInt8(ascii: "/"), let second = self.byte(at: offset + 1),
        second == UInt8(ascii: "/") || second == UInt8(ascii: "*")
      {
        guard let end = text.span.endOfComment(at: offset, endsAtSeparators: dialect.endsCommentsAtSeparators)
        else {
          throw FerryError(.propertyList(.unexpectedEnd(expected: "*/, the end of the comment")))
        }
        noteComment(to: end)
        offset = end
      } else if text.span.isSeparator(at: offset) {
        offset += 3
      } else {
        return
      }
    }
  }

  /// Returns the source location of an offset for a loss that may be listed.
  private mutating func lossLocation(of offset: Int) -> InputLocation {
    guard losses?.usesLocations == true else { return InputLocation() }
    let text = text
    return lossLocations.location(of: offset, in: text.span, after: LineCounter())
  }

  /// Reports a comment that begins at the offset. The mark of the encoding is not reported.
  private mutating func noteComment(to end: Int) {
    guard let losses, !dialect.hasGeneratedComments, reported < end,
      !text[offset..<end].starts(with: "// !$*UTF8*$!".utf8)
    else { return }
    reported = end
    let location = lossLocation(of: offset)
    losses.add(.comment, at: location)
  }

  // MARK: Collections

  /// Returns true if the text has entries without braces, or nothing.
  private mutating func beginsEntries() throws(FerryError) -> Bool {
    guard dialect.permissions.contains(.noBraces) else { return false }
    let start = offset
    defer { offset = start }
    switch next {
    case nil: return true
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"): return false
    default:
      guard try stringRange() != nil else { return false }
      try skipSpace()
      return next == UInt8(ascii: "=") || next == UInt8(ascii: ";")
    }
  }

  private mutating func begin(
    isDictionary: Bool, hasBrackets: Bool = true, _ sink: any ValueSink
  ) throws(FerryError) {
    guard frames.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
    frames.append(Frame(node: nodes.count, isDictionary: isDictionary, hasBrackets: hasBrackets))
    nodes.append(Node(range: offset..<offset, end: offset))
    if isDictionary {
      keys.open()
      try sink.beginDictionary(count: nil)
    } else {
      try sink.beginArray(count: nil)
    }
    if hasBrackets { offset += 1 }
  }

  private mutating func end(_ frame: Frame, _ sink: any ValueSink) throws(FerryError) {
    if frame.hasBrackets { offset += 1 }
    frames.removeLast()
    if frame.isDictionary {
      keys.close()
      try sink.endDictionary()
    } else {
      try sink.endArray()
    }
    try endValue(frame.node)
  }

  /// Sends the next entry of a dictionary up to the beginning of its value, or the end of the dictionary.
  private mutating func sendEntry(in frame: Frame, to sink: any ValueSink) throws(FerryError) {
    try skipSpace()
    if frame.hasBrackets ? next == UInt8(ascii: "}") : next == nil { return try end(frame, sink) }
    let start = offset
    guard let key = try string() else {
      throw unexpected(frame.hasBrackets ? "a key or \"}\"" : "a key or the end of the text")
    }
    noteKey(key, at: start)
    try key.send(text, scratch) { text throws(FerryError) in try sink.key(text) }
    nodes.append(Node(range: start..<offset, end: offset))
    try skipSpace()
    switch next {
    case UInt8(ascii: "="):
      offset += 1
      try skipSpace()
      try sendValue(to: sink)
    case UInt8(ascii: ";"):
      // A key alone is also its value. The text of the value is empty.
      try key.send(text, scratch) { text throws(FerryError) in try sink.string(text) }
      nodes.append(Node(range: offset..<offset, end: offset + 1))
      offset += 1
    default: throw unexpected("\"=\" or \";\"")
    }
  }

  /// Reports a key that the dictionary has already.
  private mutating func noteKey(_ key: StringToken, at start: Int) {
    guard let losses else { return }
    let (text, scratch) = (text, scratch)
    guard keys.insert(key.isDecoded ? scratch.span : text.span.extracting(key.range)) else { return }
    let location = lossLocation(of: start)
    losses.add(
      .duplicateKey, path: keys.path(in: frames.map { $0.isDictionary ? -1 : $0.count - 1 }), at: location)
  }

  /// Sends the next element of an array up to its beginning, or the end of the array.
  private mutating func sendElement(in frame: Frame, to sink: any ValueSink) throws(FerryError) {
    try skipSpace()
    guard next != UInt8(ascii: ")") else { return try end(frame, sink) }
    frames[frames.count - 1].count += 1
    try sendValue(to: sink)
  }

  // MARK: Values

  private mutating func sendValue(to sink: any ValueSink) throws(FerryError) {
    let start = offset
    switch next {
    case UInt8(ascii: "{"): return try begin(isDictionary: true, sink)
    case UInt8(ascii: "("): return try begin(isDictionary: false, sink)
    case UInt8(ascii: "<"): try sendData(to: sink)
    default:
      guard let string = try string() else { throw unexpected("a value") }
      try string.send(text, scratch) { text throws(FerryError) in try sink.string(text) }
    }
    nodes.append(Node(range: start..<offset, end: offset))
    try endValue(nodes.count - 1)
  }

  /// Reads the separator after a value.
  private mutating func endValue(_ node: Int) throws(FerryError) {
    let start = nodes[node].range.lowerBound
    nodes[node] = Node(range: start..<offset, end: offset)
    guard let frame = frames.last else { return }
    try skipSpace()
    if frame.isDictionary {
      if next == UInt8(ascii: ";") {
        offset += 1
        nodes[node].end = offset
      } else {
        let isEnd = frame.hasBrackets ? next == UInt8(ascii: "}") : next == nil
        guard isEnd, dialect.permissions.contains(.noLastSemicolon) else {
          throw unexpected("\";\" after the value")
        }
      }
    } else if next == UInt8(ascii: ",") {
      offset += 1
      nodes[node].end = offset
    } else if next != UInt8(ascii: ")") {
      throw unexpected("\",\" or \")\"")
    }
  }

  // MARK: Strings

  /// A string in the text.
  private struct StringToken {
    let range: Range<Int>
    /// True if the decoded text is in the scratch buffer.
    var isDecoded = false
    var hasSurrogates = false

    func send(
      _ text: [UInt8], _ scratch: [UInt8], _ body: (BorrowedText) throws(FerryError) -> Void
    ) throws(FerryError) {
      let bytes = isDecoded ? scratch.span : text.span.extracting(range)
      try body(BorrowedText(checked: bytes, isASCII: bytes.isASCII, hasSurrogates: hasSurrogates))
    }
  }

  /// Reads a string, or returns nil if the next byte cannot begin one.
  private mutating func string() throws(FerryError) -> StringToken? {
    let start = offset
    guard let (range, hasEscapes) = try stringRange() else { return nil }
    guard hasEscapes else {
      try checkSize(range.count, from: start)
      return StringToken(range: range)
    }
    scratch.removeAll(keepingCapacity: true)
    let text = text
    countLowercaseEscapes(in: range)
    let hasSurrogates = OpenStepString.decode(text.span.extracting(range), into: &scratch)
    try checkSize(scratch.count, from: start)
    return StringToken(range: range, isDecoded: true, hasSurrogates: hasSurrogates)
  }

  /// The notes on the text, once it has been read.
  var notes: [Note] {
    guard lowercaseEscapes > 0 else { return [] }
    let first = LineCounter().location(of: firstLowercaseEscape, in: text.span)
    return [.lowercaseEscapes(count: lowercaseEscapes, first: first)]
  }

  private mutating func countLowercaseEscapes(in range: Range<Int>) {
    var index = range.lowerBound
    while let backslash = text[index..<range.upperBound].firstIndex(of: UInt8(ascii: "\\")) {
      let digits = text[backslash..<range.upperBound].dropFirst(2).prefix(4)
      if byte(at: backslash + 1) == UInt8(ascii: "u"), digits.count == 4,
        digits.allSatisfy({ $0.hexDigit != nil })
      {
        if lowercaseEscapes == 0 { firstLowercaseEscape = backslash }
        lowercaseEscapes += 1
      }
      index = min(backslash + 2, range.upperBound)
    }
  }

  /// Throws if a value that begins at an offset is too long.
  private mutating func checkSize(_ count: Int, from start: Int) throws(FerryError) {
    guard count > budget.tokenBytes else { return }
    offset = start
    throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
  }

  /// Moves to the end of a string. Returns the range of its text, without quotation marks.
  private mutating func stringRange() throws(FerryError) -> (range: Range<Int>, hasEscapes: Bool)? {
    guard let first = next else { return nil }
    let start = offset
    guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
      while let byte = next, dialect.isInWord(byte) { offset += 1 }
      return offset > start ? (start..<offset, false) : nil
    }
    var (index, hasEscapes) = (start + 1, false)
    while true {
      index = text.span.firstIndex(ofAny: first, UInt8(ascii: "\\"), first, from: index)
      guard index < text.count else {
        throw FerryError(.propertyList(.unexpectedEnd(expected: "the closing quotation mark of the string")))
      }
      guard text[index] != first else { break }
      hasEscapes = true
      index += 2
    }
    offset = index + 1
    return (start + 1..<index, hasEscapes)
  }

  // MARK: Data

  private mutating func sendData(to sink: any ValueSink) throws(FerryError) {
    let hasTypes = dialect.permissions.contains(.typedValues)
    switch byte(at: offset + 1) {
    case UInt8(ascii: "*") where hasTypes: return try sendTypedValue(to: sink)
    case UInt8(ascii: "[") where hasTypes: return try sendBase64(to: sink)
    case UInt8(ascii: "*"), UInt8(ascii: "["):
      throw FerryError(.propertyList(.gnustepValue))
    default: break
    }
    let start = offset
    offset += 1
    var data: [UInt8] = []
    var high: UInt8?
    while true {
      guard let byte = next else {
        throw FerryError(.propertyList(.unexpectedEnd(expected: "\">\", the end of the data")))
      }
      if byte.isOpenStepSpace {
        offset += 1
      } else if let digit = byte.hexDigit {
        if let first = high {
          data.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
        offset += 1
      } else {
        guard byte == UInt8(ascii: ">"), high == nil else {
          throw unexpected("two hexadecimal digits for each byte")
        }
        offset += 1
        try checkSize(data.count, from: start)
        return try sink.data(data.span)
      }
    }
  }

  /// Sends data in Base64: `<[AAEC]>`.
  private mutating func sendBase64(to sink: any ValueSink) throws(FerryError) {
    let content = text[(offset + 2)...].prefix { $0 != UInt8(ascii: "]") }
    let digits = content.filter { !$0.isOpenStepSpace }
    guard content.endIndex < text.count, byte(at: content.endIndex + 1) == UInt8(ascii: ">"),
      let data = Base64.decode(digits.span)
    else { throw FerryError(.propertyList(.badValue(shown(content), type: "data in Base64"))) }
    try checkSize(data.count, from: offset)
    offset = content.endIndex + 2
    try sink.data(data.span)
  }

  /// Sends a value with a type: `<*I5>`, `<*R"1.5">`, `<*BY>`, `<*D2001-01-01 00:00:00 +0000>`.
  private mutating func sendTypedValue(to sink: any ValueSink) throws(FerryError) {
    let content = text[(offset + 2)...].prefix { $0 != UInt8(ascii: ">") }
    try checkSize(content.count, from: offset)
    guard content.endIndex < text.count, let type = content.first,
      let value = GNUstepValue(type, String(decoding: content.dropFirst(), as: UTF8.self))
    else {
      throw FerryError(.propertyList(.badValue(shown(content), type: "a value with a type of GNUstep")))
    }
    offset = content.endIndex + 1
    try value.send(to: sink)
  }

  private func shown(_ content: ArraySlice<UInt8>) -> String { String(decoding: content, as: UTF8.self) }

  private func unexpected(_ expected: String) -> FerryError {
    guard next != nil else { return FerryError(.propertyList(.unexpectedEnd(expected: expected))) }
    let found = JSONBytes.found(text.span, at: offset)
    return FerryError(.propertyList(.expected(expected, found: found)))
  }
}

extension UInt8 {
  /// True for white space in OpenStep property lists.
  var isOpenStepSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension Span<UInt8> {
  /// Returns the offset after the comment that begins at an offset: after its line, or after `*/`. Returns nil if there is no
  /// `*/`.
  ///
  /// - Parameters:
  ///   - start: The offset.
  ///   - endsAtSeparators: True if the separators of lines and paragraphs, U+2028 and U+2029, end a line, too.
  func endOfComment(at start: Int, endsAtSeparators: Bool) -> Int? {
    guard self[start + 1] != UInt8(ascii: "*") else { return end(ofFirst: "*/", from: start + 2) }
    let (feed, lead) = (UInt8(ascii: "\n"), UInt8(0xe2))
    var index = start
    repeat {
      index = firstIndex(ofAny: feed, UInt8(ascii: "\r"), endsAtSeparators ? lead : feed, from: index + 1)
    } while index < count && self[index] == lead && !isSeparator(at: index)
    return index
  }

  /// Returns true if a separator of lines or paragraphs, U+2028 or U+2029, begins at an offset.
  fileprivate func isSeparator(at index: Int) -> Bool {
    guard index + 2 < count, self[index] == 0xe2, self[index + 1] == 0x80 else { return false }
    return self[index + 2] == 0xa8 || self[index + 2] == 0xa9
  }
}
