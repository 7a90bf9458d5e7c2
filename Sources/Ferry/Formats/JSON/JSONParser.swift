/// The parser of both JSON readers. It accepts chunks of any size and sends events.
///
/// The parser is a state machine without recursion: its state is the expected token and the open containers.
/// A chunk may end anywhere.
///
///     before   {"a": [1, 2]}      value
///     after    {                  firstKey
///     after    {"a"               colon
///     after    {"a": [            firstElement
///     after    {"a": [1           afterElement
///     after    {"a": [1, 2]       afterEntry
///     after    {"a": [1, 2]}      nothing
///
/// A token inside one chunk is borrowed from the chunk. A token that extends over several chunks, and a
/// string with escapes, is collected in a buffer, which is reused.
///
/// Offsets are relative to the current chunk. The offset of a token that began in an earlier chunk is
/// negative; because no token contains a line feed, its column is still exact.
struct JSONParser: ~Copyable {
  /// The structure of the input.
  enum Layout {
    /// A single value.
    case document
    /// A value on each line.
    case lines
  }

  /// The expected token.
  fileprivate enum Expected {
    case value, firstElement, afterElement
    case firstKey, key, colon, afterEntry
    /// Nothing: the value of a document is complete.
    case nothing
    /// The value of a line, or the end of the line.
    case line, lineEnd
  }

  /// The kind of token that the end of the last chunk has split.
  private enum Cut { case none, string, bare }

  private let layout: Layout
  private var events: EventSender
  private let budget: Budget
  private let losses: LossReport?
  /// Receives the source location of each event, or nil if no sink needs it.
  private let locator: SourceLocator?

  /// The first bytes of the input, until there are enough to detect the encoding.
  private var head: [UInt8] = []
  private var isAtStart = true
  private var lines = LineCounter()
  /// The offset at which an error would be located.
  private var errorOffset = 0

  private var expected: Expected
  /// The expected token after the current value.
  private var afterValue: Expected
  /// The open containers: `object` for an object, or the index of the current element for an array.
  private var containers: [Int] = []
  private static let object = -1
  private var keys = OpenKeys()

  private var cut = Cut.none
  private var tokenStart = 0
  /// The source location of a token that began in an earlier chunk.
  private var cutStart = Position()
  /// The number of characters between a location in an earlier chunk and this chunk, or nil if it equals the
  /// number of bytes.
  private var cutCharacters: Int?
  private var gathered = JSONGatheredText()

  init(
    _ layout: Layout, into sink: any ValueSink, budget: Budget, losses: LossReport?,
    locator: SourceLocator? = nil
  ) {
    self.locator = locator
    self.layout = layout
    events = EventSender(to: sink, isPrompt: locator != nil)
    self.budget = budget
    self.losses = losses
    (expected, afterValue) = layout == .lines ? (.line, .lineEnd) : (.value, .nothing)
  }

  /// Reads one chunk.
  mutating func read(_ chunk: Span<UInt8>) throws(FerryError) {
    guard isAtStart else { return try take(chunk) }
    let missing = min(4 - head.count, chunk.count)
    head.append(copying: chunk.extracting(first: missing))
    guard head.count == 4 else { return }
    try begin()
    try take(chunk.extracting(droppingFirst: missing))
  }

  /// Ends the input.
  mutating func finish() throws(FerryError) {
    if isAtStart { try begin() }
    let nothing: [UInt8] = []
    errorOffset = 0
    do throws(FerryError) { try end() } catch { throw error.placed(at: position(in: nothing.span)) }
  }

  private mutating func begin() throws(FerryError) {
    isAtStart = false
    let head = head
    if let name = JSONBytes.otherEncoding(head.span) {
      throw FerryError(.json(.otherEncoding(name)), at: Position(line: 1, column: 1, byte: 0))
    }
    if layout == .lines {
      do throws(FerryError) { try events.beginArray(at: 0) } catch { throw error.placed(at: lines.end) }
    }
    try take(head.span, from: head.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
  }

  private mutating func take(_ chunk: Span<UInt8>, from start: Int = 0) throws(FerryError) {
    do throws(FerryError) { try scanAndFlush(chunk, from: start) } catch {
      throw error.placed(at: position(in: chunk))
    }
    if cut != .none, tokenStart >= 0 { cutStart = lines.position(of: tokenStart, in: chunk) }
    lines.finish(chunk)
    tokenStart -= chunk.count
  }

  private mutating func scanAndFlush(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) {
    do throws(FerryError) { try scan(chunk, from: start) } catch {
      // The sink may refuse an event before the mistake.
      let offset = errorOffset
      try flush(chunk)
      errorOffset = offset
      throw error
    }
    try flush(chunk)
  }

  private mutating func flush(_ chunk: Span<UInt8>) throws(FerryError) {
    try events.flush(chunk, failedAt: &errorOffset)
  }

  private func position(in chunk: Span<UInt8>) -> Position {
    if errorOffset < 0, errorOffset == tokenStart { return cutStart }
    var position = lines.position(of: errorOffset, in: chunk)
    if errorOffset < 0, let cutCharacters { position.column = (lines.end.column ?? 1) - cutCharacters }
    return position
  }

  private mutating func end() throws(FerryError) {
    switch cut {
    case .none: break
    case .string: throw FerryError(.json(.unexpectedEnd(expected: "the closing quote of a string")))
    case .bare: try sendGatheredBare(isLast: true)
    }
    let nothing: [UInt8] = []
    try flush(nothing.span)
    errorOffset = 0
    switch expected {
    case .nothing: break
    case .line, .lineEnd: try events.endArray(at: 0)
    default: throw FerryError(.json(.unexpectedEnd(expected: expected.words)))
    }
    try flush(nothing.span)
  }
}

// MARK: The grammar

extension JSONParser {
  private mutating func scan(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) {
    let count = chunk.count
    var index = start
    switch cut {
    case .none: break
    case .string: index = try gatherString(chunk, from: index)
    case .bare: index = try gatherBare(chunk, from: index)
    }
    while index < count {
      let byte = chunk[index]
      if byte <= 0x20, byte.isSpace {
        if byte == UInt8(ascii: "\n"), layout == .lines { try endLine(at: index) }
        index += 1
        continue
      }
      if events.isFull { try flush(chunk) }
      errorOffset = index
      if let locator { locator.move(to: index, in: chunk, after: lines) }
      switch expected {
      case .value, .firstElement, .line:
        switch byte {
        case UInt8(ascii: "\""):
          index = try string(chunk, from: index + 1)
          continue
        case UInt8(ascii: "{"):
          try open()
          try events.beginDictionary(at: index)
          containers.append(Self.object)
          if losses != nil { keys.open() }
          (expected, afterValue) = (.firstKey, .afterEntry)
        case UInt8(ascii: "["):
          try open()
          try events.beginArray(at: index)
          containers.append(0)
          (expected, afterValue) = (.firstElement, .afterElement)
        case UInt8(ascii: "]") where expected == .firstElement:
          try events.endArray(at: index)
          close()
        case _ where JSONBytes.isBare(byte):
          index = try bare(chunk, from: index)
          continue
        default: throw unexpected(chunk, at: index)
        }
      case .firstKey, .key:
        if byte == UInt8(ascii: "\"") {
          index = try string(chunk, from: index + 1)
          continue
        }
        guard byte == UInt8(ascii: "}"), expected == .firstKey else { throw unexpected(chunk, at: index) }
        try events.endDictionary(at: index)
        close()
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw unexpected(chunk, at: index) }
        expected = .value
      case .afterElement:
        if byte == UInt8(ascii: ",") {
          containers[containers.count - 1] += 1
          expected = .value
        } else {
          guard byte == UInt8(ascii: "]") else { throw unexpected(chunk, at: index) }
          try events.endArray(at: index)
          close()
        }
      case .afterEntry:
        if byte == UInt8(ascii: ",") {
          expected = .key
        } else {
          guard byte == UInt8(ascii: "}") else { throw unexpected(chunk, at: index) }
          try events.endDictionary(at: index)
          close()
        }
      case .nothing: throw FerryError(.json(.trailingContent(found: JSONBytes.found(chunk, at: index))))
      case .lineEnd: throw unexpected(chunk, at: index)
      }
      index += 1
    }
  }

  private func open() throws(FerryError) {
    guard containers.count < budget.depth else { throw FerryError(.overBudget(.depth(budget.depth))) }
  }

  private mutating func close() {
    if containers.popLast() == Self.object, losses != nil { keys.close() }
    afterValue =
      switch containers.last {
      case nil: layout == .lines ? .lineEnd : .nothing
      case Self.object: .afterEntry
      case _: .afterElement
      }
    expected = afterValue
  }

  private mutating func endLine(at index: Int) throws(FerryError) {
    guard expected != .line else { return }
    guard expected == .lineEnd else {
      errorOffset = index
      throw FerryError(.json(.expected(expected.words, found: "the end of the line")))
    }
    expected = .line
  }

  @inline(never)
  private func unexpected(_ chunk: Span<UInt8>, at index: Int) -> FerryError {
    var found = JSONBytes.found(chunk, at: index)
    if chunk[index] == UInt8(ascii: "/") { found += " (JSON has no comments)" }
    return FerryError(.json(.expected(expected.words, found: found)))
  }
}

extension JSONParser.Expected {
  /// The description of the expected token in messages.
  fileprivate var words: String {
    switch self {
    case .value, .line: "a value"
    case .firstElement: "a value or \"]\""
    case .afterElement: "\",\" or \"]\""
    case .firstKey: "a key in double quotes or \"}\""
    case .key: "a key in double quotes"
    case .colon: "\":\""
    case .afterEntry: "\",\" or \"}\""
    case .nothing: "nothing more"
    case .lineEnd: "the end of the line"
    }
  }
}

// MARK: Strings and keys

extension JSONParser {
  /// Reads a string after its opening quote. Returns the offset after the closing quote, or the end of the
  /// chunk.
  private mutating func string(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let (end, isASCII) = chunk.plainJSONRun(from: start)
    guard end < chunk.count, chunk[end] == UInt8(ascii: "\"") else {
      tokenStart = start - 1
      gathered.begin()
      return try gatherString(chunk, from: start)
    }
    let bytes = chunk.extracting(start..<end)
    if !isASCII, case .invalid(let flaw) = bytes.checkUTF8() {
      errorOffset = start + flaw
      throw FerryError(.json(.notUTF8))
    }
    try send(BorrowedText(checked: bytes, isASCII: isASCII), from: start, in: chunk)
    return end + 1
  }

  private mutating func gatherString(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    cut = .none
    var end = start
    do throws(JSONGatheredText.Flaw) {
      guard try gathered.gather(chunk, from: &end, limit: budget.tokenBytes) else {
        cut = .string
        return end
      }
    } catch {
      switch error {
      case .problem(let problem, let flaw):
        errorOffset = flaw
        if problem == .notUTF8, flaw < 0 { cutCharacters = gathered.scalarCount(ofUnchecked: -flaw) }
        throw FerryError(.json(problem))
      case .tooLong: throw tokenTooLong()
      }
    }
    errorOffset = tokenStart
    if errorOffset < 0 { locator?.move(to: cutStart) }
    // The bytes are moved out of the buffer while they are borrowed. They are returned so that the next
    // string reuses their capacity.
    let bytes = gathered.takeBytes()
    try send(
      BorrowedText(checked: bytes.span, isASCII: gathered.isASCII, hasSurrogates: gathered.hasSurrogates),
      from: nil, in: chunk)
    gathered.giveBack(bytes)
    // The location of a token in an earlier chunk is known until the next token.
    if errorOffset < 0 { try flush(chunk) }
    return end
  }

  private mutating func send(_ text: borrowing BorrowedText, from start: Int?, in chunk: Span<UInt8>)
    throws(FerryError)
  {
    guard text.utf8.count <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    switch expected {
    case .firstKey, .key:
      if losses != nil, keys.insert(text.utf8) { try reportRepeatedKey(in: chunk) }
      try events.text(.key, text, from: start, isPlain: start != nil, at: errorOffset)
      expected = .colon
    default:
      try events.text(.string, text, from: start, isPlain: start != nil, at: errorOffset)
      expected = afterValue
    }
  }

  @inline(never)
  private mutating func reportRepeatedKey(in chunk: Span<UInt8>) throws(FerryError) {
    // Losses are reported in the order of the input.
    try flush(chunk)
    losses?.add(.duplicateKey, path: keys.path(in: containers))
  }

  private mutating func tokenTooLong() -> FerryError {
    errorOffset = tokenStart
    return FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
  }
}

// MARK: Numbers and words

extension JSONParser {
  /// Reads a number, `true`, `false` or `null`. Returns the offset after it, or the end of the chunk.
  private mutating func bare(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = chunk.endOfJSONWord(from: start)
    tokenStart = start
    guard end < chunk.count else {
      gathered.begin()
      return try gatherBare(chunk, from: start)
    }
    try sendBare(chunk.extracting(start..<end), from: start, isLast: false)
    return end
  }

  private mutating func gatherBare(_ chunk: Span<UInt8>, from start: Int) throws(FerryError) -> Int {
    let end = chunk.endOfJSONWord(from: start)
    guard gathered.append(chunk.extracting(start..<end), limit: budget.tokenBytes) else {
      throw tokenTooLong()
    }
    if end < chunk.count {
      try sendGatheredBare(isLast: false)
      if errorOffset < 0 { try flush(chunk) }
    } else {
      cut = .bare
    }
    return end
  }

  private mutating func sendGatheredBare(isLast: Bool) throws(FerryError) {
    cut = .none
    errorOffset = tokenStart
    locator?.move(to: cutStart)
    let bytes = gathered.takeBytes()
    try sendBare(bytes.span, from: nil, isLast: isLast)
    gathered.giveBack(bytes)
  }

  private mutating func sendBare(_ token: Span<UInt8>, from start: Int?, isLast: Bool) throws(FerryError) {
    guard token.count <= budget.tokenBytes else {
      throw FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
    }
    switch token[0] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      try sendNumber(token, from: start, isLast: isLast)
    case UInt8(ascii: "t") where token.equals("true"): try events.boolean(true, at: errorOffset)
    case UInt8(ascii: "f") where token.equals("false"): try events.boolean(false, at: errorOffset)
    case UInt8(ascii: "n") where token.equals("null"): try events.null(at: errorOffset)
    default:
      let word = token.extracting(first: min(token.count, 20)).decodedString
      throw FerryError(.json(.expected(expected.words, found: "\"\(word)\(token.count > 20 ? "…" : "")\"")))
    }
    expected = afterValue
  }

  private mutating func sendNumber(_ token: Span<UInt8>, from start: Int?, isLast: Bool) throws(FerryError) {
    if let flaw = token.flawInJSONNumber {
      errorOffset += flaw
      guard flaw < token.count || !isLast else {
        throw FerryError(.json(.unexpectedEnd(expected: "a digit")))
      }
      throw FerryError(.json(.badNumber(token.extracting(first: min(token.count, 64)).decodedString)))
    }
    switch DecimalText(json: token) {
    case .integer(let value): try events.integer(value, at: errorOffset)
    case .real(let value): try events.real(value, at: errorOffset)
    case .text:
      try events.text(.number, BorrowedText(checked: token, isASCII: true), from: start, at: errorOffset)
    }
  }
}
